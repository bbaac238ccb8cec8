#include "bench/table.h"

#include <algorithm>

#include "slipway/core/format.h"

namespace slipway::bench {
namespace {

constexpr std::size_t kClientWidth = 34;
constexpr std::size_t kCostWidth = 29;

template <typename Field>
auto middle(std::vector<Cost> runs, Field Cost::*field) {
  std::sort(runs.begin(), runs.end(), [field](const Cost& a, const Cost& b) { return a.*field < b.*field; });
  return runs[runs.size() / 2].*field;
}

bool is_bad(const Cost& cost) { return cost.hung || cost.exit_code != 0; }

std::string cost_text(const std::optional<Cost>& cost, const std::optional<Cost>& base, std::size_t workers) {
  if (!cost) return "";
  if (cost->hung) return fmt::format("HANGS, {} of {} started", cost->started, workers);
  if (cost->exit_code != 0) return fmt::format("FAILED with exit code {}", cost->exit_code);
  const double ratio = base && base->cpu.count() > 0 ? cost->cpu.count() / base->cpu.count() : 0;
  return fmt::format("{:>8.2f} {:>11.2f} {:>7.1f}x", cost->wall.count(),
                     milliseconds_a_worker(*cost, workers), ratio);
}

std::string memory_text(const std::optional<Cost>& cost, std::size_t workers) {
  if (!cost || is_bad(*cost)) return "";
  return fmt::format("{:>9.1f} {:>9.0f}", static_cast<double>(cost->tree_kib) / 1024,
                     kib_a_worker(cost->tree_kib, workers));
}

std::string heading() {
  return fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", "", kClientWidth, "true", kCostWidth,
                     "wait for each other", kCostWidth, "memory while all wait") +
         fmt::format("{:<{}}  {:>8} {:>11} {:>8}  {:>8} {:>11} {:>8}  {:>9} {:>9}\n", "client", kClientWidth,
                     "wall s", "CPU ms/wkr", "CPU", "wall s", "CPU ms/wkr", "CPU", "MiB", "KiB/wkr");
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

Cost median(const std::vector<Cost>& runs) {
  const auto bad = std::find_if(runs.begin(), runs.end(), is_bad);
  if (bad != runs.end()) return *bad;
  Cost cost = runs.front();
  cost.wall = middle(runs, &Cost::wall);
  cost.cpu = middle(runs, &Cost::cpu);
  cost.peak_kib = middle(runs, &Cost::peak_kib);
  cost.tree_kib = middle(runs, &Cost::tree_kib);
  return cost;
}

std::string table(const std::vector<Row>& rows, std::size_t workers) {
  std::string text = heading();
  for (const Row& row : rows) {
    text += trimmed(fmt::format("{:<{}}  {:<{}}  {:<{}}  {}", row.client, kClientWidth,
                                cost_text(row.plain, rows.front().plain, workers), kCostWidth,
                                cost_text(row.waiting, rows.front().waiting, workers), kCostWidth,
                                memory_text(row.waiting, workers)));
  }
  return text;
}

double milliseconds_a_worker(const Cost& cost, std::size_t workers) {
  return cost.cpu.count() * 1000 / static_cast<double>(workers);
}

double kib_a_worker(std::size_t kib, std::size_t workers) {
  return static_cast<double>(kib) / static_cast<double>(workers);
}

}  // namespace slipway::bench
