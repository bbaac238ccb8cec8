// create's words as what they ask for.
#include <algorithm>
#include <charconv>

#include "cli/commands/create.h"
#include "cli/flag_values.h"
#include "cli/scopes.h"
#include "cli/time_values.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/model/accelerator.h"

namespace slipway::cli {
namespace {

constexpr std::size_t kMaxMetadataValue = 256 * 1024;  // of one value, Compute Engine's limit
constexpr int kMaxSlices = 256;

Error usage(std::string message) { return {ErrorCode::kUsage, std::move(message)}; }

/// A flag and whether it was given.
struct Given {
  const char* flag;
  bool given;
};

/// Errors when more than one was given, with the names of the first two.
Result<void> at_most_one(std::initializer_list<Given> flags) {
  std::vector<const char*> given;
  for (const Given& one : flags) {
    if (one.given) given.push_back(one.flag);
  }
  if (given.size() < 2) return {};
  return usage(fmt::format("{} and {} exclude each other", given[0], given[1]));
}

/// "flex-start" and "FLEX_START" alike, as the API writes it. Errors (kUsage): none of `words`.
Result<std::string> parse_word(const char* flag, const std::string& text,
                               const std::vector<std::string>& words) {
  std::string word;
  for (const char c : text)
    word += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) return word;
  const std::string near = nearest(word, words);
  return usage(fmt::format("{}: there is no '{}'", flag, printable(text)))
      .why(near.empty() ? fmt::format("there are {}", fmt::join(words, ", "))
                        : fmt::format("did you mean '{}'?", near));
}

Result<bool> parse_flag(const std::string& flag, const std::string& text) {
  const std::string word = to_lower(text);
  if (word == "true" || word == "yes" || word == "1") return true;
  if (word == "false" || word == "no" || word == "0") return false;
  return usage(fmt::format("{}: '{}' is neither true nor false", flag, printable(text)));
}

Result<std::int64_t> parse_count(const std::string& flag, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc() && end == text.data() + text.size() && number > 0) return number;
  return usage(fmt::format("{}: '{}' is not a number from 1 on", flag, printable(text)));
}

/// The keys of one value of a flag such as --data-disk. Errors (kUsage): one that is not in `known`.
Result<std::map<std::string, std::string>> parse_keys(const std::string& flag, const std::string& text,
                                                      const std::vector<std::string>& known) {
  TRY(auto keys, parse_dict(flag, {text}));
  for (const auto& [key, value] : keys) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return usage(fmt::format("{}: there is no key '{}'", flag, printable(key)))
        .why(fmt::format("there are {}", fmt::join(known, ", ")));
  }
  return keys;
}

Result<void> check_required(const ShapeOptions& options) {
  std::string missing;
  if (options.accelerator_type.empty() && options.type.empty() && options.topology.empty())
    missing = "--accelerator-type (for example v4-16)";
  if (options.node_id.empty() && options.node_count == 0) {
    missing += missing.empty() ? "" : " and ";
    missing += "--node-count N for several slices, or --node-id NAME for one";
  }
  if (missing.empty()) return {};
  return usage(fmt::format("{} must be given", missing)).next("slipway create --help");
}

Result<void> read_count(const ShapeOptions& options, CreateSpec& spec) {
  const bool one = !options.node_id.empty();
  if (!one && (options.node_count < 2 || options.node_count > kMaxSlices)) {
    return usage(fmt::format("--node-count {} is not from 2 to {}", options.node_count, kMaxSlices))
        .why(options.node_count == 1 ? "one slice is asked for with --node-id NAME" : "");
  }
  if (one) TRY(check_resource_id("--node-id", options.node_id));
  if (!options.node_prefix.empty()) TRY(check_resource_id("--node-prefix", options.node_prefix));
  spec.node_id = options.node_id;
  spec.node_count = options.node_count;
  spec.node_id_prefix = options.node_prefix;
  TRY(spec.workload_type, parse_word("--workload-type", options.workload_type,
                                     {"THROUGHPUT_OPTIMIZED", "AVAILABILITY_OPTIMIZED"}));
  return {};
}

Result<void> read_accelerator(const ShapeOptions& options, CreateSpec& spec) {
  const bool by_name = !options.accelerator_type.empty();
  if (options.type.empty() != options.topology.empty())
    return usage("--type and --topology belong together").next("add --topology 2x2x4, or the like");
  spec.accelerator_type = to_lower(options.accelerator_type);
  if (!options.type.empty()) spec.type = accelerator_api_type(options.type);
  spec.topology = to_lower(options.topology);
  spec.runtime_version = options.runtime_version;
  const std::string& accelerator = by_name ? spec.accelerator_type : spec.type;
  if (spec.runtime_version.empty()) spec.runtime_version = default_runtime_version(accelerator);
  if (!spec.runtime_version.empty()) return {};
  return usage(fmt::format("--runtime-version must be given: none is known for '{}'", printable(accelerator)))
      .next("slipway runtime-versions");
}

Result<void> read_tier(const ShapeOptions& options, CreateSpec& spec) {
  const bool reserved =
      options.reserved || !options.reservation.empty() || !options.reservation_host_project.empty() ||
      !options.reservation_host_folder.empty() || !options.reservation_host_organization.empty();
  const bool guaranteed = options.guaranteed || !options.min_duration.empty();
  if (options.spot) spec.tier = Tier::kSpot;
  if (options.best_effort) spec.tier = Tier::kBestEffort;
  if (guaranteed) spec.tier = Tier::kGuaranteed;
  TRY(spec.min_duration, parse_span("--min-duration", options.min_duration));
  TRY(spec.max_run_duration, parse_span("--max-run-duration", options.max_run_duration));
  TRY(spec.provisioning_model, parse_word("--provisioning-model", options.provisioning_model,
                                          {"STANDARD", "SPOT", "RESERVATION_BOUND", "FLEX_START"}));
  const std::string& model = spec.provisioning_model;
  if (options.spot && !model.empty() && model != "SPOT")
    return usage(fmt::format("--spot and --provisioning-model {} exclude each other", model));
  if (model != "SPOT") return {};
  // The model alone would leave the request in the standard tier.
  TRY(at_most_one({{"--provisioning-model spot", true},
                   {"--best-effort", options.best_effort},
                   {"--guaranteed", guaranteed},
                   {"--reservation", reserved}}));
  spec.tier = Tier::kSpot;
  return {};
}

Result<void> read_reservation(const ShapeOptions& options, CreateSpec& spec) {
  const std::pair<const char*, const std::string*> hosts[] = {
      {"projects", &options.reservation_host_project},
      {"folders", &options.reservation_host_folder},
      {"organizations", &options.reservation_host_organization}};
  const bool full = options.reservation.find('/') != std::string::npos;
  TRY(at_most_one({{"--reservation-host-project", !hosts[0].second->empty()},
                   {"--reservation-host-folder", !hosts[1].second->empty()},
                   {"--reservation-host-organization", !hosts[2].second->empty()},
                   {"a full name in --reservation", full}}));
  Reservation reservation;
  for (const auto& [kind, id] : hosts) {
    if (id->empty()) continue;
    TRY(check_resource_id("--reservation-host-...", *id));
    reservation.owner = fmt::format("{}/{}", kind, *id);
  }
  if (full) {
    const std::vector<std::string> parts = split(options.reservation, '/');
    if (parts.size() != 6 || parts[2] != "locations" || parts[4] != "reservations" || parts[5].empty()) {
      return usage(fmt::format("--reservation: '{}' is no full name", printable(options.reservation)))
          .why("write NAME, or projects/PROJECT/locations/ZONE/reservations/NAME");
    }
    reservation.full_name = options.reservation;
  } else if (!options.reservation.empty()) {
    TRY(check_resource_id("--reservation", options.reservation));
    reservation.id = options.reservation;
  }
  const bool said = options.reserved || !options.reservation.empty() || !reservation.owner.empty();
  if (said) spec.reservation = std::move(reservation);
  return {};
}

Result<void> read_validity(const ShapeOptions& options, CreateSpec& spec) {
  Validity& validity = spec.validity;
  TRY(validity.after, parse_span("--valid-after-duration", options.valid_after_duration));
  TRY(validity.until, parse_span("--valid-until-duration", options.valid_until_duration));
  TRY(validity.after_time, parse_time("--valid-after-time", options.valid_after_time));
  TRY(validity.until_time, parse_time("--valid-until-time", options.valid_until_time));
  const auto start =
      validity.after ? spec.as_of + *validity.after : parse_rfc3339(validity.after_time).value_or(spec.as_of);
  const auto end =
      validity.until ? std::optional(spec.as_of + *validity.until) : parse_rfc3339(validity.until_time);
  const bool starts = validity.after || !validity.after_time.empty();
  if (!starts || !end || *end > start) return {};
  return usage("the request would end being valid before it begins")
      .why(fmt::format("from {} until {}", format_rfc3339(start), format_rfc3339(*end)));
}

Result<void> read_networks(const ShapeOptions& options, CreateSpec& spec) {
  if (!options.network.empty()) spec.network = options.network;
  spec.subnetwork = options.subnetwork;
  spec.internal_ips = options.internal_ips;
  spec.cidr_block = options.range;
  for (const std::string& text : options.network_config) {
    TRY(auto keys, parse_keys("--network-config", text, {"network", "subnetwork", "external-ips"}));
    NetworkCard card{keys["network"], keys["subnetwork"], std::nullopt};
    if (card.network.empty()) card.network = "default";
    if (!keys["external-ips"].empty()) {
      TRY(card.external_ips, parse_flag("--network-config external-ips", keys["external-ips"]));
    }
    spec.network_cards.push_back(std::move(card));
  }
  return {};
}

Result<void> read_disks(const ShapeOptions& options, CreateSpec& spec) {
  for (const std::string& text : options.data_disk) {
    TRY(auto keys, parse_keys("--data-disk", text, {"source", "mode"}));
    if (keys["source"].empty())
      return usage(fmt::format("--data-disk: '{}' has no source", printable(text)))
          .next("add source=projects/PROJECT/zones/ZONE/disks/DISK");
    DataDisk disk{keys["source"], ""};
    TRY(disk.mode, parse_word("--data-disk mode", keys["mode"], {"READ_ONLY", "READ_WRITE"}));
    spec.data_disks.push_back(std::move(disk));
  }
  if (options.boot_disk.empty()) return {};
  TRY(auto keys, parse_keys("--boot-disk", options.boot_disk,
                            {"kms-key", "confidential-compute", "size-gb", "iops", "throughput", "image"}));
  BootDisk& disk = spec.boot_disk;
  disk.kms_key = keys["kms-key"];
  disk.source_image = keys["image"];
  if (const std::string& text = keys["confidential-compute"]; !text.empty()) {
    TRY(disk.confidential_compute, parse_flag("--boot-disk confidential-compute", text));
  }
  const std::pair<const char*, std::optional<std::int64_t>*> numbers[] = {
      {"size-gb", &disk.size_gb}, {"iops", &disk.iops}, {"throughput", &disk.throughput}};
  for (const auto& [key, value] : numbers) {
    if (keys[key].empty()) continue;
    TRY(*value, parse_count(fmt::format("--boot-disk {}", key), keys[key]));
  }
  return {};
}

Result<std::map<std::string, std::string>> metadata_of(const ShapeOptions& options) {
  TRY(auto metadata, parse_dict("--metadata", options.metadata));
  TRY(auto files, parse_dict("--metadata-from-file", options.metadata_from_file));
  if (!options.startup_script.empty() && !files.emplace("startup-script", options.startup_script).second)
    return usage("--startup-script and --metadata-from-file startup-script=... exclude each other");
  for (const auto& [key, path] : files) {
    TRY(std::string content, read_file(path, kMaxMetadataValue));
    if (!metadata.emplace(key, std::move(content)).second)
      return usage(fmt::format("the metadata key '{}' is given twice", printable(key)));
  }
  for (const auto& [key, value] : metadata) {
    if (value.size() > kMaxMetadataValue)
      return usage(fmt::format("the metadata value of '{}' is larger than 256 KiB", printable(key)));
    if (!is_utf8(value))
      return usage(fmt::format("the metadata value of '{}' is not UTF-8 text", printable(key)));
  }
  return metadata;
}

}  // namespace

Result<CreateSpec> create_spec(const ShapeOptions& options, std::chrono::system_clock::time_point now) {
  CreateSpec spec;
  spec.as_of = now;
  TRY(check_required(options));
  TRY(check_shape_rivals(options));
  TRY(read_accelerator(options, spec));
  TRY(read_count(options, spec));
  TRY(read_tier(options, spec));
  TRY(read_reservation(options, spec));
  TRY(read_validity(options, spec));
  TRY(read_networks(options, spec));
  TRY(read_disks(options, spec));
  spec.service_account = options.service_account;
  spec.scopes = expand_scopes(parse_list(options.scopes));
  spec.secure_boot = options.shielded_secure_boot;
  spec.autocheckpoint = options.autocheckpoint_enabled;
  spec.description = options.description;
  spec.tags = parse_list(options.tags);
  TRY(spec.labels, parse_dict("--labels", options.labels));
  TRY(spec.metadata, metadata_of(options));
  return spec;
}

}  // namespace slipway::cli
