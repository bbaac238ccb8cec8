#include <algorithm>
#include <memory>
#include <optional>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/deletion.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/listing.h"
#include "cli/ssh_key.h"
#include "cli/ssh_wait.h"
#include "cli/state_watch.h"
#include "cli/way.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(READY: ACTIVE, and every slice READY. SSH: READY, and every worker lets you in. DELETED: gone. Of several names all have to
come there. A state from which the goal cannot come ends it at once with exit code 7 and the API's reason. The flags about users,
keys and ways are for SSH.

Examples:
  slipway wait train-1                                     # until ACTIVE
  slipway wait train-1 train-2 --for SSH --timeout 4h
  slipway wait train-1 --for ACTIVE,FAILED --timeout 0     # look once)";

struct WaitCommandOptions {
  std::vector<std::string> ids;
  std::string goal = "ACTIVE";
  std::string timeout;
  ReachOptions reach;
};

/// What --for says: a goal of the API, and whether ssh comes after it.
struct WaitGoal {
  tpu::WaitOptions wait;
  bool ssh = false;
};

Error no_such_goal(const std::string& word) {
  std::vector<std::string> names = queued_resource_state_names();
  names.insert(names.end(), {"READY", "SSH", "DELETED"});
  const std::string near = nearest(word, names);
  return Error(ErrorCode::kUsage, fmt::format("--for: '{}' is nothing to wait for", printable(word)))
      .why(near.empty() ? "there are ACTIVE, READY, SSH, DELETED and the API's states"
                        : fmt::format("did you mean '{}'?", near));
}

Result<WaitGoal> goal_of(const std::string& text) {
  WaitGoal goal;
  const std::string word = to_lower(text);
  goal.ssh = word == "ssh";
  if (word == "ready" || goal.ssh) {
    goal.wait.goal = tpu::Goal::kReady;
    return goal;
  }
  if (word == "deleted") {
    goal.wait.goal = tpu::Goal::kDeleted;
    return goal;
  }
  for (const std::string& name : split(text, ',')) {
    const auto state = parse_queued_resource_state(name);
    if (!state) return no_such_goal(name);
    goal.wait.states.insert(*state);
  }
  return goal;
}

/// One as what it is, several as a list; nothing for people, who have seen it on stderr.
Result<void> show(const std::vector<tpu::Sight>& sights, const OutputFormat& output, Services& services) {
  if (!output.asked_for_data()) return {};
  Listing listing({{"NAME", "name"}, {"STATE", "state.state"}});
  for (const tpu::Sight& sight : sights) {
    if (!sight.resource) continue;
    if (sights.size() == 1) return show_state(*sight.resource, output, services);
    listing.add(sight.resource->document, {sight.resource->name.id, sight.resource->state_text});
  }
  return listing.empty() ? Result<void>() : listing.show(output, services);
}

/// The first look at each, which is all that a wait asks again and again.
Result<int> show_looks(const std::vector<ResourceSettings>& resources, const WaitGoal& goal,
                       const ReachOptions& reach, const GlobalOptions& global, Services& services) {
  if (goal.ssh) {
    TRY(ssh_user(reach.user));
    TRY(find_ssh_key(reach, true, services));
  }
  for (const ResourceSettings& one : resources)
    show_call(tpu::get_call(one.name), one.settings, global, services);
  if (goal.ssh) services.say(kKeyWouldBeAdded);
  return 0;
}

Result<int> run_wait(const WaitCommandOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const bool dry_run, is_dry_run(global));
  TRY(WaitGoal goal, goal_of(options.goal));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(parse_host_key_mode(options.reach.host_keys));
  TRY(check_way(options.reach));
  TRY(const std::vector<ResourceSettings> resources, resolve_settings_for_each(global, options.ids));
  if (dry_run) return show_looks(resources, goal, options.reach, global, services);
  std::optional<SshLogin> login;  // what is wrong with a key is not said after hours only
  if (goal.ssh) {
    TRY(login, read_ssh_login(options.reach, services));
  }
  TRY(const std::unique_ptr<Api> api, Api::open(resources.front().settings, services));
  const Countdown countdown(timeout, services.clock);
  goal.wait.timeout = timeout;
  std::vector<tpu::Awaited> awaited;
  std::vector<std::string> names;
  for (const ResourceSettings& one : resources) {
    awaited.push_back({one.name, ""});
    names.push_back(one.name.id);
  }
  std::vector<tpu::Sight> sights;
  {
    StateWatch watch(names, services);
    TRY(sights, tpu::wait_for_all(api->client(), awaited, goal.wait, std::ref(watch)));
  }
  for (std::size_t i = 0; goal.wait.goal == tpu::Goal::kDeleted && i < awaited.size(); ++i) {
    const auto& there = sights[i].resource;
    finish_earlier_deletion(*api, awaited[i].name, there ? &*there : nullptr);
  }
  for (std::size_t i = 0; goal.ssh && i < awaited.size(); ++i) {
    awaited[i].create_time = sights[i].resource->create_time;
    TRY(wait_for_ssh(*api, awaited[i], options.reach, *login, resources[i].settings, countdown, services));
  }
  TRY(show(sights, output, services));
  return 0;
}

}  // namespace

void add_wait(CommandLine& line) {
  auto options = std::make_shared<WaitCommandOptions>();  // filled by the parser, read by the action after it
  Flags flags = line.add("wait", "wait until queued resources are where you want them", kDetails,
                         [options](Services& services, const GlobalOptions& global) {
                           return run_wait(*options, services, global);
                         });
  flags.words("QR...", options->ids, "the queued resources: their ids or full names")
      .text("for", options->goal, "GOAL", "ACTIVE, READY, SSH, DELETED, or states of the API with commas")
      .text("timeout", options->timeout, "TIME", "give up after this, with exit code 124; 0 looks once");
  bind_reach_flags(flags, options->reach);
}

}  // namespace slipway::cli
