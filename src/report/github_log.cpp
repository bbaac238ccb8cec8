#include "slipway/report/github_log.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

/// GitHub shows ten of a kind for a step; we leave some to others.
constexpr std::size_t kMostAnnotations = 8;

/// The escapes of workflow commands (actions/toolkit, packages/core/src/command.ts): those of a message, and
/// in a property the two that would end it.
std::string escaped(std::string_view text, bool property) {
  std::string shown;
  for (const char c : text) {
    const bool ends_property = property && (c == ':' || c == ',');
    if (c == '%' || c == '\r' || c == '\n' || ends_property) {
      shown += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      shown += c;
    }
  }
  return shown;
}

}  // namespace

bool GithubLog::is_here() { return env("GITHUB_ACTIONS") == "true"; }

void GithubLog::begin() {
  console_.write_line(ssh::Stream::kErr, fmt::format("::stop-commands::{}", token_));
  console_.flush();
}

void GithubLog::end(const std::string& title, const std::vector<std::string>& causes) {
  console_.flush();
  console_.write_line(ssh::Stream::kErr, fmt::format("::{}::", token_));
  for (std::size_t i = 0; i < causes.size() && i < kMostAnnotations; ++i) {
    console_.write_line(ssh::Stream::kErr,
                        fmt::format("::error title={}::{}", escaped(printable(title), true),
                                    escaped(printable(causes[i]), false)));
  }
  console_.flush();
}

}  // namespace slipway::report
