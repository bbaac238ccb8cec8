#include "slipway/report/fold.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "slipway/core/format.h"

namespace slipway::report {
namespace {

using Numbers = std::set<std::size_t>;

/// A name that ends in a number which is written as we would write it ("qr-07" does not): its parts.
struct Numbered {
  std::string prefix;
  std::size_t number = 0;
};

std::optional<Numbered> split_number(const std::string& name) {
  const std::size_t last_letter = name.find_last_not_of("0123456789");
  const std::size_t start = last_letter == std::string::npos ? 0 : last_letter + 1;
  const std::size_t digits = name.size() - start;
  if (digits == 0 || digits > 9 || (digits > 1 && name[start] == '0')) return std::nullopt;
  Numbered parts{name.substr(0, start), 0};
  std::from_chars(name.data() + start, name.data() + name.size(), parts.number);
  return parts;
}

/// "3", "[0-3]", "[0-2,7]".
std::string say(const Numbers& numbers) {
  if (numbers.size() == 1) return std::to_string(*numbers.begin());
  std::vector<std::string> runs;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::size_t first = *at;
    std::size_t last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    runs.push_back(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
  }
  return fmt::format("[{}]", fmt::join(runs, ","));
}

/// The slices that begin alike and have the same workers in the set.
struct Group {
  std::string prefix;
  Numbers slices;  ///< empty for a name without a number
  Numbers workers;
};

std::vector<Group> group(const std::vector<fleet::Target>& targets, const std::vector<std::size_t>& chosen) {
  std::map<std::pair<std::size_t, std::string>, Numbers> workers_of;
  for (const std::size_t i : chosen) {
    workers_of[{targets[i].slice_index, targets[i].slice}].insert(targets[i].worker);
  }
  std::vector<Group> groups;
  std::map<std::pair<std::string, Numbers>, std::size_t> place;
  for (const auto& [slice, workers] : workers_of) {
    const std::optional<Numbered> parts = split_number(slice.second);
    if (!parts) {
      groups.push_back({slice.second, {}, workers});
      continue;
    }
    const auto [at, is_new] = place.try_emplace({parts->prefix, workers}, groups.size());
    if (is_new) groups.push_back({parts->prefix, {}, workers});
    groups[at->second].slices.insert(parts->number);
  }
  return groups;
}

}  // namespace

std::string fold_labels(const std::vector<fleet::Target>& targets, const std::vector<std::size_t>& chosen,
                        std::size_t most_groups) {
  const std::vector<Group> groups = group(targets, chosen);
  std::vector<std::string> words;
  for (const Group& one : groups) {
    if (words.size() == most_groups) {
      words.push_back(fmt::format("... ({} in all)", chosen.size()));
      break;
    }
    words.push_back(
        fmt::format("{}{}/{}", one.prefix, one.slices.empty() ? "" : say(one.slices), say(one.workers)));
  }
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace slipway::report
