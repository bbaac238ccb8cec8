#include "cli/emulator_state.h"

#include "slipway/core/file.h"

namespace slipway::cli {

Result<std::string> emulator_state_dir(const std::string& said) {
  if (!said.empty()) return said;
  const std::string base = state_directory();
  if (!base.empty()) return base + "/emulator";
  return Error(ErrorCode::kUsage, "the emulator needs a folder for its state, and there is no home")
      .next("add --state-dir FOLDER");
}

}  // namespace slipway::cli
