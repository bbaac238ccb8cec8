#include <algorithm>
#include <array>

#include "slipway/ssh/remote_command.h"
#include "ssh/session_impl.h"

namespace slipway::ssh {
namespace {

/// libssh2 widens the window by the size of the buffer that it is given: small against
/// SessionOptions::window.
constexpr std::size_t kReadBuffer = std::size_t{16} << 10;

}  // namespace

Session::Impl::Step Session::Impl::run() {
  if (!output_ended_) {
    const Progress progress = read_output();
    if (progress == Progress::kBroken) return conclude(connection_.error_text());
    output_ended_ = progress == Progress::kDone;
    if (output_ended_) channel_.add_input(farewell_line());
  }
  const bool more_input = channel_.write_input(options_.turn_budget);
  if (more_output_ || more_input) {
    more_output_ = false;
    Want want;
    want.again = true;
    return want;
  }
  if (output_ended_) return close();
  if (connection_.ended()) return connection_ended();
  Step step = wait_for_command();
  // Any call takes all that has come from the socket into libssh2's queue: what came after the streams were
  // found empty is there now, and no readiness of the socket will tell of it.
  if (Want* want = step ? std::get_if<Want>(&*step) : nullptr) {
    want->again = want->again || connection_.received_in_turn() != heard_before_reading_;
  }
  return step;
}

Progress Session::Impl::read_output() {
  std::array<char, kReadBuffer> buffer;
  std::size_t taken = 0;
  while (taken < options_.turn_budget) {
    int ended = 0;
    const std::size_t before = taken;
    heard_before_reading_ = connection_.received_in_turn();
    for (const Stream stream : {Stream::kOut, Stream::kErr}) {
      const Channel::Read read = channel_.read(stream, buffer.data(), buffer.size());
      if (read.progress == Progress::kBroken || read.progress == Progress::kRefused) return Progress::kBroken;
      if (read.progress == Progress::kDone && read.bytes.empty()) ++ended;
      if (!read.bytes.empty()) sink_(stream, read.bytes);
      taken += read.bytes.size();
    }
    if (ended == 2) return Progress::kDone;
    if (taken == before && connection_.received_in_turn() == heard_before_reading_) return Progress::kWait;
  }
  more_output_ = true;
  return Progress::kWait;
}

/// All output is here. The end may still be far (what was told to stop is given its grace first); once it
/// came, only the server's close is missing, and that has a limit.
Session::Impl::Step Session::Impl::close() {
  const Progress progress = channel_.wait_closed();
  if (progress != Progress::kWait)
    return conclude("the worker closed the session and did not say how the command ended");
  if (connection_.ended()) return conclude(connection_.end_reason());
  if (!channel_.remote_exit()) return wait_for_command();
  if (!deadline_) deadline_ = now_ + options_.limits.close;
  if (now_ >= *deadline_) return conclude("");
  return wait();
}

Session::Impl::Answer Session::Impl::conclude(const std::string& otherwise) {
  auto exit = channel_.remote_exit();
  if (!exit) return fail(Failed::Kind::kLost, otherwise);
  if (!output_ended_)
    return fail(Failed::Kind::kLost, "the command ended, but not all of its output came: " + otherwise);
  if (!connection_.ended()) connection_.say_goodbye();
  return Done{std::move(*exit)};
}

Session::Impl::Step Session::Impl::wait_for_command() {
  check_answer();
  if (Step lost = check_silence()) return lost;
  const auto interval = options_.limits.silence / 3;
  Want want = connection_.want(now_);
  const auto next =
      std::max(connection_.last_received(), pulse_.asked.value_or(Clock::time_point{})) + interval;
  const auto wake = next > now_ ? next : now_ + interval;
  if (!want.until || *want.until > wake) want.until = wake;
  return want;
}

bool Session::Impl::is_openssh() {
  const char* banner = libssh2_session_banner_get(connection_.session());
  return banner != nullptr && std::string_view(banner).find("OpenSSH") != std::string_view::npos;
}

/// Asks after a third of the limit without a word, and hears whether the last question was answered.
void Session::Impl::check_answer() {
  const auto interval = options_.limits.silence / 3;
  if (!pulse_.asked) {
    if (now_ - connection_.last_received() < interval) return;
    pulse_.asked = now_;
  } else if (now_ - pulse_.last_turn > 2 * interval) {
    // We slept (a suspended laptop, a reader of our output that held us up): the answer gets its time from
    // here on.
    pulse_.asked = now_;
  }
  const Progress progress = channel_.ping();
  if (progress == Progress::kWait) return;
  pulse_.asked.reset();
  pulse_.answers = pulse_.answers || progress == Progress::kDone;
}

Session::Impl::Step Session::Impl::check_silence() {
  if (!pulse_.asked || !pulse_.answers) return std::nullopt;
  const auto silent_since = std::max(*pulse_.asked, connection_.last_received());
  const auto patience = options_.limits.silence - options_.limits.silence / 3;
  if (now_ - silent_since < patience) return std::nullopt;
  return fail(Failed::Kind::kLost, "the worker stopped answering");
}

}  // namespace slipway::ssh
