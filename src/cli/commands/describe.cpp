#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/find_resource.h"
#include "cli/listing.h"
#include "cli/resource_text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails = R"(Examples:
  slipway describe train-1
  slipway describe train-1 --format json | jq -r .state.state
  slipway describe train-1 --format value          # just the state)";

Result<int> run_describe(const std::string& id, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const ResourceSettings resource, resolve_settings_for(global, id));
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  TRY(const QueuedResource found, find_resource(*api, resource.name));
  TRY(show_document(
      found.document, output, "state.state", [&] { return describe_text(found, services.clock.wall_now()); },
      services));
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
