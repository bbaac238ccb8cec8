#include "ssh/channel.h"

#include "slipway/ssh/remote_command.h"

namespace slipway::ssh {
namespace {

constexpr unsigned kPacketBytes = 32'768;
constexpr std::string_view kSession = "session";
constexpr std::string_view kExec = "exec";
// No server has a use for it: after the command's start OpenSSH refuses every "env", and before it all but
// AcceptEnv's.
constexpr std::string_view kPing = "SLIPWAY_PING";

unsigned size_of(std::string_view text) { return static_cast<unsigned>(text.size()); }

}  // namespace

Progress Channel::to_progress(int rc) const {
  switch (rc) {
    case 0:
      return Progress::kDone;
    case LIBSSH2_ERROR_EAGAIN:
      return Progress::kWait;
    case LIBSSH2_ERROR_CHANNEL_FAILURE:
    case LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED:
      return Progress::kRefused;
    default:
      return Progress::kBroken;
  }
}

Progress Channel::open() {
  channel_ = libssh2_channel_open_ex(session_, kSession.data(), size_of(kSession),
                                     static_cast<unsigned>(window_), kPacketBytes, nullptr, 0);
  return channel_ != nullptr ? Progress::kDone : to_progress(libssh2_session_last_errno(session_));
}

Progress Channel::pump() {
  char ignored[64];
  const ssize_t count = libssh2_channel_read(channel_, ignored, sizeof(ignored));
  return count == LIBSSH2_ERROR_EAGAIN ? Progress::kWait : Progress::kBroken;
}

Progress Channel::exec(const std::string& line) {
  return to_progress(
      libssh2_channel_process_startup(channel_, kExec.data(), size_of(kExec), line.data(), size_of(line)));
}

void Channel::add_input(std::string bytes) {
  if (!bytes.empty()) input_.push_back({std::move(bytes), {}});
}

void Channel::add_shared_input(std::string_view bytes) {
  if (!bytes.empty()) input_.push_back({{}, bytes});
}

bool Channel::write_input(std::size_t budget) {
  for (std::size_t written = 0; !input_.empty();) {
    if (written >= budget) return true;
    const std::string_view rest = input_.front().bytes().substr(input_sent_);
    const ssize_t count = libssh2_channel_write(channel_, rest.data(), rest.size());
    if (count == LIBSSH2_ERROR_EAGAIN || count == 0) return false;
    if (count < 0) {
      // A command that has ended takes no more input; its end is told by the reads.
      input_.clear();
      return false;
    }
    written += static_cast<std::size_t>(count);
    input_sent_ += static_cast<std::size_t>(count);
    if (static_cast<std::size_t>(count) < rest.size()) continue;
    input_.pop_front();
    input_sent_ = 0;
  }
  return false;
}

Channel::Read Channel::read(Stream stream, char* buffer, std::size_t size) {
  const int id = stream == Stream::kOut ? 0 : SSH_EXTENDED_DATA_STDERR;
  const ssize_t count = libssh2_channel_read_ex(channel_, id, buffer, size);
  if (count > 0) return {Progress::kDone, {buffer, static_cast<std::size_t>(count)}};
  return {to_progress(static_cast<int>(count)), {}};
}

Progress Channel::ping() {
  const int rc = libssh2_channel_setenv_ex(channel_, kPing.data(), size_of(kPing), "", 0);
  if (rc == LIBSSH2_ERROR_EAGAIN) return Progress::kWait;
  return rc == 0 || rc == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED ? Progress::kDone : Progress::kBroken;
}

std::optional<RemoteExit> Channel::remote_exit() const {
  char* name = nullptr;
  std::size_t size = 0;
  libssh2_channel_get_exit_signal(channel_, &name, &size, nullptr, nullptr, nullptr, nullptr);
  const std::string signal(name == nullptr ? std::string_view() : std::string_view(name, size));
  libssh2_free(session_, name);
  return from_wire(libssh2_channel_get_exit_status(channel_), signal);
}

Progress Channel::wait_closed() { return to_progress(libssh2_channel_wait_closed(channel_)); }

}  // namespace slipway::ssh
