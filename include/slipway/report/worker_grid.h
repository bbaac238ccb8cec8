#pragma once

#include <vector>

#include "slipway/core/streams.h"
#include "slipway/fleet/target.h"
#include "slipway/report/run_progress.h"
#include "slipway/report/screen_region.h"

namespace slipway::report {

struct GridStyle {
  int rows = 0;  ///< at most so many lines, the counts included
  bool color = false;
};

/// A run as a picture: the counts in the first line, which are the key to the letters as well; below it a
/// letter for each worker, slice by slice. Where the window is too small one letter stands for several
/// workers, and shows the one that is worst off. Every line is narrower than `size`.
std::vector<StyledLine> draw_grid(const std::vector<fleet::Target>& targets, const RunProgress& progress,
                                  Clock::duration elapsed, TerminalSize size, GridStyle style);

}  // namespace slipway::report
