// What one look at the API costs, for slipway and for gcloud, against one emulator: see scripts/bench, which fills
// it.
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/table.h"
#include "slipway/core/format.h"

namespace slipway::bench {
namespace {

// The bars of the control plane.
constexpr double kListMilliseconds = 40;
constexpr double kListMib = 20;
constexpr double kDescribeMilliseconds = 15;
constexpr double kVersionMilliseconds = 10;

struct Settings {
  std::string slipway;
  std::string gcloud;    ///< empty: not installed
  std::string resource;  ///< one of those listed
  std::string requests;  ///< how many there are, for the heading
  std::size_t runs = 15;
};

struct Measured {
  std::string what;
  Cost cost;
};

Measured run(const std::string& what, std::vector<std::string> argv, std::size_t runs) {
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < runs; ++i) {
    settle();
    costs.push_back(measure({argv, {}}, nullptr, 0, LookAt::kNothing, Limits()));
    if (costs.back().hung || costs.back().exit_code != 0) break;
  }
  return {what, median(costs)};
}

double milliseconds(const Cost& cost) { return cost.wall.count() * 1000; }
double mib(const Cost& cost) { return static_cast<double>(cost.peak_kib) / 1024; }

std::string line(const Measured& measured) {
  if (measured.cost.hung || measured.cost.exit_code != 0)
    return fmt::format("{:<46}  FAILED with exit code {}\n", measured.what, measured.cost.exit_code);
  return fmt::format("{:<46}  {:>9.1f} {:>9.1f} {:>9.1f}\n", measured.what, milliseconds(measured.cost),
                     measured.cost.cpu.count() * 1000, mib(measured.cost));
}

std::string bar(const std::string& what, double value, double limit, const std::string& unit) {
  return fmt::format("bar: {}: {:.1f} {} (at most {:g}): {}\n", what, value, unit, limit,
                     value <= limit ? "met" : "MISSED");
}

int run_all(const Settings& settings) {
  const std::string& slipway = settings.slipway;
  const std::size_t runs = settings.runs;
  const Measured list = run("slipway list, five pages", {slipway, "list", "--page-size", "200"}, runs);
  const Measured json =
      run("slipway list --format json", {slipway, "list", "--page-size", "200", "--format", "json"}, runs);
  const Measured filtered = run("slipway list --filter --sort-by",
                                {slipway, "list", "--page-size", "200", "--filter", "name~7$", "--sort-by", "~name"}, runs);
  const Measured describe = run("slipway describe", {slipway, "describe", settings.resource}, runs);
  const Measured version = run("slipway --version", {slipway, "--version"}, runs);
  std::vector<Measured> all = {list, json, filtered, describe, version};
  if (!settings.gcloud.empty()) {
    const std::vector<std::string> queued = {settings.gcloud, "compute", "tpus", "queued-resources"};
    const auto with = [&](std::vector<std::string> words) {
      std::vector<std::string> argv = queued;
      argv.insert(argv.end(), words.begin(), words.end());
      return argv;
    };
    constexpr std::size_t kGcloudRuns = 3;
    all.push_back(run("gcloud .. queued-resources list, five pages", with({"list", "--page-size=200"}), kGcloudRuns));
    all.push_back(run("gcloud .. queued-resources describe", with({"describe", settings.resource}), kGcloudRuns));
  }
  std::string text = fmt::format("\nThe API, {} queued resources\n{:<46}  {:>9} {:>9} {:>9}\n", settings.requests,
                                 "", "wall ms", "CPU ms", "peak MiB");
  for (const Measured& measured : all) text += line(measured);
  text += bar("list, wall", milliseconds(list.cost), kListMilliseconds, "ms");
  text += bar("list, largest resident set", mib(list.cost), kListMib, "MiB");
  text += bar("describe, wall", milliseconds(describe.cost), kDescribeMilliseconds, "ms");
  text += bar("--version, wall", milliseconds(version.cost), kVersionMilliseconds, "ms");
  std::fputs(text.c_str(), stdout);
  return list.cost.exit_code == 0 && describe.cost.exit_code == 0 ? 0 : 1;
}

Settings settings_from(int argc, char** argv) {
  Settings settings;
  const option flags[] = {{"slipway", required_argument, nullptr, 's'},  {"gcloud", required_argument, nullptr, 'g'},
                          {"resource", required_argument, nullptr, 'r'}, {"requests", required_argument, nullptr, 'q'},
                          {"runs", required_argument, nullptr, 'n'},     {nullptr, 0, nullptr, 0}};
  for (int flag = 0; (flag = ::getopt_long(argc, argv, "", flags, nullptr)) != -1;) {
    if (flag == 's') settings.slipway = optarg;
    if (flag == 'g') settings.gcloud = optarg;
    if (flag == 'r') settings.resource = optarg;
    if (flag == 'q') settings.requests = optarg;
    if (flag == 'n') settings.runs = std::strtoul(optarg, nullptr, 10);
    if (flag == '?') std::exit(2);
  }
  return settings;
}

}  // namespace
}  // namespace slipway::bench

int main(int argc, char** argv) {
  const slipway::bench::Settings settings = slipway::bench::settings_from(argc, argv);
  if (settings.slipway.empty() || settings.resource.empty() || settings.runs == 0) {
    std::fputs("slipway_bench_api: start it through scripts/bench\n", stderr);
    return 2;
  }
  return slipway::bench::run_all(settings);
}
