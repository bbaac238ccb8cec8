#include "cli/describe_text.h"

#include <algorithm>
#include <map>

#include "cli/resource_text.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/model/accelerator.h"
#include "slipway/model/next_step.h"
#include "slipway/report/table.h"

namespace slipway::cli {
namespace {

using TimePoint = std::chrono::system_clock::time_point;

/// More slices than this are shown by their troubles only.
constexpr std::size_t kMostSlices = 32;

/// "2026-11-19T10:00:00Z (3h12m ago)", or "(in 2h)" for what is to come.
std::string time_text(const std::string& text, TimePoint now) {
  const auto time = parse_rfc3339(text);
  if (!time) return text;
  return *time <= now ? fmt::format("{} ({} ago)", text, format_age(now - *time))
                      : fmt::format("{} (in {})", text, format_age(*time - now));
}

bool is_queued(QueuedResourceState state) {
  return state == QueuedResourceState::kAccepted || state == QueuedResourceState::kWaitingForResources ||
         state == QueuedResourceState::kProvisioning;
}

std::string state_text(const QueuedResource& resource) {
  std::string text = resource.state_text;
  if (resource.state_initiator == "USER") text += ", by a user";
  if (resource.state_initiator == "SERVICE" && (resource.state == QueuedResourceState::kSuspended ||
                                                resource.state == QueuedResourceState::kSuspending))
    text += ", by the service";
  return text;
}

/// "2 slices of v4-16: 8 chips, 2 workers each".
std::string shape_text(const QueuedResource& resource, const std::vector<SliceSight>& slices) {
  if (resource.node_specs.empty()) return "";
  const NodeSpec& spec = resource.node_specs.front();
  std::string text =
      fmt::format("{} of {}", counted(slice_count(resource), "slice"), accelerator_text(resource));
  std::vector<std::string> parts;
  const auto shape = spec.accelerator_type.empty() ? shape_of_topology(spec.type, spec.topology)
                                                   : shape_of_type(spec.accelerator_type);
  if (shape) parts.push_back(counted(static_cast<std::size_t>(shape->chips), "chip"));
  const auto with_workers = std::find_if(slices.begin(), slices.end(), [](const SliceSight& slice) {
    return slice.node && !slice.node->endpoints.empty();
  });
  if (with_workers != slices.end()) parts.push_back(counted(with_workers->node->endpoints.size(), "worker"));
  if (parts.empty()) return text;
  return text + fmt::format(": {}{}", fmt::join(parts, ", "), slice_count(resource) > 1 ? " each" : "");
}

std::string tier_text(const QueuedResource& resource) {
  std::string text = to_string(resource.tier);
  if (!resource.provisioning_model.empty()) text += fmt::format(", {}", resource.provisioning_model);
  return text;
}

std::string valid_text(const Schedule& schedule, TimePoint now) {
  std::vector<std::string> parts;
  if (!schedule.from.empty()) parts.push_back("from " + time_text(schedule.from, now));
  if (!schedule.from_delay.empty()) parts.push_back(schedule.from_delay + " after the request");
  if (!schedule.until.empty()) parts.push_back("until " + time_text(schedule.until, now));
  if (!schedule.until_delay.empty()) parts.push_back("for " + schedule.until_delay);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string run_limit_text(const Schedule& schedule, TimePoint now) {
  if (!schedule.run_end.empty()) return "ends " + time_text(schedule.run_end, now);
  return schedule.run_duration.empty() ? "" : schedule.run_duration + " from the start on";
}

/// The sentence for somebody who wonders whether anything is wrong.
std::string waiting_text(const QueuedResource& resource, TimePoint now) {
  const auto created = parse_rfc3339(resource.create_time);
  if (!created || !is_queued(resource.state)) return "";
  const auto age = now - *created;
  if (age < std::chrono::minutes(15)) return "";
  return fmt::format(
      "requested {} ago: it waits for capacity, which can take hours; it stays in the queue by itself",
      format_age(age));
}

bool is_well(const SliceSight& slice) {
  const auto& node = slice.node;
  return node && node->ready() && (node->health.empty() || node->health == "HEALTHY") &&
         node->symptoms.empty() && !node->maintenance;
}

/// What there is to say of a slice beyond its state.
std::string note_on(const SliceSight& slice, TimePoint now) {
  if (!slice.node) return "the API has no such node now";
  std::vector<std::string> notes;
  if (!slice.node->health_description.empty()) notes.push_back(slice.node->health_description);
  for (const Symptom& symptom : slice.node->symptoms) {
    notes.push_back(fmt::format("{}{}{}", symptom.type,
                                symptom.worker.empty() ? "" : fmt::format(" on worker {}", symptom.worker),
                                symptom.details.empty() ? "" : ": " + symptom.details));
  }
  if (slice.node->maintenance) {
    const Maintenance& coming = *slice.node->maintenance;
    std::string note =
        fmt::format("maintenance {}", to_lower(coming.status.empty() ? "coming" : coming.status));
    if (!coming.window_start.empty()) note += ", " + time_text(coming.window_start, now);
    notes.push_back(std::move(note));
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string slices_text(const std::vector<SliceSight>& slices, TimePoint now) {
  if (slices.empty()) return "";
  const bool troubles_only = slices.size() > kMostSlices;
  report::Table table({"SLICE", "STATE", "HEALTH", "WORKERS", "NOTE"});
  std::size_t well = 0;
  for (const SliceSight& slice : slices) {
    if (is_well(slice)) ++well;
    if (troubles_only && is_well(slice)) continue;
    const Node none;
    const Node& node = slice.node ? *slice.node : none;
    table.add_row({slice.name, node.state, node.health,
                   node.endpoints.empty() ? "" : std::to_string(node.endpoints.size()), note_on(slice, now)});
  }
  std::string text = table.empty() ? "" : "\n" + table.text();
  if (troubles_only) text += fmt::format("\n{} of {} slices are READY and well\n", well, slices.size());
  return text;
}

/// The command that most people type next.
std::string next_text(const QueuedResource& resource, const std::vector<SliceSight>& slices) {
  if (resource.state != QueuedResourceState::kActive) return next_step(resource);
  const std::string id = shell_quote(resource.name.id);
  return std::all_of(slices.begin(), slices.end(), is_well)
             ? fmt::format("slipway run {} --command hostname", id)
             : fmt::format("slipway wait {} --for READY", id);
}

bool contains(const std::string& text, std::string_view part) {
  return to_lower(text).find(part) != std::string::npos;
}

}  // namespace

bool may_have_slices(QueuedResourceState state) {
  return state != QueuedResourceState::kCreating && state != QueuedResourceState::kAccepted &&
         state != QueuedResourceState::kWaitingForResources && state != QueuedResourceState::kSuspended;
}

std::string advice_on(const ApiStatus& failure) {
  // google.rpc.Code; the texts are those that users of the API report.
  switch (failure.code) {
    case 8:
      if (contains(failure.message, "quota"))
        return "the project's quota is used up: delete what holds it (slipway list --filter "
               "'state.state=(FAILED "
               "SUSPENDED)'), or ask for more in the console, under Quotas";
      if (contains(failure.message, "reserv"))
        return "the reservation has no room for it: wait for what runs in it, or ask without --reserved";
      return "the zone has no capacity for it now: ask again, in another zone, for another type, or with "
             "--spot; "
             "without --valid-until-* a request waits as long as it takes";
    case 3:
      return "the API does not take such a request: slipway accelerator-types and slipway runtime-versions "
             "show what "
             "the zone has";
    case 7:
      return "the project, or its service account, is not allowed to do this";
    case 4:
      return "it was not served within the time that it was valid for";
    case 13:
    case 14:
      return "an error inside the service: the same request again often succeeds";
    default:
      return "";
  }
}

std::string describe_text(const QueuedResource& resource, const std::vector<SliceSight>& slices,
                          TimePoint now) {
  std::string text;
  const auto line = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:<13}{}\n", fmt::format("{}:", label), printable(value));
  };
  line("name", resource.name.id);
  line("zone", fmt::format("{} ({})", resource.name.location.zone, resource.name.location.project));
  line("state", state_text(resource));
  if (resource.failure) {
    line("reason", fmt::format("{} (code {})", resource.failure->message, resource.failure->code));
    line("what to do", advice_on(*resource.failure));
  }
  line("waiting", waiting_text(resource, now));
  line("requested", time_text(resource.create_time, now));
  line("shape", shape_text(resource, slices));
  if (!resource.node_specs.empty()) line("runtime", resource.node_specs.front().runtime_version);
  line("tier", tier_text(resource));
  line("reservation", resource.reservation);
  line("valid", valid_text(resource.schedule, now));
  line("life", run_limit_text(resource.schedule, now));
  line("next", next_text(resource, slices));
  return text + slices_text(slices, now);
}

}  // namespace slipway::cli
