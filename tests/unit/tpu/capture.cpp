#include "capture.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/model/accelerator.h"

namespace slipway::tpu {
namespace {

/// Flags of `create` that say how the command behaves and change nothing in the body.
const std::set<std::string> kNotInTheBody = {"--async", "--format", "--zone", "--project",
                                             "--billing-project"};

std::map<std::string, std::string> parse_map(const std::string& text) {
  std::map<std::string, std::string> entries;
  for (const std::string& entry : split(text, ','))
    entries[entry.substr(0, entry.find('='))] = entry.substr(entry.find('=') + 1);
  return entries;
}

/// "flex-start" as the API writes it; what the flag does with its text is tested with the command.
std::string upper_snake(const std::string& text) {
  std::string word;
  for (const char c : text)
    word += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

/// The captured times are whole seconds; the API's form has milliseconds.
std::string in_milliseconds(const std::string& time) { return time.substr(0, 19) + ".000" + time.substr(19); }

using Setter = std::function<void(CreateSpec&, const std::string&)>;
const std::map<std::string, Setter> kSetters = {
    {"--node-id", [](CreateSpec& spec, const std::string& value) { spec.node_id = value; }},
    {"--node-count", [](CreateSpec& spec, const std::string& value) { spec.node_count = std::stoi(value); }},
    {"--node-prefix", [](CreateSpec& spec, const std::string& value) { spec.node_id_prefix = value; }},
    {"--accelerator-type", [](CreateSpec& spec, const std::string& value) { spec.accelerator_type = value; }},
    {"--runtime-version", [](CreateSpec& spec, const std::string& value) { spec.runtime_version = value; }},
    {"--spot", [](CreateSpec& spec, const std::string&) { spec.tier = Tier::kSpot; }},
    {"--guaranteed", [](CreateSpec& spec, const std::string&) { spec.tier = Tier::kGuaranteed; }},
    {"--best-effort", [](CreateSpec& spec, const std::string&) { spec.tier = Tier::kBestEffort; }},
    {"--reserved", [](CreateSpec& spec, const std::string&) { spec.reservation = Reservation(); }},
    {"--network", [](CreateSpec& spec, const std::string& value) { spec.network = value; }},
    {"--subnetwork", [](CreateSpec& spec, const std::string& value) { spec.subnetwork = value; }},
    {"--internal-ips", [](CreateSpec& spec, const std::string&) { spec.internal_ips = true; }},
    {"--description", [](CreateSpec& spec, const std::string& value) { spec.description = value; }},
    {"--tags", [](CreateSpec& spec, const std::string& value) { spec.tags = split(value, ','); }},
    {"--labels", [](CreateSpec& spec, const std::string& value) { spec.labels = parse_map(value); }},
    {"--type",
     [](CreateSpec& spec, const std::string& value) { spec.type = accelerator_api_type(value); }},
    {"--topology", [](CreateSpec& spec, const std::string& value) { spec.topology = value; }},
    {"--workload-type", [](CreateSpec& spec, const std::string& value) { spec.workload_type = value; }},
    {"--min-duration",
     [](CreateSpec& spec, const std::string& value) {
       spec.tier = Tier::kGuaranteed;
       spec.min_duration = parse_duration(value).value();
     }},
    {"--reservation",
     [](CreateSpec& spec, const std::string& value) {
       const bool full = value.find('/') != std::string::npos;
       spec.reservation = full ? Reservation{"", "-", value} : Reservation{"", value, ""};
     }},
    {"--reservation-host-project",
     [](CreateSpec& spec, const std::string& value) { spec.reservation = Reservation{"projects/" + value, "-", ""}; }},
    {"--reservation-host-folder",
     [](CreateSpec& spec, const std::string& value) { spec.reservation = Reservation{"folders/" + value, "-", ""}; }},
    {"--reservation-host-organization",
     [](CreateSpec& spec, const std::string& value) {
       spec.reservation = Reservation{"organizations/" + value, "-", ""};
     }},
    {"--provisioning-model",
     [](CreateSpec& spec, const std::string& value) {
       spec.provisioning_model = upper_snake(value);
       if (spec.provisioning_model == "SPOT") spec.tier = Tier::kSpot;
     }},
    {"--max-run-duration",
     [](CreateSpec& spec, const std::string& value) { spec.max_run_duration = parse_duration(value).value(); }},
    {"--valid-after-duration",
     [](CreateSpec& spec, const std::string& value) { spec.validity.after = parse_duration(value).value(); }},
    {"--valid-until-duration",
     [](CreateSpec& spec, const std::string& value) { spec.validity.until = parse_duration(value).value(); }},
    {"--valid-after-time",
     [](CreateSpec& spec, const std::string& value) { spec.validity.after_time = in_milliseconds(value); }},
    {"--valid-until-time",
     [](CreateSpec& spec, const std::string& value) { spec.validity.until_time = in_milliseconds(value); }},
    {"--network-config",
     [](CreateSpec& spec, const std::string& value) {
       auto keys = parse_map(value);
       NetworkCard card{keys["network"], keys["subnetwork"], std::nullopt};
       if (keys.count("external-ips") > 0) card.external_ips = keys["external-ips"] == "true";
       spec.network_cards.push_back(std::move(card));
     }},
    {"--range", [](CreateSpec& spec, const std::string& value) { spec.cidr_block = value; }},
    {"--service-account", [](CreateSpec& spec, const std::string& value) { spec.service_account = value; }},
    {"--scopes", [](CreateSpec& spec, const std::string& value) { spec.scopes = split(value, ','); }},
    {"--data-disk",
     [](CreateSpec& spec, const std::string& value) {
       auto keys = parse_map(value);
       spec.data_disks.push_back({keys["source"], upper_snake(keys["mode"])});
     }},
    {"--boot-disk",
     [](CreateSpec& spec, const std::string& value) {
       auto keys = parse_map(value);
       spec.boot_disk.kms_key = keys["kms-key"];
       spec.boot_disk.confidential_compute = keys["confidential-compute"] == "True";
     }},
    {"--shielded-secure-boot", [](CreateSpec& spec, const std::string&) { spec.secure_boot = true; }},
    {"--autocheckpoint-enabled", [](CreateSpec& spec, const std::string&) { spec.autocheckpoint = true; }},
    {"--metadata", [](CreateSpec& spec, const std::string& value) { spec.metadata.merge(parse_map(value)); }},
};

Capture read_capture(const std::filesystem::path& path) {
  const Json json = parse_json(read_file(path.string()).value()).value();
  Capture capture;
  capture.name = path.filename().string();
  capture.exit_code = json["exit_code"].get<int>();
  for (const Json& request : json["requests"]) capture.requests.push_back(request);
  for (const auto& file : json["files"].items()) capture.files[file.key()] = file.value().get<std::string>();
  std::vector<std::string> words = split(json["command"].get<std::string>(), ' ');
  auto word = std::find(words.begin(), words.end(), "queued-resources");
  if (word == words.end()) throw std::runtime_error(capture.name + " is no queued-resources command");
  capture.verb = *++word;
  while (++word != words.end()) {
    if (word->rfind("--", 0) == 0) {
      const std::size_t equals = word->find('=');
      capture.flags.emplace(word->substr(0, equals),
                            equals == std::string::npos ? "" : word->substr(equals + 1));
    } else if (capture.resource.empty()) {
      capture.resource = *word;
    }
  }
  const auto setting = [&](const char* flag, const char* variable) {
    return capture.has(flag) ? capture.flag(flag) : string_member(json["env"], variable);
  };
  capture.location = {setting("--project", "CLOUDSDK_CORE_PROJECT"),
                      setting("--zone", "CLOUDSDK_COMPUTE_ZONE")};
  return capture;
}

void flatten_json(const Json& value, const std::string& path, Flat& flat) {
  if (value.is_object() && !value.empty()) {
    for (const auto& item : value.items()) flatten_json(item.value(), path + "." + item.key(), flat);
  } else if (value.is_array() && !value.empty()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      flatten_json(value[i], fmt::format("{}[{}]", path, i), flat);
  } else {
    flat[path] = dump_json(value);
  }
}

/// "/v2/rest" as its two parts.
void flatten_path(const std::string& path, Flat& flat) {
  const std::size_t end = path.find('/', 1);
  flat["version"] = path.substr(1, end - 1);
  flat["path"] = path.substr(end);
}

}  // namespace

std::string Capture::flag(const std::string& wanted) const {
  const auto found = flags.find(wanted);
  return found == flags.end() ? "" : found->second;
}

std::vector<Capture> read_captures(const std::string& folder) {
  std::vector<Capture> captures;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    captures.push_back(read_capture(entry.path()));
  std::sort(captures.begin(), captures.end(),
            [](const Capture& a, const Capture& b) { return a.name < b.name; });
  return captures;
}

QueuedResourceName name_of(const Capture& capture) {
  return parse_queued_resource_name(capture.resource, capture.location).value();
}

CreateSpec spec_of(const Capture& capture, std::set<std::string>& unknown) {
  CreateSpec spec;
  for (const auto& [flag, value] : capture.flags) {
    if (const auto setter = kSetters.find(flag); setter != kSetters.end()) {
      setter->second(spec, value);
    } else if (flag == "--metadata-from-file") {
      for (const auto& [key, file] : parse_map(value)) spec.metadata[key] = capture.files.at(file);
    } else if (kNotInTheBody.count(flag) == 0) {
      unknown.insert(flag);
    }
  }
  // The one capture whose times depend on when it was made: gcloud's start less the hour that was asked for.
  spec.as_of = parse_rfc3339("2026-11-20T09:28:35.546Z").value();
  return spec;
}

Flat flatten(const Json& captured) {
  Flat flat;
  flat["method"] = captured["method"].get<std::string>();
  flatten_path(captured["path"].get<std::string>(), flat);
  for (const auto& item : captured["query"].items())
    flat["query." + item.key()] = item.value().get<std::string>();
  if (!captured["body"].is_null()) flatten_json(captured["body"], "body", flat);
  return flat;
}

Flat flatten(const Call& call) {
  Flat flat;
  flat["method"] = call.method;
  flatten_path(call.path, flat);
  for (const auto& [key, value] : call.query) flat["query." + key] = value;
  if (!call.body.empty()) flatten_json(parse_json(call.body).value(), "body", flat);
  return flat;
}

}  // namespace slipway::tpu
