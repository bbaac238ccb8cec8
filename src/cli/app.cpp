#include "slipway/cli/app.h"

#include <signal.h>

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/error_text.h"
#include "cli/exit_code.h"
#include "cli/services.h"
#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

Result<void> start_log(const GlobalOptions& global) {
  if (global.log_format != "text" && global.log_format != "json") {
    return Error(ErrorCode::kUsage,
                 fmt::format("--log-format: there is no '{}'", printable(global.log_format)))
        .why("text and json are there");
  }
  LogOptions options;
  options.level = global.verbosity >= 1 ? LogLevel::kDebug : LogLevel::kWarning;
  options.json = global.log_format == "json";
  options.file = global.log_file.c_str();
  Result<void> configured = configure_log(options);
  if (configured.ok()) return {};
  return std::move(configured)
      .error()
      .within("--log-file")
      .next("a file in a folder that is there, or no --log-file: the log goes to stderr");
}

Result<void> choose_color(Streams& streams, const std::string& text) {
  if (text != "auto" && text != "always" && text != "never") {
    return Error(ErrorCode::kUsage, fmt::format("--color: there is no '{}'", printable(text)))
        .why("auto, always and never are there");
  }
  streams.choose_color(text == "auto"     ? ColorWish::kAuto
                       : text == "always" ? ColorWish::kAlways
                                          : ColorWish::kNever);
  return {};
}

/// Writing the answer is part of the work: a full disk, or a closed stdout, turns success into 10.
int after_output(const Streams& streams, int code) {
  streams.out->flush();
  const Error* error = streams.out->error();
  if (error == nullptr) return code;
  if (code == kOk) streams.err->write(error_text("", *error));
  return more_serious(code, exit_code(*error));
}

int fail(Streams& streams, const std::string& command, const Error& error) {
  streams.out->flush();
  streams.err->write(error_text(command, error));
  return exit_code(error);
}

}  // namespace

int run(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);  // a reader that leaves is an EPIPE where we write, not our end
  Streams streams = Streams::standard();
  CommandLine line;
  add_all_commands(line);
  Result<CommandLine::Parsed> parsed = line.parse(std::vector<std::string>(argv + 1, argv + argc));
  if (!parsed.ok()) return fail(streams, "", parsed.error());
  if (!parsed->action) {
    streams.out->write(parsed->text);
    return after_output(streams, kOk);
  }

  for (const Result<void>& said : {start_log(line.global()), choose_color(streams, line.global().color)}) {
    if (!said.ok()) return fail(streams, parsed->command, line.with_origins(said.error()));
  }
  Interrupt interrupt;
  interrupt.install();
  SystemClock clock(&interrupt);
  Services services{streams, clock, interrupt, line.global().quiet};
  Result<int> result = parsed->action(services, line.global());
  if (!result.ok()) {
    const int code = fail(streams, parsed->command, line.with_origins(result.error()));
    // A room that only saw a wait cut short does not know by which signal.
    const bool interrupted = result.error().code() == ErrorCode::kInterrupted;
    return interrupted ? exit_code(Error::interrupted(interrupt.signal_number(), "")) : code;
  }
  return after_output(streams, *result);
}

}  // namespace slipway::cli
