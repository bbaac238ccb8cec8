#include <memory>

#include "cli/api.h"
#include "cli/api_version.h"
#include "cli/commands/commands.h"
#include "cli/listing.h"
#include "cli/resource_text.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(--filter takes gcloud's expressions: = != : ~ !~ < <= > >=, AND OR NOT, parentheses, on any field of the API's
resource (slipway help formats). A zone that cannot be reached is named on stderr; the exit code stays 0, as in gcloud.

Examples:
  slipway list
  slipway list --zone=- --format wide                   # all zones; tier, runtime, age, reason
  slipway list --filter 'state.state=(FAILED SUSPENDED) AND createTime<-P1D'
  slipway list --format 'value(name)' --sort-by ~createTime --limit 5)";

const std::vector<Column>& columns() {
  static const std::vector<Column> list = {
      {"NAME", "name.basename()"},
      {"ZONE", "name.segment(3)"},
      {"NODE_COUNT", "tpu.nodeSpec.len()"},
      {"ACCELERATOR_TYPE", "tpu.nodeSpec[0].node.acceleratorType"},
      {"STATE", "state.state"},
      {"TIER", "", true},
      {"RUNTIME_VERSION", "tpu.nodeSpec[0].node.runtimeVersion", true},
      {"AGE", "createTime", true},
      {"RESERVATION", "reservationName.basename()", true},
      {"REASON", "state.failedData.error.message", true},
  };
  return list;
}

std::string age_of(const QueuedResource& resource, std::chrono::system_clock::time_point now) {
  const auto created = parse_rfc3339(resource.create_time);
  return created ? format_age(now - *created) : "";
}

std::vector<std::string> cells_of(const QueuedResource& resource, std::chrono::system_clock::time_point now) {
  const std::string runtime = resource.node_specs.empty() ? "" : resource.node_specs.front().runtime_version;
  return {resource.name.id,
          resource.name.location.zone,
          std::to_string(slice_count(resource)),
          accelerator_text(resource),
          resource.state_text,
          to_string(resource.tier),
          runtime,
          age_of(resource, now),
          last_segment(resource.reservation),
          resource.failure ? resource.failure->message : ""};
}

/// With a filter or a sort order the whole list is needed before the first N are known.
tpu::ListOptions pages_for(const ListWords& words, std::optional<tpu::ApiVersion> version) {
  tpu::ListOptions pages;
  pages.version = version.value_or(tpu::ApiVersion::kV2);
  pages.page_size = words.page_size;
  if (words.filter.empty() && words.sort_by.empty()) pages.limit = static_cast<std::size_t>(words.limit);
  return pages;
}

Result<int> run_list(const ListWords& words, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global, FormatKind::kList));
  TRY(const Listing::Arrangement arrangement, Listing::arrangement(words, columns(), services.clock));
  TRY(const auto version, api_version(global));
  TRY(const Settings settings, resolve_settings(global, Needs::kLocationOrAllZones));
  TRY(const std::unique_ptr<Api> api, Api::open(settings, services));
  TRY(tpu::QueuedResourceList list, api->client().list(settings.location, pages_for(words, version)));

  Listing listing(columns());
  for (QueuedResource& resource : list.resources) {
    std::vector<std::string> cells = cells_of(resource, services.clock.wall_now());
    listing.add(std::move(resource.document), std::move(cells));
  }
  TRY(listing.arrange(arrangement, services));
  TRY(listing.show(output, services));
  if (listing.empty())
    services.say(fmt::format("no queued resources in {}{}", place_text(settings.location),
                             arrangement.filter.is_empty() ? "" : " that the filter lets through"));
  for (const std::string& zone : list.unreachable)
    services.say(fmt::format("not reached, so not listed: {}", zone));
  return 0;
}

}  // namespace

void add_list(CommandLine& line) {
  auto options = std::make_shared<ListWords>();  // filled by the parser, read by the action after it
  Flags flags = line.add("list", "list the queued resources of a zone", kDetails,
                         [options](Services& services, const GlobalOptions& global) {
                           return run_list(*options, services, global);
                         });
  add_list_flags(flags, *options, "state.state=ACTIVE");
}

}  // namespace slipway::cli
