#include <limits>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/output_format.h"
#include "cli/resource_text.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/report/table.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails = R"(Examples:
  slipway list
  slipway list --zone=-                      # all zones
  slipway list --format value | cut -f1      # names only)";

struct ListOptions {
  int limit = 0;
  int page_size = 0;
};

std::string as_json(const std::vector<QueuedResource>& resources) {
  Json array = Json::array();
  for (const QueuedResource& resource : resources) {
    const Result<Json> document = parse_json(resource.document);
    if (document.ok()) array.push_back(*document);
  }
  return dump_json(array, 2) + "\n";
}

report::Table as_table(const std::vector<QueuedResource>& resources) {
  report::Table table({"NAME", "ZONE", "NODE_COUNT", "ACCELERATOR_TYPE", "STATE"});
  for (const QueuedResource& resource : resources) {
    table.add_row({resource.name.id, resource.name.location.zone, std::to_string(slice_count(resource)),
                   accelerator_text(resource), resource.state_text});
  }
  return table;
}

Result<int> run_list(const ListOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const Format format, parse_format(global.format));
  TRY(const Settings settings, resolve_settings(global, Needs::kLocationOrAllZones));
  TRY(const std::unique_ptr<Api> api, Api::open(settings, services));
  tpu::ListOptions page;
  page.page_size = options.page_size;
  page.limit = static_cast<std::size_t>(options.limit);
  TRY(const tpu::QueuedResourceList list, api->client().list(settings.location, page));

  OutputStream& out = *services.streams.out;
  if (format == Format::kJson) {
    out.write(as_json(list.resources));
  } else {
    const report::Table table = as_table(list.resources);
    out.write(format == Format::kValue ? table.values() : table.empty() ? "" : table.text());
    if (table.empty()) services.say(fmt::format("no queued resources in {}", settings.location.zone));
  }
  for (const std::string& zone : list.unreachable)
    services.say(fmt::format("not reached, so not listed: {}", zone));
  return 0;
}

}  // namespace

void add_list(CommandLine& line) {
  auto options = std::make_shared<ListOptions>();  // filled by the parser, read by the action after it
  line.add("list", "list the queued resources of a zone", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_list(*options, services, global);
           })
      .number("limit", options->limit, "N", "at most this many", 1, std::numeric_limits<int>::max())
      .number("page-size", options->page_size, "N", "ask the API for this many at a time", 1, 1000);
}

}  // namespace slipway::cli
