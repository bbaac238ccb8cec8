#include <algorithm>

#include "slipway/core/text.h"

namespace slipway {
namespace {

/// Edits between two words; a transposition of neighbours counts one (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({change, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kFarthest = 2;
  constexpr std::size_t kLongest = 64;  // nobody mistypes a longer one into a right one
  if (word.size() > kLongest) return "";
  std::string best;
  std::size_t best_distance = kFarthest + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    // Two edits in a word of two letters are another word.
    if (distance < best_distance && distance < std::max(word.size(), std::size_t{2})) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace slipway
