#pragma once

#include <libssh2.h>

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/ssh/session.h"

namespace slipway::ssh {

/// How a call on a channel went. kWait: call the same again when the socket is ready.
enum class Progress { kDone, kWait, kRefused, kBroken };

/// The one channel of a session: opened, given a command, read until it ends. Its calls do not wait.
class Channel {
 public:
  /// `session` outlives the channel, and frees what is behind it.
  Channel(LIBSSH2_SESSION* session, std::size_t window) : session_(session), window_(window) {}

  Progress open();
  /// Takes in what the server sends while the channel has no command: nothing but its own questions is
  /// allowed. kWait while that holds; kBroken when the channel was closed or spoken on.
  Progress pump();
  /// `line` stays where it is until this does not say kWait.
  Progress exec(const std::string& line);

  void add_input(std::string bytes);
  /// The same for bytes that outlive the channel.
  void add_shared_input(std::string_view bytes);
  /// Sends what is left of the input, as far as the remote window goes, but not more than about `budget`
  /// bytes. True when only that kept it from going on.
  bool write_input(std::size_t budget);
  /// Up to the size of one read buffer from one stream: its bytes, none for now (kWait), or its end (kDone,
  /// and empty).
  struct Read {
    Progress progress = Progress::kWait;
    std::string_view bytes;
  };
  Read read(Stream stream, char* buffer, std::size_t size);

  /// A request that every server answers: the proof that it still runs. kDone when the answer came.
  Progress ping();

  /// The end that the wrapper reported, as soon as it came.
  std::optional<RemoteExit> remote_exit() const;
  /// Waits for the server's close.
  Progress wait_closed();

 private:
  Progress to_progress(int rc) const;

  LIBSSH2_SESSION* session_;
  std::size_t window_;
  LIBSSH2_CHANNEL* channel_ = nullptr;
  struct Piece {
    std::string own;
    std::string_view shared;
    std::string_view bytes() const { return own.empty() ? shared : std::string_view(own); }
  };
  std::deque<Piece> input_;     ///< libssh2 wants the same bytes at the same address after EAGAIN
  std::size_t input_sent_ = 0;  ///< of the first piece
};

}  // namespace slipway::ssh
