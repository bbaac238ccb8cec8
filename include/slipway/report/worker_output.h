#pragma once

#include <memory>
#include <vector>

#include "slipway/fleet/fan_out.h"
#include "slipway/report/console.h"

namespace slipway::report {

enum class OutputMode {
  kPrefix,  ///< every line behind its worker's label: "qr-0/1: step 100"
  kFold,    ///< at the end, equal output once under a folded label
  kFirst,   ///< the first worker's as it comes; of the others nothing
  kRaw,     ///< the only worker's, byte for byte
  kNone,    ///< nothing of what the workers say
};

/// What of the workers' own words is shown, and how. This one shows nothing.
class WorkerOutput : public fleet::Reporter {
 public:
  void on_phase(std::size_t, ssh::Phase) override {}
  void on_output(std::size_t, ssh::Stream, std::string_view) override {}
  void on_outcome(std::size_t, const fleet::Outcome&) override {}
  void on_notice(std::string_view) override {}

  /// All workers have ended: shows what could not be shown before. Errors: kLocal.
  virtual Result<void> finish() { return {}; }
};

/// Both outlive it.
std::unique_ptr<WorkerOutput> make_worker_output(OutputMode mode, const std::vector<fleet::Target>& targets,
                                                 Console& console);

}  // namespace slipway::report
