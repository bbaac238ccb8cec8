#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/fleet/fan_out.h"
#include "slipway/report/run_summary.h"

namespace slipway::report {

/// --junit FILE: the run as a CI system shows tests. A suite is a slice, a case is a worker. A command that
/// failed is a failure, with the last words of the worker; what kept it from running or took it away is an
/// error; a worker that was left out is skipped.
class JunitReport final : public fleet::Reporter {
 public:
  /// They outlive it.
  explicit JunitReport(const std::vector<fleet::Target>& targets)
      : targets_(targets), last_words_(targets.size()) {}

  void on_phase(std::size_t, ssh::Phase) override {}
  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view) override {}

  /// Well-formed XML 1.0 whatever the workers said.
  std::string xml(const RunRecord& run, const std::vector<fleet::Outcome>& outcomes) const;

 private:
  std::string case_xml(std::size_t target, const fleet::Outcome& outcome) const;
  std::string verdict_xml(std::size_t target, const fleet::Outcome& outcome) const;

  const std::vector<fleet::Target>& targets_;
  std::vector<std::string> last_words_;  ///< of those that have not ended ok
};

}  // namespace slipway::report
