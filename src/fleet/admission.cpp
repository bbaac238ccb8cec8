#include "fleet/admission.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace slipway::fleet {

std::vector<std::size_t> start_order(const std::vector<Target>& targets) {
  std::map<std::pair<std::size_t, std::string>, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>>
      ranked;  // (how many of its slice come before it, position)
  ranked.reserve(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    ranked.emplace_back(seen[{targets[i].slice_index, targets[i].slice}]++, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::size_t> order;
  order.reserve(ranked.size());
  for (const auto& [rank, position] : ranked) order.push_back(position);
  return order;
}

std::optional<std::size_t> Admission::next() {
  if (waiting_.empty() || out_ >= window_.size()) return std::nullopt;
  const std::size_t which = waiting_.front();
  waiting_.pop_front();
  ++out_;
  return which;
}

}  // namespace slipway::fleet
