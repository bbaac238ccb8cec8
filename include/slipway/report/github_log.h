#pragma once

#include <string>
#include <vector>

#include "slipway/report/console.h"

namespace slipway::report {

/// GitHub Actions obeys commands in what a step prints ("::add-path::/evil"). Between begin() and end() it
/// obeys none: what the workers say is theirs, not the workflow's. It is told on stderr, so that stdout stays
/// data.
class GithubLog {
 public:
  /// Both outlive it.
  GithubLog(Console& console, std::string token) : console_(console), token_(std::move(token)) {}

  /// Whether this process is a step of a workflow.
  static bool is_here();

  void begin();
  /// All workers have ended, and all they said is written. `causes` of the failure become annotations of the
  /// step.
  void end(const std::string& title, const std::vector<std::string>& causes);

 private:
  Console& console_;
  std::string token_;
};

}  // namespace slipway::report
