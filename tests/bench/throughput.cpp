#include "bench/throughput.h"

#include <vector>

#include "bench/table.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::bench {
namespace {

constexpr double kMib = 1024.0 * 1024.0;
/// The bar: at least this part of what plain ssh moves in the same run.
constexpr double kBarOfSsh = 0.5;

struct Measured {
  std::string what;
  Cost cost;
};

std::string printing(std::size_t bytes) {
  return fmt::format("yes {} | head -c {}", std::string(63, 'x'), bytes);
}

Program plain_ssh(const Bed& bed, const std::string& command) {
  const std::string each =
      fmt::format("ssh -n -F {} \"$host\" {} &", shell_quote(bed.ssh_config), shell_quote(command));
  return {{"sh", "-c", fmt::format("while read -r host; do {} done <{}; wait", each, shell_quote(bed.hosts))},
          {}};
}

Measured run(const std::string& what, const Program& program, std::size_t runs) {
  return {what, median_of(runs, [&] {
            settle();
            return measure(program, nullptr, 0, LookAt::kNothing, Limits());
          })};
}

double mib_a_second(const Cost& cost, std::size_t all) {
  return static_cast<double>(all) / kMib / cost.wall.count();
}

std::string line(const Measured& measured, std::size_t all) {
  const Cost& cost = measured.cost;
  if (cost.hung || cost.exit_code != 0)
    return fmt::format("{:<40}  FAILED with exit code {}\n", measured.what, cost.exit_code);
  return fmt::format("{:<40}  {:>7.2f}  {:>7.0f}  {:>7.2f}  {:>9.1f}\n", measured.what, cost.wall.count(),
                     mib_a_second(cost, all), cost.cpu.count(), static_cast<double>(cost.peak_kib) / 1024);
}

}  // namespace

std::string compare_throughput(const Bed& bed, std::size_t bytes, std::size_t runs) {
  const std::string command = printing(bytes);
  const std::size_t all = bytes * bed.workers;
  std::vector<Measured> rows;
  rows.push_back(run("ssh, a process a worker", plain_ssh(bed, command), runs));
  for (const char* output : {"prefix", "none", "fold"}) {
    Program program = slipway_run(bed, command);
    program.add({"--output", output});
    rows.push_back(run(fmt::format("slipway run --output {}", output), program, runs));
  }
  std::string text =
      fmt::format("{:<40}  {:>7}  {:>7}  {:>7}  {:>9}\n", "client", "wall s", "MiB/s", "CPU s", "peak MiB");
  for (const Measured& row : rows) text += line(row, all);
  const double part = mib_a_second(rows[1].cost, all) / mib_a_second(rows[0].cost, all);
  return text + fmt::format("bar: prefix beside ssh: {:.2f} (at least {}): {}\n", part, kBarOfSsh,
                            part >= kBarOfSsh ? "met" : "MISSED");
}

}  // namespace slipway::bench
