#pragma once

#include <string>
#include <utility>

namespace slipway {

/// Why something could not be done, in the words of the exit codes (cli/exit_code.h holds the only table of
/// numbers).
enum class ErrorCode {
  kFailed,         ///< in a way that no other row names
  kUsage,          ///< the command line or the settings are wrong; nothing was contacted
  kCommandFailed,  ///< every worker was reached; the command failed on at least one
  kDenied,         ///< not signed in, not allowed, ssh refused the key, or a host key does not match
  kNotFound,       ///< no such resource
  kConflict,       ///< exists with another spec, or is in the wrong state for this
  kImpossible,     ///< what a wait waits for can no longer come
  kUnavailable,    ///< the API or a worker could not be reached, or was lost
  kQuota,          ///< quota or capacity refused
  kLocal,          ///< this machine: disk full, out of descriptors, output cannot be written
  kTimeout,        ///< a limit that the user set has passed
  kInterrupted,    ///< ended by a signal; `signal()` says which
};

/// What happened, why, and what to type next: the three lines that a person reads. Nobody below cli prints
/// one.
class Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  /// An end by signal `number` (SIGINT, SIGTERM, SIGHUP).
  static Error interrupted(int number, std::string message);

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& why() const { return why_; }
  const std::string& next() const { return next_; }
  int signal() const { return signal_; }

  /// Adds the cause: what the other side, or the system, said.
  Error why(std::string text) && {
    why_ = std::move(text);
    return std::move(*this);
  }
  /// Adds a command to type next.
  Error next(std::string command) && {
    next_ = std::move(command);
    return std::move(*this);
  }
  /// Says what we were doing when this came: "<prefix>: <message>".
  Error within(const std::string& prefix) && {
    message_ = prefix + ": " + message_;
    return std::move(*this);
  }

 private:
  ErrorCode code_;
  std::string message_;
  std::string why_;
  std::string next_;
  int signal_ = 0;
};

/// "cannot open 'F': No such file or directory", from errno as it was when the call failed.
Error system_error(ErrorCode code, const std::string& what, int error_number);

}  // namespace slipway
