#include "slipway/core/log.h"

#include <fcntl.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>

#include "slipway/core/fd.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/secret.h"
#include "slipway/core/text.h"

namespace slipway {
namespace {

struct Log {
  std::shared_ptr<spdlog::logger> logger;
  bool json = false;
};

Log& the_log() {
  static Log log;
  return log;
}

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

std::shared_ptr<spdlog::logger> make_logger(const LogOptions& options) {
  spdlog::sink_ptr sink;
  if (*options.file != '\0') {
    try {
      sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(options.file);
    } catch (const spdlog::spdlog_ex&) {  // it was open a moment ago: nothing to stop the work for
    }
  }
  if (!sink) sink = std::make_shared<spdlog::sinks::stderr_sink_st>();
  auto logger = std::make_shared<spdlog::logger>("slipway", std::move(sink));
  logger->set_error_handler([](const std::string&) {});  // a full disk under the log is not worth a word
  logger->set_level(level_of(options.level));
  logger->flush_on(spdlog::level::debug);
  // %v alone for JSON: the message is quoted by us, the rest needs no quoting.
  logger->set_pattern(options.json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","message":%v})"
                                   : "%H:%M:%S.%e %l: %v");
  return logger;
}

Log& ready_log() {
  Log& log = the_log();
  if (!log.logger) log.logger = make_logger({});
  return log;
}

/// spdlog would make the folders that are missing, and say nothing when it cannot open the file.
Result<void> check_file(const char* file) {
  const Fd opened(::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (opened) return {};
  return system_error(ErrorCode::kUsage, fmt::format("cannot write '{}'", printable(file)), errno);
}

}  // namespace

Result<void> configure_log(const LogOptions& options) {
  if (*options.file != '\0') TRY(check_file(options.file));
  the_log() = Log{make_logger(options), options.json};
  return {};
}

void log(LogLevel level, std::string_view message) {
  if (!log_enabled(level)) return;
  Log& target = ready_log();
  const std::string text = redact(std::string(message));
  // The text is an argument, never the format string: it may hold braces from anywhere.
  target.logger->log(level_of(level), "{}", target.json ? dump_json(text) : text);
}

bool log_enabled(LogLevel level) { return ready_log().logger->should_log(level_of(level)); }

}  // namespace slipway
