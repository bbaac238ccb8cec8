#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "slipway/fleet/target.h"
#include "slipway/ssh/session.h"

namespace slipway::fleet {

/// What happened to one worker; every worker ends in exactly one of these.
enum class OutcomeKind {
  kOk,           ///< the command exited 0, and we saw it
  kExit,         ///< it exited with another code
  kSignal,       ///< a signal ended it
  kTimeout,      ///< it ran when --timeout passed, and was told to stop
  kLost,         ///< it had started, and then the connection or its status was lost: it may still run
  kUnreachable,  ///< connecting, key exchange or opening failed
  kAuth,         ///< the worker refused our key
  kHostKey,      ///< the worker showed a key that is not pinned; nothing was sent to it
  kNotStarted,   ///< it could have been, but was not: another member of the gang was missing, or we were
                 ///< interrupted
};
/// "ok", "exit", "signal", "timeout", "lost", "unreachable", "auth", "host-key", "not-started".
std::string_view to_string(OutcomeKind kind);

struct Outcome {
  OutcomeKind kind = OutcomeKind::kNotStarted;
  int exit_code = 0;                        ///< for kExit
  std::string signal;                       ///< for kSignal: "KILL"
  ssh::Phase phase = ssh::Phase::kConnect;  ///< how far it came, when it did not end by itself
  std::string error;                        ///< why, in words; empty for kOk, kExit and kSignal
  std::optional<std::chrono::system_clock::time_point> started_at;  ///< the exec request was accepted
  std::optional<std::chrono::system_clock::time_point> ended_at;
};

}  // namespace slipway::fleet
