#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "tpu/wire.h"

namespace slipway::tpu::wire {
namespace {

using std::chrono::milliseconds;

Json encode_map(const std::map<std::string, std::string>& entries) {
  Json object = Json::object();
  for (const auto& [key, value] : entries) object[key] = value;
  return object;
}

/// protobuf's JSON for a duration: "5400s", "1.5s".
std::string encode_duration(milliseconds duration) {
  if (duration.count() % 1000 == 0) return fmt::format("{}s", duration.count() / 1000);
  return fmt::format("{}.{:03d}s", duration.count() / 1000, duration.count() % 1000);
}

Json encode_network(const CreateSpec& spec) {
  Json network = {{"network", spec.network}, {"enableExternalIps", !spec.internal_ips}};
  if (!spec.subnetwork.empty()) network["subnetwork"] = spec.subnetwork;
  return network;
}

Json encode_card(const NetworkCard& card) {
  Json network = {{"network", card.network}};
  if (!card.subnetwork.empty()) network["subnetwork"] = card.subnetwork;
  if (card.external_ips) network["enableExternalIps"] = *card.external_ips;
  return network;
}

/// One network as an object, or a list of them: the API refuses both at once.
void encode_networks(const CreateSpec& spec, Json& node) {
  if (spec.network_cards.empty()) {
    node["networkConfig"] = encode_network(spec);
    return;
  }
  for (const NetworkCard& card : spec.network_cards) node["networkConfigs"].push_back(encode_card(card));
}

void encode_accelerator(const CreateSpec& spec, Json& node) {
  if (spec.type.empty()) {
    node["acceleratorType"] = to_lower(spec.accelerator_type);
  } else {
    node["acceleratorConfig"] = {{"type", spec.type}, {"topology", to_lower(spec.topology)}};
  }
}

Json encode_service_account(const CreateSpec& spec) {
  Json account = Json::object();
  if (!spec.service_account.empty()) account["email"] = spec.service_account;
  if (!spec.scopes.empty()) account["scope"] = spec.scopes;
  return account;
}

Json encode_disks(const std::vector<DataDisk>& disks) {
  Json list = Json::array();
  for (const DataDisk& disk : disks) {
    Json item = {{"sourceDisk", disk.source}};
    if (!disk.mode.empty()) item["mode"] = disk.mode;
    list.push_back(std::move(item));
  }
  return list;
}

/// int64 travels as a string.
Json encode_boot_disk(const BootDisk& disk) {
  Json config = Json::object();
  if (!disk.kms_key.empty()) config["customerEncryptionKey"]["kmsKeyName"] = disk.kms_key;
  if (disk.confidential_compute) config["enableConfidentialCompute"] = *disk.confidential_compute;
  if (disk.size_gb) config["diskSizeGb"] = std::to_string(*disk.size_gb);
  if (disk.iops) config["provisionedIops"] = std::to_string(*disk.iops);
  if (disk.throughput) config["provisionedThroughput"] = std::to_string(*disk.throughput);
  if (!disk.source_image.empty()) config["sourceImage"] = disk.source_image;
  return config;
}

/// tpu.nodeSpec[].node: what every slice of the request looks like.
Json encode_node(const CreateSpec& spec) {
  Json node = Json::object();
  encode_accelerator(spec, node);
  node["runtimeVersion"] = spec.runtime_version;
  encode_networks(spec, node);
  node["serviceAccount"] = encode_service_account(spec);
  node["metadata"] = encode_map(spec.metadata);
  if (!spec.description.empty()) node["description"] = spec.description;
  if (!spec.cidr_block.empty()) node["cidrBlock"] = spec.cidr_block;
  if (!spec.tags.empty()) node["tags"] = spec.tags;
  if (!spec.labels.empty()) node["labels"] = encode_map(spec.labels);
  if (!spec.data_disks.empty()) node["dataDisks"] = encode_disks(spec.data_disks);
  if (spec.secure_boot) node["shieldedInstanceConfig"]["enableSecureBoot"] = true;
  if (spec.boot_disk.said()) node["bootDiskConfig"] = encode_boot_disk(spec.boot_disk);
  if (spec.autocheckpoint) node["autocheckpointEnabled"] = true;
  return node;
}

/// One slice by its name, or many by their number: the two versions name the second block differently.
void encode_count(const CreateSpec& spec, ApiVersion version, Json& node_spec) {
  if (spec.node_count == 0) {
    node_spec["nodeId"] = spec.node_id;
    return;
  }
  Json many = {{"nodeCount", spec.node_count}};
  if (!spec.node_id_prefix.empty()) many["nodeIdPrefix"] = spec.node_id_prefix;
  if (!spec.workload_type.empty()) many["workloadType"] = spec.workload_type;
  node_spec[version == ApiVersion::kV2Alpha1 ? "multiNodeParams" : "multisliceParams"] = std::move(many);
}

void encode_tier(const CreateSpec& spec, Json& resource) {
  switch (spec.tier) {
    case Tier::kOnDemand:
      return;
    case Tier::kSpot:
      resource["spot"] = Json::object();
      return;
    case Tier::kGuaranteed:
      resource["guaranteed"] = Json::object();
      if (spec.min_duration) resource["guaranteed"]["minDuration"] = encode_duration(*spec.min_duration);
      return;
    case Tier::kBestEffort:
      resource["bestEffort"] = Json::object();
      return;
  }
}

/// A bound as a time, whichever way it was said.
std::string as_time(const std::optional<milliseconds>& span, const std::string& time,
                    std::chrono::system_clock::time_point as_of) {
  return span ? format_rfc3339(as_of + *span) : time;
}

/// Two bounds at once have to be one interval, which knows times only.
void encode_validity(const CreateSpec& spec, Json& resource) {
  const Validity& validity = spec.validity;
  const bool starts = validity.after || !validity.after_time.empty();
  const bool ends = validity.until || !validity.until_time.empty();
  if (!starts && !ends) return;
  Json& policy = resource["queueingPolicy"];
  if (starts && ends) {
    policy["validInterval"] = {{"startTime", as_time(validity.after, validity.after_time, spec.as_of)},
                               {"endTime", as_time(validity.until, validity.until_time, spec.as_of)}};
    return;
  }
  if (validity.after) policy["validAfterDuration"] = encode_duration(*validity.after);
  if (!validity.after_time.empty()) policy["validAfterTime"] = validity.after_time;
  if (validity.until) policy["validUntilDuration"] = encode_duration(*validity.until);
  if (!validity.until_time.empty()) policy["validUntilTime"] = validity.until_time;
}

std::string encode_reservation(const Reservation& reservation, const Location& location) {
  if (!reservation.full_name.empty()) return reservation.full_name;
  const std::string owner = reservation.owner.empty() ? "projects/" + location.project : reservation.owner;
  return fmt::format("{}/locations/{}/reservations/{}", owner, location.zone, reservation.id);
}

}  // namespace

std::string encode_create(const Location& location, const CreateSpec& spec, ApiVersion version) {
  Json node_spec = {{"parent", location.path()}};
  encode_count(spec, version, node_spec);
  node_spec["node"] = encode_node(spec);
  Json resource;
  resource["tpu"]["nodeSpec"] = Json::array({std::move(node_spec)});
  encode_tier(spec, resource);
  encode_validity(spec, resource);
  if (spec.reservation) resource["reservationName"] = encode_reservation(*spec.reservation, location);
  if (!spec.provisioning_model.empty()) resource["provisioningModel"] = spec.provisioning_model;
  if (spec.max_run_duration)
    resource["runDuration"]["maxRunDuration"] = encode_duration(*spec.max_run_duration);
  return dump_json(resource);
}

std::string encode_set_metadata(const std::map<std::string, std::string>& metadata) {
  return dump_json(Json{{"metadata", encode_map(metadata)}});
}

std::string encode_guest_attributes_of_all_workers() {
  return dump_json(Json{{"workerIds", Json::array({""})}});
}

}  // namespace slipway::tpu::wire
