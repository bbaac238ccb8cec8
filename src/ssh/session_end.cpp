#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/algorithms.h"
#include "ssh/kex_offer.h"
#include "ssh/session_impl.h"

namespace slipway::ssh {

std::string described(const HostKey& key) { return printable(key.type) + " " + key.fingerprint(); }

namespace {

std::string described(const HostKeyPins& pins) {
  if (pins.empty()) return "none, but one of these types has to be: " + host_key_algorithms(pins);
  std::vector<std::string> keys;
  for (const HostKey& pin : pins) keys.push_back(described(pin));
  return fmt::format("{}", fmt::join(keys, " or "));
}

/// What OpenSSH says in place of its version line: over its MaxStartups or PerSourceMaxStartups, and,
/// since 9.8, to an address that its PerSourcePenalties have struck.
bool turns_away(std::string_view first_bytes) {
  return first_bytes.rfind("Exceeded MaxStartups", 0) == 0 ||
         first_bytes.rfind("Not allowed at this time", 0) == 0;
}

}  // namespace

Failed Session::Impl::fail(Failed::Kind kind, std::string reason) const {
  Failed failed;
  failed.kind = started_ ? Failed::Kind::kLost : kind;
  failed.phase = phase_;
  failed.started = started_;
  failed.reason = std::move(reason);
  failed.hopeless = connection_.socket().hopeless();
  return failed;
}

Failed Session::Impl::timed_out() const {
  switch (phase_) {
    case Phase::kConnect:
      return fail(Failed::Kind::kTimedOut, "no connection in time");
    case Phase::kHandshake:
      return fail(Failed::Kind::kTimedOut, "the worker did not finish the ssh handshake in time");
    case Phase::kAuth:
      return fail(Failed::Kind::kTimedOut, "the worker did not answer the login in time");
    case Phase::kOpen:
      return fail(Failed::Kind::kTimedOut, "the worker did not open a session in time");
    default:
      return fail(Failed::Kind::kTimedOut, "the worker did not say in time whether the command started");
  }
}

Failed Session::Impl::connection_ended() const {
  if (phase_ == Phase::kHandshake && turns_away(connection_.first_bytes())) {
    return fail(Failed::Kind::kTurnedAway, "the worker takes no more connections for now: " +
                                               printable(trim(connection_.first_bytes())));
  }
  std::string reason = connection_.end_reason();
  if (phase_ == Phase::kHandshake && connection_.first_bytes().empty()) reason += " before it said a word";
  return fail(Failed::Kind::kUnreachable, std::move(reason));
}

/// libssh2 says only that it failed; the server's own offer says over what.
Failed Session::Impl::negotiation_failed() const {
  const auto offer = read_kex_offer(connection_.first_bytes());
  if (!offer) return fail(Failed::Kind::kProtocol, connection_.error_text());
  if (!have_common_name(host_key_algorithms(options_.pins), offer->host_keys)) {
    Failed failed =
        fail(Failed::Kind::kHostKey, fmt::format("the worker has only host keys for {}; pinned is {}",
                                                 printable(offer->host_keys), described(options_.pins)));
    failed.phase = Phase::kHostKey;
    return failed;
  }
  const auto none_of = [](const char* what, const std::string& names) {
    return fmt::format("the worker's {} are all ones that slipway does not use: {}", what, printable(names));
  };
  if (!have_common_name(kKeyExchanges, offer->key_exchanges)) {
    return fail(Failed::Kind::kProtocol, none_of("key exchanges", offer->key_exchanges));
  }
  if (!have_common_name(kCiphers, offer->ciphers)) {
    return fail(Failed::Kind::kProtocol, none_of("ciphers", offer->ciphers));
  }
  return fail(Failed::Kind::kProtocol, connection_.error_text());
}

Failed Session::Impl::host_key_differs(const HostKey& shown) const {
  return fail(Failed::Kind::kHostKey, fmt::format("the worker showed {}, but pinned is {}", described(shown),
                                                  described(options_.pins)));
}

Failed Session::Impl::login_failed(int rc) const {
  if (!sign_problem_.empty()) return fail(Failed::Kind::kAuth, sign_problem_);
  // libssh2 says -19 to a refused signature, and also to a connection that broke in between.
  const bool refused =
      rc == LIBSSH2_ERROR_AUTHENTICATION_FAILED ||
      (rc == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED && connection_.error_text().find("Invalid signature") == 0);
  if (refused) {
    return fail(Failed::Kind::kAuth, fmt::format("the worker refused the key {} for user '{}'",
                                                 options_.identity->path(), options_.user));
  }
  // OpenSSH disconnects instead of refusing when its MaxAuthTries is used up.
  if (connection_.disconnected()) return fail(Failed::Kind::kAuth, connection_.end_reason());
  return fail(Failed::Kind::kProtocol, connection_.error_text());
}

}  // namespace slipway::ssh
