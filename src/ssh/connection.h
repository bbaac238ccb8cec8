#pragma once

#include <libssh2.h>

#include <memory>
#include <string>
#include <string_view>

#include "slipway/core/clock.h"
#include "slipway/ssh/session.h"
#include "slipway/ssh/socket.h"
#include "ssh/c_owner.h"

namespace slipway::ssh {

/// A libssh2 session over a Socket: the bytes in between, and nothing of what is said with them.
///
/// It keeps four things from libssh2 1.11.1 that it handles badly:
/// - a packet sent in part (it fails when the next call is another one): output is taken whole, and
///   what a turn gathers leaves together at its end;
/// - a failed send (it would keep us from reading what came before): it is left for receive() to find;
/// - the end of the stream (it would drop packets that it has taken in): libssh2 hears EAGAIN, ended() knows;
/// - a peer that never stops sending (it reads on until it would block): a turn has a limit.
class Connection {
 public:
  explicit Connection(std::unique_ptr<Socket> socket);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const Socket& socket() const { return *socket_; }
  Socket& socket() { return *socket_; }
  LIBSSH2_SESSION* session() { return session_.get(); }
  /// Nothing when libssh2 had no memory for a session.
  bool valid() const { return session_ != nullptr; }

  /// What is read from now on was read at `now`; sends what still waits.
  void begin_turn(Clock::time_point now);
  /// Sends what the turn gathered, and says what to wait for after libssh2 answered EAGAIN.
  Want want(Clock::time_point now);
  /// The server said SSH_MSG_DISCONNECT.
  bool disconnected() const { return disconnected_; }
  /// The peer has ended the stream, or it failed, and everything before that has been read.
  bool ended() const { return ended_; }
  /// How it ended, for people: "the worker closed the connection", an errno's words, or what its DISCONNECT
  /// said.
  std::string end_reason() const;
  /// libssh2's words for its last error.
  std::string error_text() const;
  Clock::time_point last_received() const { return last_received_; }
  /// Bytes taken from the socket since begin_turn().
  std::size_t received_in_turn() const { return received_in_turn_; }

  /// The first bytes of the server, in the clear, until forget_first_bytes().
  std::string_view first_bytes() const { return first_bytes_; }
  void forget_first_bytes();
  /// Says goodbye, as far as the socket takes it at once.
  void say_goodbye();

 private:
  static ssize_t on_send(libssh2_socket_t, const void* data, std::size_t size, int flags, void** self);
  static ssize_t on_receive(libssh2_socket_t, void* data, std::size_t size, int flags, void** self);
  static void on_disconnect(LIBSSH2_SESSION*, int reason, const char* message, int message_size, const char*,
                            int, void** self);

  ssize_t take(const void* data, std::size_t size);
  ssize_t give(void* data, std::size_t size);
  ssize_t receive(void* data, std::size_t size);
  ssize_t refill_first_bytes();
  void flush();

  std::unique_ptr<Socket> socket_;
  std::string output_;  ///< what libssh2 has sent and the socket has not taken
  int send_error_ = 0;
  int receive_error_ = 0;
  bool ended_ = false;
  bool closing_ = false;
  std::string first_bytes_;
  std::size_t first_bytes_given_ = 0;
  bool keep_first_bytes_ = true;
  bool disconnected_ = false;
  std::string disconnect_message_;
  std::size_t received_in_turn_ = 0;
  Clock::time_point now_{};
  Clock::time_point last_received_{};
  COwner<LIBSSH2_SESSION, libssh2_session_free> session_;
};

}  // namespace slipway::ssh
