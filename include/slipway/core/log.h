#pragma once

#include <string_view>

#include "slipway/core/result.h"

namespace slipway {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

struct LogOptions {
  LogLevel level = LogLevel::kWarning;
  bool json = false;
  /// A file to append to instead of stderr; empty for stderr.
  const char* file = "";
};

/// Called once by main. Before it, warnings and errors go to stderr. Errors (kUsage): the file cannot be
/// written; a folder that is not there is not made.
Result<void> configure_log(const LogOptions& options);

/// One line to the log, after redact(). For what -v shows: requests, retries, phases. Not for results and not
/// for errors.
void log(LogLevel level, std::string_view message);
bool log_enabled(LogLevel level);

}  // namespace slipway
