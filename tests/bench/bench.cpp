// Runs slipway and its peers on one bed of workers and prints what each cost: see scripts/bench, which makes
// the bed.
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/barrier.h"
#include "bench/measure.h"
#include "bench/table.h"
#include "bench/tools.h"
#include "slipway/core/format.h"

namespace slipway::bench {
namespace {

struct Settings {
  Bed bed;
  std::string own_kex_config;  ///< as bed.ssh_config, but with the key exchange that ssh itself prefers
  std::size_t runs = 3;
};

/// With ssh's own key exchange a worker costs a peer some 50 ms more: enough of them to see it, few enough to
/// wait for.
constexpr std::size_t kMostWithOwnKex = 64;
constexpr std::size_t kVersionRuns = 15;
constexpr std::size_t kBarWorkers = 256;
constexpr double kBarMilliseconds = 0.8;
constexpr double kBarKib = 100;
constexpr double kBarVersionMilliseconds = 10;

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

template <typename Run>
Cost median_of(std::size_t runs, Run run) {
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < runs; ++i) {
    costs.push_back(run());
    if (costs.back().hung || costs.back().exit_code != 0) break;
  }
  return median(costs);
}

Cost run_plain(const Program& program, std::size_t runs) {
  return median_of(runs, [&] {
    settle();
    return measure(program, nullptr, 0, LookAt::kNothing, Limits());
  });
}

/// The memory comes from a run of its own: looking costs processor time on the machine that everybody shares.
Cost run_waiting(const Program& program, Barrier& barrier, std::size_t workers, std::size_t runs) {
  const auto once = [&](LookAt look) {
    settle();
    return measure(program, &barrier, workers, look, Limits());
  };
  Cost cost = median_of(runs, [&] { return once(LookAt::kNothing); });
  if (!cost.hung && cost.exit_code == 0) cost.tree_kib = once(LookAt::kMemory).tree_kib;
  return cost;
}

Row slipway_row(const Settings& settings, Barrier& barrier) {
  const Bed& bed = settings.bed;
  return {"slipway run", run_plain(slipway_run(bed, "true"), settings.runs),
          run_waiting(slipway_run(bed, barrier.command()), barrier, bed.workers, settings.runs)};
}

Row peer_row(const Peer& peer, const Settings& settings, Barrier& barrier) {
  const Bed& bed = settings.bed;
  const auto program = [&](const std::string& command) { return peer_run(peer, bed, bed.workers, command); };
  return {fmt::format("{}, fan-out {}", peer.name, bed.workers), run_plain(program("true"), settings.runs),
          run_waiting(program(barrier.command()), barrier, bed.workers, settings.runs)};
}

/// As the peer comes: its limit on running commands is below the number of commands that wait for each other.
Row default_row(const Peer& peer, const Settings& settings, Barrier& barrier) {
  const Program program = peer_run(peer, settings.bed, std::nullopt, barrier.command());
  Limits limits;
  limits.stall = Seconds(8);
  return {fmt::format("{}, its default ({})", peer.name, peer.fan_out), std::nullopt,
          measure(program, &barrier, settings.bed.workers, LookAt::kNothing, limits)};
}

Row own_kex_row(const Peer& peer, const Settings& settings) {
  Bed bed = settings.bed;
  bed.ssh_config = settings.own_kex_config;
  return {fmt::format("{}, ssh's own key exchange", peer.name),
          run_plain(peer_run(peer, bed, bed.workers, "true"), 1), std::nullopt};
}

std::string bar(const std::string& what, double value, double limit, const std::string& unit) {
  return fmt::format("bar: {}: {:.2f} {} (at most {:g}): {}\n", what, value, unit, limit,
                     value <= limit ? "met" : "MISSED");
}

/// What belongs to slipway alone: the parts of its processor time, and the bars.
std::string slipway_text(const Settings& settings, const Row& row) {
  const std::size_t workers = settings.bed.workers;
  settle();
  const Cost version = median_of(kVersionRuns, [&] {
    return measure(slipway_version(settings.bed), nullptr, 0, LookAt::kNothing, Limits());
  });
  const Cost api = median_of(kVersionRuns, [&] {
    return measure(slipway_dry_run(settings.bed), nullptr, 0, LookAt::kNothing, Limits());
  });
  std::string text = fmt::format(
      "slipway's CPU: {:.0f} ms in all; of it {:.0f} ms to start the process and {:.0f} ms for the API\n",
      row.plain->cpu.count() * 1000, version.cpu.count() * 1000, (api.cpu - version.cpu).count() * 1000);
  text += fmt::format("slipway's largest resident set, libraries and all: {:.1f} MiB, {:.0f} KiB a worker\n",
                      static_cast<double>(row.waiting->peak_kib) / 1024,
                      kib_a_worker(row.waiting->peak_kib, workers));
  if (workers != kBarWorkers) return text;
  text +=
      bar("client CPU, true", milliseconds_a_worker(*row.plain, workers), kBarMilliseconds, "ms a worker");
  text += bar("client CPU, waiting", milliseconds_a_worker(*row.waiting, workers), kBarMilliseconds,
              "ms a worker");
  text +=
      bar("memory, proportional set", kib_a_worker(row.waiting->tree_kib, workers), kBarKib, "KiB a worker");
  text += bar("memory, largest resident set", kib_a_worker(row.waiting->peak_kib, workers), kBarKib,
              "KiB a worker");
  return text + bar("slipway --version", version.wall.count() * 1000, kBarVersionMilliseconds, "ms");
}

int run(const Settings& settings) {
  Barrier barrier;
  const std::size_t workers = settings.bed.workers;
  std::vector<Row> rows{slipway_row(settings, barrier)};
  const std::vector<Peer> peers = installed_peers();
  for (const Peer& peer : peers) rows.push_back(peer_row(peer, settings, barrier));
  for (const Peer& peer : peers) {
    if (workers > peer.fan_out) rows.push_back(default_row(peer, settings, barrier));
  }
  if (!peers.empty() && workers <= kMostWithOwnKex) rows.push_back(own_kex_row(peers.front(), settings));
  print(table(rows, workers) + slipway_text(settings, rows.front()));
  return rows.front().plain->exit_code == 0 && rows.front().waiting->exit_code == 0 ? 0 : 1;
}

Settings settings_from(int argc, char** argv) {
  Settings settings;
  const option flags[] = {
      {"slipway", required_argument, nullptr, 's'},        {"resource", required_argument, nullptr, 'r'},
      {"hosts", required_argument, nullptr, 'h'},          {"ssh-config", required_argument, nullptr, 'c'},
      {"own-kex-config", required_argument, nullptr, 'o'}, {"workers", required_argument, nullptr, 'w'},
      {"runs", required_argument, nullptr, 'n'},           {nullptr, 0, nullptr, 0}};
  for (int flag = 0; (flag = ::getopt_long(argc, argv, "", flags, nullptr)) != -1;) {
    if (flag == 's') settings.bed.slipway = optarg;
    if (flag == 'r') settings.bed.resource = optarg;
    if (flag == 'h') settings.bed.hosts = optarg;
    if (flag == 'c') settings.bed.ssh_config = optarg;
    if (flag == 'o') settings.own_kex_config = optarg;
    if (flag == 'w') settings.bed.workers = std::strtoul(optarg, nullptr, 10);
    if (flag == 'n') settings.runs = std::strtoul(optarg, nullptr, 10);
    if (flag == '?') std::exit(2);
  }
  return settings;
}

}  // namespace
}  // namespace slipway::bench

int main(int argc, char** argv) {
  const slipway::bench::Settings settings = slipway::bench::settings_from(argc, argv);
  if (settings.bed.workers == 0 || settings.runs == 0) {
    std::fputs("bench: start it through scripts/bench\n", stderr);
    return 2;
  }
  return slipway::bench::run(settings);
}
