#include "ssh/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "slipway/core/text.h"

namespace slipway::ssh {
namespace {

using namespace std::chrono_literals;

/// Above this libssh2 hears EAGAIN: the most that waits is this and one packet.
constexpr std::size_t kOutputLimit = std::size_t{64} << 10;
/// The banner (libssh2 reads it byte by byte: one recv() here) and the first packet fit.
constexpr std::size_t kFirstBytes = std::size_t{2} << 10;
constexpr std::size_t kFirstBytesKept = std::size_t{16} << 10;
/// More than a window's worth, so that only a peer that floods us with something else meets it.
constexpr std::size_t kReceivedInTurn = std::size_t{512} << 10;
/// libssh2 gives up waiting for a packet by a clock of its own. The limits are ours: see PhaseLimits.
constexpr long kNoReadTimeoutSeconds = 10L * 365 * 24 * 3600;

Connection& self_of(void** abstract) { return *static_cast<Connection*>(*abstract); }

template <typename Function>
libssh2_cb_generic* to_callback(Function* function) {
  return reinterpret_cast<libssh2_cb_generic*>(function);
}

}  // namespace

Connection::Connection(std::unique_ptr<Socket> socket)
    : socket_(std::move(socket)), session_(libssh2_session_init_ex(nullptr, nullptr, nullptr, this)) {
  if (!session_) return;
  libssh2_session_set_blocking(session_.get(), 0);
  libssh2_session_set_read_timeout(session_.get(), kNoReadTimeoutSeconds);
  libssh2_session_callback_set2(session_.get(), LIBSSH2_CALLBACK_SEND, to_callback(&Connection::on_send));
  libssh2_session_callback_set2(session_.get(), LIBSSH2_CALLBACK_RECV, to_callback(&Connection::on_receive));
  libssh2_session_callback_set2(session_.get(), LIBSSH2_CALLBACK_DISCONNECT,
                                to_callback(&Connection::on_disconnect));
}

Connection::~Connection() {
  // With this set no call can wait, so libssh2_session_free(), which gives up on EAGAIN and leaks, does not.
  closing_ = true;
}

void Connection::begin_turn(Clock::time_point now) {
  now_ = now;
  received_in_turn_ = 0;
  flush();
}

Want Connection::want(Clock::time_point now) {
  flush();
  const int directions = libssh2_session_block_directions(session_.get());
  Want want;
  want.read = true;
  want.again = received_in_turn_ >= kReceivedInTurn;
  want.write = !output_.empty() && send_error_ == 0;
  const SocketWant own = socket_->own_want();
  want.write = want.write || own.write;
  want.until = own.until;
  want.again = want.again || own.again;
  // libssh2 #1945: EAGAIN without a direction. Nothing would wake us for it.
  if (directions == 0) want.until = std::min(now + 50ms, want.until.value_or(now + 50ms));
  return want;
}

std::string Connection::end_reason() const {
  if (disconnected_) return "the worker disconnected: " + disconnect_message_;
  if (std::string problem = socket_->problem(); !problem.empty()) return problem;
  const int error = receive_error_ != 0 ? receive_error_ : send_error_;
  if (error == ETIMEDOUT) return "the worker's machine stopped answering";
  if (error != 0) return std::strerror(error);
  return "the worker closed the connection";
}

std::string Connection::error_text() const {
  char* text = nullptr;
  int size = 0;
  libssh2_session_last_error(session_.get(), &text, &size, 0);
  return printable(std::string_view(text, static_cast<std::size_t>(size)));
}

void Connection::forget_first_bytes() {
  keep_first_bytes_ = false;
  if (first_bytes_given_ == first_bytes_.size()) std::string().swap(first_bytes_), first_bytes_given_ = 0;
}

void Connection::say_goodbye() {
  libssh2_session_disconnect(session_.get(), "done");
  flush();
}

ssize_t Connection::on_send(libssh2_socket_t, const void* data, std::size_t size, int, void** self) {
  return self_of(self).take(data, size);
}

ssize_t Connection::on_receive(libssh2_socket_t, void* data, std::size_t size, int, void** self) {
  return self_of(self).give(data, size);
}

void Connection::on_disconnect(LIBSSH2_SESSION*, int, const char* message, int message_size, const char*, int,
                               void** self) {
  constexpr std::size_t kLongest = 200;
  const auto size = std::min(kLongest, static_cast<std::size_t>(std::max(message_size, 0)));
  self_of(self).disconnected_ = true;
  if (message != nullptr) self_of(self).disconnect_message_ = printable(std::string_view(message, size));
}

ssize_t Connection::take(const void* data, std::size_t size) {
  if (closing_ || send_error_ != 0) return static_cast<ssize_t>(size);
  if (output_.size() >= kOutputLimit) flush();
  if (output_.size() >= kOutputLimit) return -EAGAIN;
  output_.append(static_cast<const char*>(data), size);
  return static_cast<ssize_t>(size);
}

void Connection::flush() {
  std::size_t sent = 0;
  while (sent < output_.size()) {
    const ssize_t count = socket_->send(output_.data() + sent, output_.size() - sent);
    if (count == -EINTR) continue;
    if (count < 0 && count != -EAGAIN) {
      send_error_ = static_cast<int>(-count);
      output_.clear();
      return;
    }
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
  output_.erase(0, sent);
}

ssize_t Connection::receive(void* data, std::size_t size) {
  if (received_in_turn_ >= kReceivedInTurn) return -EAGAIN;
  ssize_t count = -EINTR;
  while (count == -EINTR) count = socket_->receive(data, size);
  if (count > 0) {
    last_received_ = now_;
    received_in_turn_ += static_cast<std::size_t>(count);
    return count;
  }
  if (count != -EAGAIN) {
    ended_ = true;
    receive_error_ = static_cast<int>(-count);
  }
  return -EAGAIN;
}

ssize_t Connection::give(void* data, std::size_t size) {
  if (closing_) return -ECONNRESET;
  if (first_bytes_given_ == first_bytes_.size()) {
    if (!keep_first_bytes_) return receive(data, size);
    if (const ssize_t count = refill_first_bytes(); count < 0) return count;
  }
  const std::size_t given = std::min(size, first_bytes_.size() - first_bytes_given_);
  std::memcpy(data, first_bytes_.data() + first_bytes_given_, given);
  first_bytes_given_ += given;
  if (!keep_first_bytes_) forget_first_bytes();
  return static_cast<ssize_t>(given);
}

ssize_t Connection::refill_first_bytes() {
  if (first_bytes_.size() >= kFirstBytesKept) first_bytes_.clear(), first_bytes_given_ = 0;
  const std::size_t before = first_bytes_.size();
  first_bytes_.resize(before + kFirstBytes);
  const ssize_t count = receive(first_bytes_.data() + before, kFirstBytes);
  first_bytes_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return count;
}

}  // namespace slipway::ssh
