#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "slipway/core/clock.h"
#include "slipway/core/error.h"
#include "slipway/ssh/host_key.h"
#include "slipway/ssh/identity.h"
#include "slipway/ssh/socket.h"

namespace slipway::ssh {

/// How far a session is. The names are what outcomes, events and errors say.
enum class Phase { kConnect, kHandshake, kHostKey, kAuth, kOpen, kHeld, kExec, kRun, kClosed };
/// "connect", "handshake", "host-key", "auth", "exec" (for kOpen, kHeld and kExec), "run".
std::string_view to_string(Phase phase);

/// How long each phase may take. A command that runs has no limit here.
struct PhaseLimits {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds handshake{20'000};  ///< banner, key exchange and host key
  std::chrono::milliseconds auth{20'000};
  std::chrono::milliseconds exec{10'000};  ///< opening the channel; and, apart, the exec request
  std::chrono::milliseconds close{5'000};
  /// While the command runs: lost when the worker does not answer for this long. After a third of it without
  /// a word the worker is asked. OpenSSH is known to answer; any other server is judged by this only once it
  /// has: a command that prints nothing is never lost for that. What TCP alone can tell is told by then too.
  std::chrono::milliseconds silence{45'000};
};

struct SessionOptions {
  std::string user;
  HostKeyPins pins;
  /// Decides about a host without pins, before anything is signed. Without it there is no session to such a
  /// host. Never asked where there are pins.
  AcceptHostKey accept_host_key;
  const Identity* identity = nullptr;  ///< outlives the session
  PhaseLimits limits;
  /// Bytes a worker may send ahead of us, and so the most of its output that waits in our memory.
  std::size_t window = 128 * 1024;
  /// Bytes of output taken in one advance(), so that a flood from one worker does not starve the others.
  /// (One buffer of 16 KiB for each stream may come on top.)
  std::size_t turn_budget = 64 * 1024;
};

enum class Stream { kOut, kErr };

/// Takes a worker's output as it comes, in pieces of any size.
using OutputSink = std::function<void(Stream, std::string_view)>;

/// What a session needs before it can go on: nothing else ever blocks it.
struct Want {
  bool read = false;
  bool write = false;
  bool again = false;  ///< it has more to do at once, and only gave the others their turn
  std::optional<Clock::time_point> until;
};

/// How the remote command ended.
struct RemoteExit {
  enum class Kind { kCode, kSignal };
  Kind kind = Kind::kCode;
  int code = 0;
  std::string signal;  ///< "KILL", without SIG
};

/// The session is over and the command's end was seen.
struct Done {
  RemoteExit exit;
};

/// The session is over without it. After `started` this means "lost": the command may have run, or still run.
struct Failed {
  enum class Kind {
    kUnreachable,
    kTimedOut,
    kTurnedAway,  ///< the server has too many connections for now, and said so
    kProtocol,
    kHostKey,
    kAuth,
    kLost,
  };
  Kind kind = Kind::kUnreachable;
  Phase phase = Phase::kConnect;
  bool started = false;  ///< the exec request may have been sent; then `kind` is kLost
  std::string reason;
  bool hopeless = false;  ///< another try would meet the same
};

/// One ssh connection that runs one command: a value with phases over libssh2. It owns no loop and no clock.
/// It stops in kHeld, with its channel open, until release(): that is where a gang waits for its last member.
class Session {
 public:
  /// `socket` outlives nothing: the session owns it. `sink` is called from advance() only.
  Session(std::unique_ptr<Socket> socket, SessionOptions options, OutputSink sink);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Goes as far as it can without waiting. Call again when what it wants has come, and not after Done or
  /// Failed. A caller may stay away for long: the worker is then held up by its window, and not judged by
  /// that time.
  std::variant<Want, Done, Failed> advance(Clock::time_point now);

  /// Lets a held session send its exec request; before kHeld, it will not be held at all. `exec_line` is what
  /// the remote login shell runs: thousands of sessions share its 4 KiB. `input`, and then `shared_input`,
  /// which outlives the session, are written to its stdin, which then stays open (its end is what tells the
  /// remote side that we are gone).
  void release(std::shared_ptr<const std::string> exec_line, std::string input,
               std::string_view shared_input = {});

  /// Sends more to the command's stdin, in order. Ignored before release() and after the end.
  void send_input(std::string_view bytes);

  Phase phase() const;
  bool held() const { return phase() == Phase::kHeld; }
  bool started() const;
  int fd() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// libssh2's own one-time start and end; held by main for as long as there are sessions. Not thread-safe
/// (libssh2 #61).
class Library {
 public:
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};
/// "libssh2 1.11.1", for --version.
std::string library_version();

}  // namespace slipway::ssh
