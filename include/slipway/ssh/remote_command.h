#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/ssh/session.h"

namespace slipway::ssh {

/// What to run on a worker, and how it is carried there: a small POSIX sh wrapper is the exec request, always
/// the same but for three numbers; the command itself follows on stdin, so every byte arrives and its size
/// does not matter.
struct RemoteCommand {
  enum class Kind {
    kShell,   ///< text for the login shell's -c
    kScript,  ///< a file of its own, run by its #! line, else by the login shell
  };
  Kind kind = Kind::kShell;
  std::string text;
  std::vector<std::pair<std::string, std::string>> environment;
  bool kill_on_disconnect = true;  ///< the watchdog ends the process group when the connection goes
  /// What it reads from its stdin; nobody copies it, so it outlives every session. The wrapper takes it in
  /// whole before it starts the command: none runs on a part of its input.
  std::string_view input;
};

/// The exec request of `command`, and what must then be written to its stdin. The wrapper refuses text with a
/// zero byte (code 125), unless it is a script.
struct WireCommand {
  std::string exec_line;
  std::string input;
  std::string_view shared_input;  ///< follows it; RemoteCommand::input
};
WireCommand to_wire(const RemoteCommand& command);

/// A line for the wrapper's stdin that signals the command's process group: "INT", "TERM" or "KILL". It works
/// for root and for servers that ignore ssh's own signal request (OpenSSH does, for root).
std::string signal_line(std::string_view signal);

/// The line that a session writes there when both streams have ended, so nobody holds them any more. Until
/// then the wrapper stays, to end with the client or a signal what outlived the command; with it, it tells
/// how the command ended.
std::string farewell_line();

/// The command's true end from what the wrapper let through: 0 never travels, because libssh2 <= 1.11.1 says
/// 0 for "no status came". Nothing means lost. A code of 125 with words on stderr is the wrapper's own: the
/// command did not run. Where bash is `sh`, a death by a signal other than INT and PIPE arrives as code
/// 128+n.
std::optional<RemoteExit> from_wire(int status, std::string_view signal);

}  // namespace slipway::ssh
