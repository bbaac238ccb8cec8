#include "slipway/report/worker_output.h"

#include "report/folded_output.h"
#include "report/prefixed_output.h"
#include "report/solo_output.h"

namespace slipway::report {

std::unique_ptr<WorkerOutput> make_worker_output(OutputMode mode, const std::vector<fleet::Target>& targets,
                                                 Console& console) {
  switch (mode) {
    case OutputMode::kPrefix:
      return std::make_unique<PrefixedOutput>(targets, console);
    case OutputMode::kFold:
      return std::make_unique<FoldedOutput>(targets, console);
    case OutputMode::kFirst:
    case OutputMode::kRaw:
      return std::make_unique<SoloOutput>(console);
    case OutputMode::kNone:
      break;
  }
  return std::make_unique<WorkerOutput>();
}

}  // namespace slipway::report
