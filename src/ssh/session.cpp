#include "slipway/ssh/session.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ssh/algorithms.h"
#include "ssh/public_key.h"
#include "ssh/session_impl.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

/// The algorithm that a login's signed bytes name (RFC 4252 section 7); empty for other bytes.
std::string_view signature_algorithm(std::string_view signed_bytes) {
  WireReader reader(signed_bytes);
  reader.string();  // the session's id
  reader.byte();    // SSH_MSG_USERAUTH_REQUEST
  reader.string();  // the user
  reader.string();  // the service
  reader.string();  // "publickey"
  reader.byte();    // with a signature
  return reader.string().value_or(std::string_view());
}

}  // namespace

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::kConnect:
      return "connect";
    case Phase::kHandshake:
      return "handshake";
    case Phase::kHostKey:
      return "host-key";
    case Phase::kAuth:
      return "auth";
    case Phase::kOpen:
    case Phase::kHeld:
    case Phase::kExec:
      return "exec";
    case Phase::kRun:
    case Phase::kClosed:
      return "run";
  }
  return "run";
}

Session::Session(std::unique_ptr<Socket> socket, SessionOptions options, OutputSink sink)
    : impl_(std::make_unique<Impl>(std::move(socket), std::move(options), std::move(sink))) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::variant<Want, Done, Failed> Session::advance(Clock::time_point now) { return impl_->advance(now); }
void Session::release(std::shared_ptr<const std::string> exec_line, std::string input,
                      std::string_view shared_input) {
  impl_->release(std::move(exec_line), std::move(input), shared_input);
}
void Session::send_input(std::string_view bytes) { impl_->send_input(bytes); }
Phase Session::phase() const { return impl_->phase(); }
bool Session::started() const { return impl_->started(); }
int Session::fd() const { return impl_->fd(); }

Session::Impl::Impl(std::unique_ptr<Socket> socket, SessionOptions options, OutputSink sink)
    : options_(std::move(options)),
      sink_(std::move(sink)),
      connection_(std::move(socket)),
      channel_(connection_.session(), options_.window) {}

void Session::Impl::release(std::shared_ptr<const std::string> exec_line, std::string input,
                            std::string_view shared_input) {
  if (released_ || phase_ == Phase::kClosed) return;
  released_ = true;
  exec_line_ = std::move(exec_line);
  channel_.add_input(std::move(input));
  channel_.add_shared_input(shared_input);
}

void Session::Impl::send_input(std::string_view bytes) {
  if (released_ && phase_ != Phase::kClosed) channel_.add_input(std::string(bytes));
}

std::variant<Want, Done, Failed> Session::Impl::advance(Clock::time_point now) {
  now_ = now;
  connection_.begin_turn(now);
  Step answer;
  while (!answer) answer = step();
  pulse_.last_turn = now;
  if (!std::holds_alternative<Want>(*answer)) phase_ = Phase::kClosed;
  return std::move(*answer);
}

Session::Impl::Step Session::Impl::step() {
  if (!begun_) return begin();
  switch (phase_) {
    case Phase::kConnect:
      return connect();
    case Phase::kHandshake:
      return handshake();
    case Phase::kHostKey:
      return check_host_key();
    case Phase::kAuth:
      return authenticate();
    case Phase::kOpen:
      return open();
    case Phase::kHeld:
      return hold();
    case Phase::kExec:
      return exec();
    case Phase::kRun:
      return run();
    case Phase::kClosed:
      break;
  }
  return fail(Failed::Kind::kProtocol, "the session is over");
}

void Session::Impl::enter(Phase phase, std::optional<std::chrono::milliseconds> limit) {
  phase_ = phase;
  deadline_.reset();
  if (limit) deadline_ = now_ + *limit;
}

Session::Impl::Step Session::Impl::begin() {
  begun_ = true;
  if (options_.pins.empty() && !options_.accept_host_key) {
    phase_ = Phase::kHostKey;
    return fail(Failed::Kind::kHostKey, "no host key of this worker is known");
  }
  if (options_.identity == nullptr) {
    phase_ = Phase::kAuth;
    return fail(Failed::Kind::kAuth, "no ssh key to log in with");
  }
  if (!connection_.valid() || !set_algorithms())
    return fail(Failed::Kind::kProtocol, "libssh2 cannot make a session");
  enter(Phase::kConnect, options_.limits.connect);
  const int error = connection_.socket().connect();
  if (error != 0) return cannot_connect(error);
  return std::nullopt;
}

Failed Session::Impl::cannot_connect(int error) {
  std::string problem = connection_.socket().problem();
  if (problem.empty()) return fail(Failed::Kind::kUnreachable, std::strerror(error));
  // A way that knows its own mind says so of those who may not go it.
  const auto kind = error == EACCES ? Failed::Kind::kAuth : Failed::Kind::kUnreachable;
  return fail(kind, std::move(problem));
}

bool Session::Impl::set_algorithms() {
  LIBSSH2_SESSION* session = connection_.session();
  const auto prefer = [session](int method, const char* names) {
    return libssh2_session_method_pref(session, method, names) == 0;
  };
  return prefer(LIBSSH2_METHOD_KEX, kKeyExchanges) &&
         prefer(LIBSSH2_METHOD_HOSTKEY, host_key_algorithms(options_.pins).c_str()) &&
         prefer(LIBSSH2_METHOD_CRYPT_CS, kCiphers) && prefer(LIBSSH2_METHOD_CRYPT_SC, kCiphers) &&
         prefer(LIBSSH2_METHOD_MAC_CS, kMacs) && prefer(LIBSSH2_METHOD_MAC_SC, kMacs);
}

Session::Impl::Step Session::Impl::connect() {
  const int error = connection_.socket().connect_result();
  if (error == EINPROGRESS) {
    if (now_ >= *deadline_) return timed_out();
    const SocketWant socket = connection_.socket().connecting();
    Want want;
    want.read = socket.read;
    want.write = socket.write;
    want.until = socket.until ? std::min(*socket.until, *deadline_) : deadline_;
    return want;
  }
  if (error == ETIMEDOUT) return timed_out();
  if (error != 0) return cannot_connect(error);
  enter(Phase::kHandshake, options_.limits.handshake);
  return std::nullopt;
}

Session::Impl::Step Session::Impl::handshake() {
  const int rc = libssh2_session_handshake(connection_.session(), connection_.socket().fd());
  if (rc == LIBSSH2_ERROR_EAGAIN) return wait();
  if (rc != 0) return negotiation_failed();
  phase_ = Phase::kHostKey;
  return std::nullopt;
}

Session::Impl::Step Session::Impl::check_host_key() {
  std::size_t size = 0;
  int kind = 0;
  const char* bytes = libssh2_session_hostkey(connection_.session(), &size, &kind);
  const std::string_view blob = bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
  HostKey shown{std::string(WireReader(blob).string().value_or("")), std::string(blob)};
  bool pinned = false;
  for (const HostKey& pin : options_.pins) pinned = pinned || pin == shown;
  if (options_.pins.empty()) {
    pinned = type_of_public_blob(shown.blob) == shown.type && options_.accept_host_key(shown);
    if (!pinned) return fail(Failed::Kind::kHostKey, "its host key was not accepted: " + described(shown));
  }
  if (!pinned) return host_key_differs(shown);
  connection_.forget_first_bytes();
  enter(Phase::kAuth, options_.limits.auth);
  return std::nullopt;
}

Session::Impl::Step Session::Impl::authenticate() {
  const std::string& key = options_.identity->public_blob();
  void* self = this;
  const int rc = libssh2_userauth_publickey(connection_.session(), options_.user.c_str(),
                                            reinterpret_cast<const unsigned char*>(key.data()), key.size(),
                                            &Impl::on_sign, &self);
  if (rc == LIBSSH2_ERROR_EAGAIN) return wait();
  if (rc != 0) return login_failed(rc);
  enter(Phase::kOpen, options_.limits.exec);
  return std::nullopt;
}

int Session::Impl::on_sign(LIBSSH2_SESSION*, unsigned char** signature, std::size_t* signature_size,
                           const unsigned char* data, std::size_t size, void** self) {
  auto& session = *static_cast<Impl*>(*self);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto made = session.options_.identity->sign(signature_algorithm(bytes), bytes);
  if (!made) {
    session.sign_problem_ = made.error().message();
    return -1;
  }
  *signature =
      static_cast<unsigned char*>(std::malloc(made->size()));  // libssh2 frees it with its own free()
  if (*signature == nullptr) return -1;
  std::memcpy(*signature, made->data(), made->size());
  *signature_size = made->size();
  return 0;
}

Session::Impl::Step Session::Impl::open() {
  const Progress progress = channel_.open();
  if (progress == Progress::kWait) return wait();
  if (progress != Progress::kDone) {
    return fail(Failed::Kind::kUnreachable, "the worker opens no session: " + connection_.error_text());
  }
  enter(Phase::kHeld, std::nullopt);
  return std::nullopt;
}

Session::Impl::Step Session::Impl::hold() {
  if (released_) {
    enter(Phase::kExec, options_.limits.exec);
    return std::nullopt;
  }
  const Progress progress = channel_.pump();
  if (progress == Progress::kWait) return wait();
  return fail(Failed::Kind::kUnreachable, "the worker closed the session before the command started");
}

Session::Impl::Step Session::Impl::exec() {
  started_ = true;
  const Progress progress = channel_.exec(*exec_line_);
  if (progress == Progress::kWait) return wait();
  if (progress == Progress::kRefused) {
    started_ = false;
    return fail(Failed::Kind::kUnreachable, "the worker refused to run a command");
  }
  if (progress == Progress::kBroken) return fail(Failed::Kind::kLost, connection_.error_text());
  enter(Phase::kRun, std::nullopt);
  exec_line_.reset();
  pulse_.answers = is_openssh();
  return std::nullopt;
}

Session::Impl::Step Session::Impl::wait() {
  if (connection_.ended()) return connection_ended();
  if (deadline_ && now_ >= *deadline_) return timed_out();
  Want want = connection_.want(now_);
  if (deadline_ && (!want.until || *want.until > *deadline_)) want.until = deadline_;
  return want;
}

}  // namespace slipway::ssh
