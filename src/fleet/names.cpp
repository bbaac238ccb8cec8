#include "fleet/names.h"

#include <algorithm>

#include "slipway/core/format.h"

namespace slipway::fleet {

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, names.size()));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

}  // namespace slipway::fleet
