#include "bench/own_text.h"

#include "slipway/core/format.h"

namespace slipway::bench {
namespace {

constexpr std::size_t kRuns = 15;
/// Below this a worker's share of the start of the process is larger than the worker.
constexpr std::size_t kFewestForBars = 256;
constexpr std::size_t kMostEver = 12'736;
constexpr double kBarMilliseconds = 0.45;
constexpr double kBarMillisecondsRsa = 2.0;
constexpr double kBarKib = 32;
constexpr double kBarWholeSeconds = 20;
constexpr double kBarVersionMilliseconds = 10;

std::string bar(const std::string& what, double value, double limit, const std::string& unit) {
  return fmt::format("bar: {}: {:.2f} {} (at most {:g}): {}\n", what, value, unit, limit,
                     value <= limit ? "met" : "MISSED");
}

Cost measure_alone(const Program& program) {
  return median_of(kRuns, [&] { return measure(program, nullptr, 0, LookAt::kNothing, Limits()); });
}

std::string cpu_bars(const Row& row, double limit, const std::string& key, std::size_t workers) {
  return bar("client CPU, true, " + key, milliseconds_a_worker(*row.plain, workers), limit, "ms a worker") +
         bar("client CPU, waiting, " + key, milliseconds_a_worker(*row.waiting, workers), limit,
             "ms a worker");
}

}  // namespace

std::string own_text(const Bed& bed, const Row& row, const std::optional<Row>& rsa) {
  settle();
  const Cost version = measure_alone(slipway_version(bed));
  const Cost api = measure_alone(slipway_dry_run(bed));
  const double live =
      kib_a_worker(row.waiting->peak_kib - std::min(api.peak_kib, row.waiting->peak_kib), bed.workers);
  std::string text = fmt::format(
      "slipway's CPU: {:.0f} ms in all; of it {:.0f} ms to start the process and {:.0f} ms for the API\n",
      row.plain->cpu.count() * 1000, version.cpu.count() * 1000, (api.cpu - version.cpu).count() * 1000);
  text += fmt::format(
      "slipway's largest resident set: {:.1f} MiB; {:.1f} MiB of it are there before the first connection\n",
      static_cast<double>(row.waiting->peak_kib) / 1024, static_cast<double>(api.peak_kib) / 1024);
  if (bed.workers < kFewestForBars) return text;
  text += cpu_bars(row, kBarMilliseconds, "ed25519", bed.workers);
  if (rsa) text += cpu_bars(*rsa, kBarMillisecondsRsa, "RSA-3072", bed.workers);
  text += bar("memory of a live worker", live, kBarKib, "KiB");
  if (bed.workers >= kMostEver)
    text += bar("all of them, waiting", row.waiting->wall.count(), kBarWholeSeconds, "s");
  return text + bar("slipway --version", version.wall.count() * 1000, kBarVersionMilliseconds, "ms");
}

}  // namespace slipway::bench
