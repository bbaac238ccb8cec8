#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace slipway::bench {

/// The middle one of each figure on its own. A run that failed or hung stands for all of them.
Cost median(const std::vector<Cost>& runs);

/// The median of so many runs; the first bad one ends it.
template <typename Run>
Cost median_of(std::size_t runs, Run run) {
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < runs; ++i) {
    costs.push_back(run());
    if (costs.back().hung || costs.back().exit_code != 0) break;
  }
  return median(costs);
}

/// One client at one size.
struct Row {
  std::string client;
  std::optional<Cost> plain;    ///< N times `true`
  std::optional<Cost> waiting;  ///< N commands that wait for each other; with the memory
};

/// Aligned columns, one line a row; ratios of processor time are to the first row.
std::string table(const std::vector<Row>& rows, std::size_t workers);

double milliseconds_a_worker(const Cost& cost, std::size_t workers);
double kib_a_worker(std::size_t kib, std::size_t workers);

}  // namespace slipway::bench
