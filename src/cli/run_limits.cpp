#include "cli/run_limits.h"

#include <charconv>

#include "cli/flag_values.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// --batch-size all: more handshakes than one processor has in hand before the first of them ends.
constexpr std::size_t kAllAtOnce = 4'096;
/// PhaseLimits::silence asks after a third of itself.
constexpr int kIntervals = 3;

using StartLimit = std::optional<std::size_t>;

Result<StartLimit> parse_batch_size(const std::string& text) {
  if (text == "auto") return StartLimit();
  if (text == "all") return StartLimit(kAllAtOnce);
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc() && end == text.data() + text.size() && number > 0) return StartLimit(number);
  return Error(
      ErrorCode::kUsage,
      fmt::format("--batch-size: '{}' is no number from 1 on, and neither auto nor all", printable(text)));
}

Result<std::chrono::milliseconds> parse_keepalive(const std::string& text) {
  constexpr std::chrono::seconds kLeast{1};
  TRY(const auto interval, parse_limit(text, "--keepalive"));
  if (interval && *interval >= kLeast) return *interval * kIntervals;
  return Error(ErrorCode::kUsage, fmt::format("--keepalive: '{}' is shorter than 1s", printable(text)));
}

/// A `wait` looks once with 0; a command would be started everywhere and stopped at once.
Result<std::optional<std::chrono::milliseconds>> parse_timeout(const std::string& text) {
  TRY(const std::optional<std::chrono::milliseconds> limit, parse_limit(text));
  if (!limit || limit->count() > 0) return limit;
  return Error(ErrorCode::kUsage, "--timeout 0 leaves the command no time to run")
      .why("it would be started on every worker and stopped at once")
      .next("leave --timeout out for no limit, or give it a time: --timeout 30m");
}

}  // namespace

void bind_run_limits(Flags& flags, RunLimits& limits) {
  flags
      .text(
          "batch-size", limits.batch_size, "N",
          "connections being made at once (auto: 256, more on a slow network); no limit on running commands")
      .text("timeout", limits.timeout, "TIME", "stop the command after this, with exit code 124")
      .text("connect-timeout", limits.connect_timeout, "TIME",
            "for each worker's connection, repeated tries included")
      .text("keepalive", limits.keepalive, "TIME", "ask silent workers; one is lost after three of these")
      .on("fail-fast", limits.fail_fast, "stop all as soon as --require cannot be met any more");
}

Result<void> apply(const RunLimits& limits, fleet::FanOutOptions& options) {
  TRY(options.max_starting, parse_batch_size(limits.batch_size));
  TRY(const auto connect, parse_limit(limits.connect_timeout, "--connect-timeout"));
  options.limits.connect = connect.value_or(options.limits.connect);
  TRY(options.timeout, parse_timeout(limits.timeout));
  TRY(options.limits.silence, parse_keepalive(limits.keepalive));
  options.fail_fast = limits.fail_fast;
  return {};
}

}  // namespace slipway::cli
