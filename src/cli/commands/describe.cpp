#include <memory>

#include "cli/api.h"
#include "cli/api_version.h"
#include "cli/commands/commands.h"
#include "cli/describe_text.h"
#include "cli/find_resource.h"
#include "cli/listing.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(Shows its state, why it is so, and its slices with their health; with --format json or yaml the API's resource.

Examples:
  slipway describe train-1
  slipway describe train-1 --format json | jq -r .state.state
  slipway describe train-1 --format 'value(state.state)')";

/// The slices that the API knows now, all asked for at once. One that cannot be read is shown as not there.
std::vector<SliceSight> look_at_slices(tpu::Client& client, const QueuedResource& resource) {
  std::vector<SliceSight> slices;
  if (!may_have_slices(resource.state)) return slices;
  std::vector<NodeName> names;
  for (const std::string& name : resource.slice_names()) names.push_back({resource.name.location, name});
  std::vector<Result<Node>> nodes = client.get_nodes(names);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    slices.push_back(
        {names[i].id, nodes[i].ok() ? std::optional(std::move(nodes[i]).value()) : std::nullopt});
  }
  return slices;
}

Result<int> run_describe(const std::string& id, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const auto version, api_version(global));
  TRY(const ResourceSettings resource, resolve_settings_for(global, id));
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  TRY(const QueuedResource found, find_resource(*api, resource.name, version.value_or(tpu::ApiVersion::kV2)));
  const auto people = [&] {
    return describe_text(found, look_at_slices(api->client(), found), services.clock.wall_now());
  };
  TRY(show_document(found.document, output, "state.state", people, services));
  return 0;
}

}  // namespace

void add_describe(CommandLine& line) {
  auto id = std::make_shared<std::string>();  // shared by the parser, which fills it, and the action, which
                                              // outlives the parse
  line.add("describe", "show one queued resource", kDetails,
           [id](Services& services, const GlobalOptions& global) {
             return run_describe(*id, services, global);
           })
      .word("QR", *id, "the queued resource: its id or full name");
}

}  // namespace slipway::cli
