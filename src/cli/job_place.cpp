#include "cli/job_place.h"

#include <charconv>

#include "cli/find_resource.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/storage/location.h"

namespace slipway::cli {
namespace {

/// "gs://B/runs/train-1/2", whose launch is 2.
std::optional<JobPlace> place_of(const std::string& uri) {
  const auto location = storage::parse_location(uri);
  if (!location.ok()) return std::nullopt;
  JobPlace place;
  place.bucket = location->bucket;
  place.launch.prefix = location->prefix;
  const std::string number = location->prefix.substr(location->prefix.rfind('/') + 1);
  const auto [end, failure] =
      std::from_chars(number.data(), number.data() + number.size(), place.launch.number);
  if (failure != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return place;
}

Error no_job(const QueuedResourceName& name, const std::string& why) {
  return Error(ErrorCode::kNotFound, fmt::format("there is no job '{}'", printable(name.id))).why(why);
}

}  // namespace

std::string JobPlace::home_uri(const std::string& job) const {
  const std::size_t end = uri().rfind("/" + job + "/");
  return end == std::string::npos ? uri() : uri().substr(0, end);
}

std::string job_uri_of(const QueuedResource& resource) {
  const Result<Json> document = parse_json(resource.document);
  if (!document.ok()) return "";
  const Json* specs = find_path(*document, {"tpu", "nodeSpec"});
  if (specs == nullptr || !specs->is_array() || specs->empty()) return "";
  const Json* metadata = find_path(specs->front(), {"node", "metadata"});
  return metadata == nullptr ? "" : string_member(*metadata, kJobMetadata);
}

Result<JobPlace> find_job(Api& api, const QueuedResourceName& name, const std::string& bucket_uri) {
  Result<QueuedResource> resource = api.client().get(name);
  if (!resource.ok() && resource.error().code() != ErrorCode::kNotFound) return std::move(resource).error();
  JobPlace place;
  if (bucket_uri.empty()) {
    if (!resource.ok()) {
      return no_job(name, fmt::format("no queued resource of this name is in {}", name.location.zone))
          .next(fmt::format("name its bucket if it is over: --bucket gs://BUCKET/PREFIX"));
    }
    const auto found = place_of(job_uri_of(*resource));
    if (!found) return no_job(name, "the queued resource of this name was not made by slipway launch");
    place = *found;
  } else {
    TRY(const storage::Location home, storage::parse_location(bucket_uri));
    place.bucket = home.bucket;
    storage::Bucket bucket = api.bucket(home.bucket);
    TRY(const std::vector<launch::Launch> all, launch::launches(bucket, home.object(name.id)));
    if (all.empty()) return no_job(name, fmt::format("nothing is below {}", home.below(name.id).uri()));
    place.launch = all.back();
  }
  if (resource.ok()) place.resource = std::move(*resource);
  return place;
}

Result<bool> is_deserted(Api& api, const JobPlace& place) {
  if (!place.resource || job_uri_of(*place.resource) != place.uri()) return true;
  const QueuedResource& resource = *place.resource;
  if (resource.state != QueuedResourceState::kSuspended && resource.state != QueuedResourceState::kFailed)
    return false;
  std::vector<NodeName> names;
  for (const std::string& slice : resource.slice_names()) names.push_back({resource.name.location, slice});
  for (const Result<Node>& node : api.client().get_nodes(names)) {
    if (node.ok()) return false;
    if (node.error().code() != ErrorCode::kNotFound) return node.error();
  }
  return true;
}

Result<void> check_no_live_job(Api& api, const QueuedResource& resource) {
  const auto place = place_of(job_uri_of(resource));
  if (!place) return {};
  const auto finished = api.bucket(place->bucket).find(place->launch.prefix + "/ctl/finished");
  if (finished.ok() && finished->has_value()) return {};
  return Error(ErrorCode::kConflict, fmt::format("the job '{}' runs on these workers", resource.name.id))
      .why("another program there would take its chips")
      .next(fmt::format("slipway status {0}   (or --over-job, for what only looks)",
                        shell_quote(resource.name.id)));
}

}  // namespace slipway::cli
