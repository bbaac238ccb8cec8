#include "cli/confirm.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {

Result<void> confirm(const std::string& question, const GlobalOptions& options, Services& services) {
  if (options.yes) return {};
  if (!services.streams.in_is_tty || !services.streams.err_is_tty) {
    return Error(ErrorCode::kUsage, "this asks before it acts, and there is no terminal to ask on")
        .why(question)
        .next("add --yes to do it without a question");
  }
  services.streams.err->write(fmt::format("{} [y/N] ", question));
  TRY(const std::string line, read_line(services.interrupt));
  const std::string answer = to_lower(trim(line));
  if (answer == "y" || answer == "yes") return {};
  return Error(ErrorCode::kFailed, "left as it is: the answer was not yes");
}

}  // namespace slipway::cli
