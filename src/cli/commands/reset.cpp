#include <algorithm>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
#include "cli/countdown.h"
#include "cli/dry_run.h"
#include "cli/find_resource.h"
#include "cli/flag_values.h"
#include "cli/state_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/model/next_step.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

using State = QueuedResourceState;

/// For an operation that was done before the slices can have booted: how long a READY may be that of before.
constexpr std::chrono::minutes kLongestUntilRestart{2};

constexpr const char* kDetails =
    R"(All slices boot again: what runs on them ends, their disks stay, the startup script runs. Only what is ACTIVE can be reset.

Examples:
  slipway reset train-1 --yes
  slipway reset train-1 --yes --wait --timeout 30m       # until every slice is READY again)";

struct ResetOptions {
  std::string id;
  bool wait = false;
  bool async = false;
  bool if_active = false;
  std::string timeout;
};

Error cannot_reset(const QueuedResource& resource) {
  return Error(ErrorCode::kConflict, fmt::format("'{}' is {}: only what is ACTIVE can be reset",
                                                 resource.name.id, printable(resource.state_text)))
      .why(resource.failure ? resource.failure->message : "")
      .next(next_step(resource));
}

Result<bool> is_restarting(tpu::Client& client, const QueuedResource& resource) {
  std::vector<NodeName> names;
  for (const std::string& slice : resource.slice_names()) names.push_back({resource.name.location, slice});
  const std::vector<Result<Node>> nodes = client.get_nodes(names);
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Result<Node>& node) { return node.ok() && node->state == "RESTARTING"; });
}

/// The reset's operation, or nothing when one that runs already is joined.
Result<std::optional<Operation>> ask(tpu::Client& client, const QueuedResourceName& name,
                                     Services& services) {
  Result<Operation> resetting = client.reset(name);
  if (resetting.ok()) {
    services.say(fmt::format("resetting {}", name.id));
    return std::optional(std::move(*resetting));
  }
  const Error& refusal = resetting.error();
  if (refusal.code() == ErrorCode::kUnavailable || refusal.code() == ErrorCode::kInterrupted)
    return std::move(resetting).error().next(fmt::format("slipway workers {}", shell_quote(name.id)));
  if (refusal.code() != ErrorCode::kConflict) return refusal;
  const Result<QueuedResource> now = client.get(name);
  if (!now.ok()) return refusal;
  if (now->state != State::kActive) return cannot_reset(*now);
  TRY(const bool restarting, is_restarting(client, *now));
  if (!restarting) return refusal;
  services.say(fmt::format("{} is being reset already", name.id));
  return std::optional<Operation>();
}

Result<void> follow(Api& api, const QueuedResource& resource, const std::optional<Operation>& operation,
                    const ResetOptions& options, const Countdown& countdown, Services& services) {
  const bool done_at_once = operation && operation->done;
  if (operation) TRY(tpu::wait_for_operation(api.client(), *operation, countdown.left()));
  if (!options.wait && operation) return {};
  tpu::WaitOptions wait;
  wait.goal = tpu::Goal::kReady;
  wait.timeout = countdown.left();
  // An operation that ran and ended has seen the restart; one that was done at once may only have ordered it.
  if (done_at_once) wait.leave_ready_within = kLongestUntilRestart;
  StateWatch watch(resource.name.id, services);
  TRY(tpu::wait_for(api.client(), tpu::Awaited{resource.name, resource.create_time}, wait, std::ref(watch)));
  return {};
}

Result<int> run_reset(const ResetOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const ResourceSettings settings, resolve_settings_for(global, options.id));
  const QueuedResourceName& name = settings.name;
  if (dry_run) {
    show_call(tpu::reset_call(name), settings.settings, global, services);
    return 0;
  }
  TRY(const std::unique_ptr<Api> api, Api::open(settings.settings, services));
  TRY(const QueuedResource resource, find_resource(*api, name));
  if (resource.state != State::kActive && options.if_active) {
    services.say(fmt::format("{} is {}, not ACTIVE: left as it is", name.id, printable(resource.state_text)));
    return 0;
  }
  if (resource.state != State::kActive) return cannot_reset(resource);
  TRY(confirm(fmt::format("Reset {} ({})? Everything that runs on its workers ends.", name.id,
                          counted(resource.slice_names().size(), "slice")),
              global, services));
  const Countdown countdown(timeout, services.clock);
  TRY(const std::optional<Operation> operation, ask(api->client(), name, services));
  if (options.async) return 0;
  TRY(follow(*api, resource, operation, options, countdown, services));
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
      .on("if-active", options->if_active, "exit 0 when it is not ACTIVE, and leave it")
      .on("wait", options->wait, "wait until every slice is READY")
      .on("async", options->async, "do not wait until the reset is done")
      .text("timeout", options->timeout, "TIME", "give up waiting after this, with exit code 124")
      .rivals({"async"}, {"wait"});
}

}  // namespace slipway::cli
