// Runs slipway and its peers on one bed of workers and prints what each cost: see scripts/bench, which makes
// the bed.
#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/barrier.h"
#include "bench/measure.h"
#include "bench/own_text.h"
#include "bench/table.h"
#include "bench/throughput.h"
#include "bench/tools.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::bench {
namespace {

struct Settings {
  Bed bed;
  Arrivals arrivals = Arrivals::kOneByOne;
  std::string own_kex_config;  ///< as bed.ssh_config, but with the key exchange that ssh itself prefers
  std::vector<std::string> batch_sizes;  ///< compare these only
  std::size_t bytes = 0;  ///< measure what moves when each worker prints so much, and nothing else
  std::size_t runs = 3;
};

/// With ssh's own key exchange a worker costs a peer some 50 ms more: enough of them to see it, few enough to
/// wait for.
constexpr std::size_t kMostWithOwnKex = 64;
/// A process a worker: more of them than this are no measurement but a trial of the machine.
constexpr std::size_t kMostForPeers = 1024;

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
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

Row slipway_row(const std::string& name, const Settings& settings, Barrier& barrier,
                const std::vector<std::string>& more) {
  const Bed& bed = settings.bed;
  return {name, run_plain(slipway_run(bed, "true", more), settings.runs),
          run_waiting(slipway_run(bed, barrier.command(), more), barrier, bed.workers, settings.runs)};
}

/// A run that hung once is not tried again for the rest of its row.
Row peer_row(const Peer& peer, const Settings& settings, Barrier& barrier) {
  const Bed& bed = settings.bed;
  const auto program = [&](const std::string& command) { return peer_run(peer, bed, bed.workers, command); };
  Row row{fmt::format("{}, fan-out {}", peer.name, peer.limit_can_be_raised ? bed.workers : *peer.fan_out),
          run_plain(program("true"), settings.runs), std::nullopt};
  if (peer.limit_can_be_raised || bed.workers <= *peer.fan_out)
    row.waiting = run_waiting(program(barrier.command()), barrier, bed.workers, settings.runs);
  return row;
}

/// As the peer comes: its limit on running commands is below the number of commands that wait for each other.
Row default_row(const Peer& peer, const Settings& settings, Barrier& barrier) {
  const Program program = peer_run(peer, settings.bed, std::nullopt, barrier.command());
  Limits limits;
  limits.stall = Seconds(8);
  return {fmt::format("{}, its {} ({})", peer.name, peer.limit_can_be_raised ? "default" : "limit",
                      *peer.fan_out),
          std::nullopt, measure(program, &barrier, settings.bed.workers, LookAt::kNothing, limits)};
}

Row own_kex_row(const Peer& peer, const Settings& settings) {
  Bed bed = settings.bed;
  bed.ssh_config = settings.own_kex_config;
  return {fmt::format("{}, ssh's own key exchange", peer.name),
          run_plain(peer_run(peer, bed, bed.workers, "true"), 1), std::nullopt};
}

void add_peer_rows(std::vector<Row>& rows, const Settings& settings, Barrier& barrier) {
  const std::vector<Peer> peers = installed_peers(settings.bed);
  for (const Peer& peer : peers) rows.push_back(peer_row(peer, settings, barrier));
  for (const Peer& peer : peers) {
    if (peer.fan_out && settings.bed.workers > *peer.fan_out)
      rows.push_back(default_row(peer, settings, barrier));
  }
  const bool few = settings.bed.workers <= kMostWithOwnKex && !settings.own_kex_config.empty();
  if (few && !peers.empty()) rows.push_back(own_kex_row(peers.front(), settings));
}

bool good(const Row& row) { return row.plain->exit_code == 0 && row.waiting->exit_code == 0; }

/// slipway beside its peers.
int compare(const Settings& settings, Barrier& barrier) {
  const std::size_t workers = settings.bed.workers;
  std::vector<Row> rows{slipway_row("slipway run", settings, barrier, {})};
  std::optional<Row> rsa;
  if (!settings.bed.rsa_key.empty()) {
    rsa = slipway_row("slipway run, RSA-3072", settings, barrier, {"--ssh-key", settings.bed.rsa_key});
    rows.push_back(*rsa);
  }
  if (workers <= kMostForPeers) add_peer_rows(rows, settings, barrier);
  print(table(rows, workers) + own_text(settings.bed, rows.front(), rsa));
  return good(rows.front()) && (!rsa || good(*rsa)) ? 0 : 1;
}

/// slipway with other numbers of starts in flight: what --batch-size does by itself, against each fixed one.
int compare_batch_sizes(const Settings& settings, Barrier& barrier) {
  std::vector<Row> rows;
  for (const std::string& size : settings.batch_sizes)
    rows.push_back(slipway_row("--batch-size " + size, settings, barrier, {"--batch-size", size}));
  print(table(rows, settings.bed.workers));
  return std::all_of(rows.begin(), rows.end(), good) ? 0 : 1;
}

int run(const Settings& settings) {
  if (settings.bytes > 0) {
    print(compare_throughput(settings.bed, settings.bytes, settings.runs));
    return 0;
  }
  Barrier barrier(settings.arrivals);
  return settings.batch_sizes.empty() ? compare(settings, barrier) : compare_batch_sizes(settings, barrier);
}

Settings settings_from(int argc, char** argv) {
  Settings settings;
  const option flags[] = {{"slipway", required_argument, nullptr, 's'},
                          {"resource", required_argument, nullptr, 'r'},
                          {"hosts", required_argument, nullptr, 'h'},
                          {"ssh-config", required_argument, nullptr, 'c'},
                          {"own-kex-config", required_argument, nullptr, 'o'},
                          {"workers", required_argument, nullptr, 'w'},
                          {"runs", required_argument, nullptr, 'n'},
                          {"ssh-folder", required_argument, nullptr, 'f'},
                          {"rsa-key", required_argument, nullptr, 'k'},
                          {"crowd", no_argument, nullptr, 'g'},
                          {"batch-sizes", required_argument, nullptr, 'b'},
                          {"bytes", required_argument, nullptr, 'y'},
                          {nullptr, 0, nullptr, 0}};
  for (int flag = 0; (flag = ::getopt_long(argc, argv, "", flags, nullptr)) != -1;) {
    if (flag == 's') settings.bed.slipway = optarg;
    if (flag == 'r') settings.bed.resource = optarg;
    if (flag == 'h') settings.bed.hosts = optarg;
    if (flag == 'c') settings.bed.ssh_config = optarg;
    if (flag == 'o') settings.own_kex_config = optarg;
    if (flag == 'w') settings.bed.workers = std::strtoul(optarg, nullptr, 10);
    if (flag == 'n') settings.runs = std::strtoul(optarg, nullptr, 10);
    if (flag == 'f') settings.bed.ssh_folder = optarg;
    if (flag == 'k') settings.bed.rsa_key = optarg;
    if (flag == 'g') settings.arrivals = Arrivals::kAsACrowd;
    if (flag == 'y') settings.bytes = std::strtoul(optarg, nullptr, 10);
    if (flag == 'b') settings.batch_sizes = split(optarg, ',');
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
