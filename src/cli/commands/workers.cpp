#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/exit_code.h"
#include "cli/output_format.h"
#include "cli/resource_workers.h"
#include "cli/slice_source.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/report/table.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails = R"(Examples:
  slipway workers train-1
  slipway workers node:my-tpu --format json
  slipway workers train-1 --node 0 --format value | cut -f4)";

struct WorkersOptions {
  std::string id;
  std::string node = "all";
  std::string worker = "all";
};

report::Table as_table(const std::vector<Worker>& workers) {
  report::Table table({"SLICE", "WORKER", "INTERNAL_IP", "EXTERNAL_IP", "STATE", "HEALTH"});
  for (const Worker& worker : workers) {
    table.add_row({worker.slice, std::to_string(worker.index), worker.endpoint.address,
                   worker.endpoint.external_address, worker.slice_state, worker.slice_health});
  }
  return table;
}

std::string as_json(const std::vector<Worker>& workers) {
  Json array = Json::array();
  for (const Worker& worker : workers) {
    Json row = {{"slice", worker.slice},
                {"sliceIndex", worker.slice_index},
                {"worker", worker.index},
                {"ipAddress", worker.endpoint.address},
                {"state", worker.slice_state}};
    if (!worker.endpoint.external_address.empty()) row["externalIp"] = worker.endpoint.external_address;
    if (!worker.slice_health.empty()) row["health"] = worker.slice_health;
    array.push_back(std::move(row));
  }
  return dump_json(array, 2) + "\n";
}

Error no_slices_yet(const QueuedResource& resource) {
  return Error(ErrorCode::kConflict,
               fmt::format("'{}' has no slices now: it is {}", resource.name.id, resource.state_text))
      .next(fmt::format("slipway wait {} --for ACTIVE", resource.name.id));
}

Result<int> run_workers(const WorkersOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global, FormatKind::kWorkers));
  const Format format = output.format;
  TRY(const Selection slices, Selection::parse(options.node));
  TRY(const Selection workers, Selection::parse(options.worker));
  TRY(const SourceSettings wanted, resolve_settings_for_slices(global, options.id));
  TRY(const std::unique_ptr<Api> api, Api::open(wanted.settings, services));
  TRY(const SliceSet found, find_slices(*api, wanted.source));
  Result<ResourceWorkers> rows_found = find_workers(api->client(), found, slices, workers, HostKeys::kSkip);
  if (!rows_found.ok() && rows_found.error().code() == ErrorCode::kNotFound && found.resource)
    return no_slices_yet(*found.resource);
  TRY(const ResourceWorkers rows, std::move(rows_found));

  OutputStream& out = *services.streams.out;
  if (format == Format::kJson) {
    out.write(as_json(rows.workers));
  } else {
    const report::Table table = as_table(rows.workers);
    out.write(format == Format::kValue ? table.values() : table.text());
  }
  for (const MissingSlice& missing : rows.missing) {
    services.say(fmt::format("slice {} could not be read: {}", missing.name, missing.error.message()));
  }
  return rows.missing.empty() ? kOk : exit_code(rows.missing.front().error);
}

}  // namespace

void add_workers(CommandLine& line) {
  auto options = std::make_shared<WorkersOptions>();  // filled by the parser, read by the action after it
  line.add("workers", "list the workers of a queued resource", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_workers(*options, services, global);
           })
      .word("QR", options->id, "a queued resource, node:NAME, or prefix:P for all nodes P-<number>")
      .text("node", options->node, "SLICES", "slices: all, 0, 1,4-6, a name, !3")
      .text("worker", options->worker, "WORKERS", "workers of each slice: all, 0, 1-3, !0");
}

}  // namespace slipway::cli
