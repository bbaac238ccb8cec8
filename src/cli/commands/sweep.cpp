#include <algorithm>
#include <memory>
#include <set>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
#include "cli/deletion.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/listing.h"
#include "cli/resource_text.h"
#include "cli/several.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using State = QueuedResourceState;

constexpr const char* kDetails =
    R"(FAILED and SUSPENDED requests stay, keep their names and count against the quota until somebody deletes them. This lists
them and, when it is told yes, deletes what it has listed and nothing else: each is looked at again before it goes. Ages
count from createTime, because the API does not say since when a state lasts.

Examples:
  slipway sweep                                    # lists, and asks
  slipway sweep --older-than 1h --label team=ml --yes
  slipway sweep --zone=- --state SUSPENDED --dry-run)";

struct SweepOptions {
  std::string states = "FAILED,SUSPENDED";
  std::string older_than = "0";
  std::vector<std::string> labels;
  bool force = false;
  std::string timeout;
};

/// Which of a list are meant.
struct Choice {
  std::set<State> states;
  std::chrono::milliseconds older_than{0};
  std::map<std::string, std::string> labels;
};

Result<Choice> choice_of(const SweepOptions& options) {
  Choice choice;
  for (const std::string& word : split(options.states, ',')) {
    const auto state = parse_queued_resource_state(word);
    if (state != State::kFailed && state != State::kSuspended)
      return Error(ErrorCode::kUsage,
                   fmt::format("--state: '{}' is not FAILED or SUSPENDED", printable(word)))
          .why("a request in another state still does something, or will");
    choice.states.insert(*state);
  }
  TRY(choice.older_than, parse_duration(options.older_than));
  TRY(choice.labels, parse_dict("--label", options.labels));
  return choice;
}

/// Labels belong to the slices; those of a request are all alike.
bool has_labels(const QueuedResource& resource, const std::map<std::string, std::string>& wanted) {
  if (wanted.empty()) return true;
  const Result<Json> document = parse_json(resource.document);
  const Json* specs = document.ok() ? find_path(*document, {"tpu", "nodeSpec"}) : nullptr;
  if (specs == nullptr || !specs->is_array() || specs->empty()) return false;
  const Json* labels = find_path((*specs)[0], {"node", "labels"});
  return labels != nullptr && std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
           return find_member(*labels, one.first) != nullptr &&
                  string_member(*labels, one.first) == one.second;
         });
}

/// One without a readable createTime has no age, and is only taken when none is asked for.
bool is_old_enough(const QueuedResource& resource, const Choice& choice,
                   std::chrono::system_clock::time_point now) {
  if (choice.older_than.count() == 0) return true;
  const auto made = parse_rfc3339(resource.create_time);
  return made && now - *made >= choice.older_than;
}

std::vector<QueuedResource> chosen(std::vector<QueuedResource> all, const Choice& choice,
                                   std::chrono::system_clock::time_point now) {
  std::vector<QueuedResource> dead;
  for (QueuedResource& resource : all) {
    if (choice.states.count(resource.state) > 0 && is_old_enough(resource, choice, now) &&
        has_labels(resource, choice.labels))
      dead.push_back(std::move(resource));
  }
  return dead;
}

Listing listing_of(const std::vector<QueuedResource>& resources, std::chrono::system_clock::time_point now) {
  Listing listing({{"NAME", "name.basename()"},
                   {"ZONE", "name.segment(3)"},
                   {"STATE", "state.state"},
                   {"AGE", "createTime"},
                   {"NODE_COUNT", "tpu.nodeSpec.len()"},
                   {"ACCELERATOR_TYPE", "tpu.nodeSpec[0].node.acceleratorType"},
                   {"REASON", "state.failedData.error.message"}});
  for (const QueuedResource& resource : resources) {
    const auto made = parse_rfc3339(resource.create_time);
    listing.add(resource.document, {resource.name.id, resource.name.location.zone, resource.state_text,
                                    made ? format_age(now - *made) : "",
                                    std::to_string(slice_count(resource)), accelerator_text(resource),
                                    resource.failure ? resource.failure->message : resource.state_initiator});
  }
  return listing;
}

/// Deletes what was listed, each only if it is still that, and still dead.
class Sweep {
 public:
  Sweep(Api& api, Force force, std::size_t total, Services& services)
      : api_(api),
        force_(force),
        services_(services),
        errors_("sweep", std::max<std::size_t>(total, 2), services) {}

  Result<int> run(const std::vector<QueuedResource>& listed, const Countdown& countdown);

 private:
  bool is_still_that(const QueuedResource& listed);

  Api& api_;
  Force force_;
  Services& services_;
  Several errors_;
};

bool Sweep::is_still_that(const QueuedResource& listed) {
  const Result<QueuedResource> now = api_.client().get(listed.name);
  if (!now.ok() && now.error().code() != ErrorCode::kNotFound) {
    errors_.add(now.error());
    return false;
  }
  if (now.ok() && now->create_time == listed.create_time && now->state == listed.state) return true;
  services_.say(fmt::format("{} is no longer what was listed: left alone", listed.name.id));
  return false;
}

Result<int> Sweep::run(const std::vector<QueuedResource>& listed, const Countdown& countdown) {
  std::vector<Deletion> running;
  for (const QueuedResource& resource : listed) {
    if (!is_still_that(resource)) continue;
    Deletion deletion(api_, resource, force_, services_);
    Result<void> sent = deletion.send();
    if (!sent.ok() && sent.error().code() == ErrorCode::kInterrupted) return std::move(sent).error();
    if (sent.ok())
      running.push_back(std::move(deletion));
    else
      errors_.add(sent.error());
  }
  std::size_t gone = 0;
  for (Deletion& deletion : running) {
    Result<void> seen = deletion.see_gone(countdown);
    if (!seen.ok() && seen.error().code() == ErrorCode::kInterrupted) return std::move(seen).error();
    gone += seen.ok() ? 1 : 0;
    if (!seen.ok()) errors_.add(seen.error());
  }
  services_.say(fmt::format("deleted {} of {}", gone, listed.size()));
  return errors_.result();
}

Result<int> run_sweep(const SweepOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global, FormatKind::kList));
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const Choice choice, choice_of(options));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const Settings settings, resolve_settings(global, Needs::kLocationOrAllZones));
  TRY(const std::unique_ptr<Api> api, Api::open(settings, services));
  TRY(tpu::QueuedResourceList list, api->client().list(settings.location));
  for (const std::string& zone : list.unreachable)
    services.say(fmt::format("not reached, so not looked at: {}", zone));
  const auto now = services.clock.wall_now();
  const std::vector<QueuedResource> dead = chosen(std::move(list.resources), choice, now);
  if (dry_run) {
    for (const QueuedResource& resource : dead)
      show_call(tpu::delete_call(resource.name, options.force, make_uuid()), settings, global, services);
    return 0;
  }
  if (!dead.empty() || output.asked_for_data()) TRY(listing_of(dead, now).show(output, services));
  if (dead.empty()) {
    services.say(fmt::format("nothing to sweep in {}", place_text(settings.location)));
    return 0;
  }
  TRY(confirm(fmt::format("Delete {}?", dead.size() == 1 ? "it" : fmt::format("these {}", dead.size())),
              global, services));
  const Countdown countdown(timeout, services.clock);
  return Sweep(*api, options.force ? Force::kYes : Force::kNo, dead.size(), services).run(dead, countdown);
}

}  // namespace

void add_sweep(CommandLine& line) {
  auto options = std::make_shared<SweepOptions>();  // filled by the parser, read by the action after it
  line.add("sweep", "delete the dead requests that hold quota", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_sweep(*options, services, global);
           })
      .text("state", options->states, "STATES", "FAILED, SUSPENDED or both (default: both)")
      .text("older-than", options->older_than, "TIME", "only those that were made before so long")
      .texts("label", options->labels, "K=V", "only those whose slices have this label; again for another")
      .on("force", options->force, "also FAILED ones that have slices left")
      .text("timeout", options->timeout, "TIME", "give up waiting after this, with exit code 124");
}

}  // namespace slipway::cli
