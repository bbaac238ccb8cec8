#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/flag_values.h"
#include "cli/listing.h"
#include "cli/state_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(READY: ACTIVE, and every slice READY. DELETED: gone. A state from which the goal cannot come ends it at once with
exit code 7 and the API's reason.

Examples:
  slipway wait train-1                                     # until ACTIVE
  slipway wait train-1 --for READY --timeout 4h
  slipway wait train-1 --for ACTIVE,FAILED --timeout 0     # look once)";

struct WaitCommandOptions {
  std::string id;
  std::string goal = "ACTIVE";
  std::string timeout;
};

Error no_such_goal(const std::string& word) {
  std::vector<std::string> names = queued_resource_state_names();
  names.insert(names.end(), {"READY", "DELETED"});
  const std::string near = nearest(word, names);
  return Error(ErrorCode::kUsage, fmt::format("--for: '{}' is nothing to wait for", printable(word)))
      .why(near.empty() ? "there are ACTIVE, READY, DELETED and the API's states"
                        : fmt::format("did you mean '{}'?", near));
}

Result<tpu::WaitOptions> goal_of(const std::string& text) {
  tpu::WaitOptions options;
  if (text == "READY" || text == "ready") {
    options.goal = tpu::Goal::kReady;
    return options;
  }
  if (text == "DELETED" || text == "deleted") {
    options.goal = tpu::Goal::kDeleted;
    return options;
  }
  for (const std::string& word : split(text, ',')) {
    const auto state = parse_queued_resource_state(word);
    if (!state) return no_such_goal(word);
    options.states.insert(*state);
  }
  return options;
}

Result<int> run_wait(const WaitCommandOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(tpu::WaitOptions wait, goal_of(options.goal));
  TRY(wait.timeout, parse_limit(options.timeout));
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.id));
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  tpu::Sight sight;
  {
    StateWatch watch(resource.name.id, services);
    TRY(sight, tpu::wait_for(api->client(), resource.name, wait, std::ref(watch)));
  }
  if (!output.asked_for_data() || !sight.resource) return 0;
  TRY(show_state(*sight.resource, output, services));
  return 0;
}

}  // namespace

void add_wait(CommandLine& line) {
  auto options = std::make_shared<WaitCommandOptions>();  // filled by the parser, read by the action after it
  line.add("wait", "wait until a queued resource is where you want it", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_wait(*options, services, global);
           })
      .word("QR", options->id, "the queued resource: its id or full name")
      .text("for", options->goal, "GOAL", "ACTIVE, READY, DELETED, or states of the API with commas")
      .text("timeout", options->timeout, "TIME", "give up after this, with exit code 124; 0 looks once");
}

}  // namespace slipway::cli
