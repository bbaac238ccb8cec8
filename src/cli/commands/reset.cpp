#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/state_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(All slices boot again: what runs on them ends, their disks stay, the startup script runs.

Examples:
  slipway reset train-1 --yes
  slipway reset train-1 --yes --wait       # until every slice is READY again)";

struct ResetOptions {
  std::string id;
  bool wait = false;
  std::string timeout;
};

Result<int> run_reset(const ResetOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.id));
  const QueuedResourceName& name = resource.name;
  if (dry_run) {
    show_call(tpu::reset_call(name), resource.settings, global, services);
    return 0;
  }
  TRY(confirm(fmt::format("Reset {}? Everything that runs on its workers ends.", name.id), global, services));
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  Result<Operation> resetting = api->client().reset(name);
  if (!resetting.ok() && resetting.error().code() == ErrorCode::kConflict) {
    return std::move(resetting).error().next(fmt::format("slipway wait {} --for ACTIVE", name.id));
  }
  TRY(const Operation operation, std::move(resetting));
  services.say(fmt::format("resetting {}", name.id));
  TRY(tpu::wait_for_operation(api->client(), operation, timeout));
  if (options.wait) {
    tpu::WaitOptions wait;
    wait.goal = tpu::Goal::kReady;
    wait.timeout = timeout;
    StateWatch watch(name.id, services);
    TRY(tpu::wait_for(api->client(), name, wait, std::ref(watch)));
  }
  services.say(fmt::format("{} is reset", name.id));
  return 0;
}

}  // namespace

void add_reset(CommandLine& line) {
  auto options = std::make_shared<ResetOptions>();  // filled by the parser, read by the action after it
  line.add("reset", "boot all slices again", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_reset(*options, services, global);
           })
      .word("QR", options->id, "the queued resource: its id or full name")
      .on("wait", options->wait, "wait until every slice is READY")
      .text("timeout", options->timeout, "TIME", "give up waiting after this, with exit code 124");
}

}  // namespace slipway::cli
