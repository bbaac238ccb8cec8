#include "slipway/tpu/difference.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/http/transport.h"
#include "slipway/model/accelerator.h"
#include "tpu/wire.h"

namespace slipway::tpu {
namespace {

const Json kNone = Json::object();

const Json& first_spec(const Json& resource) {
  const Json* specs = find_path(resource, {"tpu", "nodeSpec"});
  return specs != nullptr && specs->is_array() && !specs->empty() ? (*specs)[0] : kNone;
}

const Json& node_of(const Json& resource) {
  const Json* node = find_member(first_spec(resource), "node");
  return node != nullptr ? *node : kNone;
}

/// A value as a person reads it: text without its quotes.
std::string shown(const Json* value) {
  if (value == nullptr) return "nothing";
  return value->is_string() ? value->get<std::string>() : dump_json(*value);
}

std::string accelerator_text(const Json& node) {
  const std::string type = string_member(node, "acceleratorType");
  if (!type.empty()) return to_lower(type);
  const Json* config = find_member(node, "acceleratorConfig");
  if (config == nullptr) return "nothing";
  return fmt::format("{} {}", string_member(*config, "type"), string_member(*config, "topology"));
}

std::optional<SliceShape> shape_of(const Json& node, bool by_config) {
  const Json* config = find_member(node, "acceleratorConfig");
  if (!by_config) return shape_of_type(string_member(node, "acceleratorType"));
  return config == nullptr
             ? std::nullopt
             : shape_of_topology(string_member(*config, "type"), string_member(*config, "topology"));
}

/// By the words where both use the same ones, else by what they amount to.
bool same_accelerator(const Json& asked, const Json& there) {
  const bool by_config = find_member(asked, "acceleratorConfig") != nullptr;
  if (!by_config && find_member(asked, "acceleratorType") == nullptr) return true;
  const bool there_too = find_member(there, by_config ? "acceleratorConfig" : "acceleratorType") != nullptr;
  if (there_too && by_config) {
    const Json& a = asked["acceleratorConfig"];
    const Json& b = there["acceleratorConfig"];
    return string_member(a, "type") == string_member(b, "type") &&
           to_lower(string_member(a, "topology")) == to_lower(string_member(b, "topology"));
  }
  if (there_too)
    return to_lower(string_member(asked, "acceleratorType")) ==
           to_lower(string_member(there, "acceleratorType"));
  const auto wanted = shape_of(asked, by_config);
  return wanted && wanted == shape_of(there, !by_config);
}

/// What one comparison collects.
class Comparison {
 public:
  void text(const std::string& field, const std::string& there, const std::string& asked) {
    if (there != asked) found_.push_back({field, there, asked});
  }
  /// Only when it was asked for; `same` decides.
  template <typename Same>
  void value(const std::string& field, const Json* there, const Json* asked, Same same) {
    if (asked == nullptr || (there != nullptr && same(*there, *asked))) return;
    found_.push_back({field, shown(there), shown(asked)});
  }
  void equal(const std::string& field, const Json* there, const Json* asked) {
    value(field, there, asked, [](const Json& a, const Json& b) { return shown(&a) == shown(&b); });
  }
  void same_name(const std::string& field, const Json* there, const Json* asked) {
    value(field, there, asked,
          [](const Json& a, const Json& b) { return last_segment(shown(&a)) == last_segment(shown(&b)); });
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  std::vector<Difference> found_;
};

/// Some of `object`'s members by their dotted paths; nullptr through whatever is missing.
const Json* at(const Json& object, const std::string& path) {
  const Json* here = &object;
  for (const std::string& key : split(path, '.')) {
    here = here == nullptr ? nullptr : find_member(*here, key);
  }
  return here;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// "-" asks for any reservation of its owner; and the API may spell an owner as a number.
bool same_reservation(const Json& there, const Json& asked) {
  const std::vector<std::string> a = split(shown(&there), '/');
  const std::vector<std::string> b = split(shown(&asked), '/');
  if (a.size() != 6 || b.size() != 6) return shown(&there) == shown(&asked);
  const bool owner = a[0] == b[0] && (a[1] == b[1] || is_number(a[1]) != is_number(b[1]));
  return owner && a[3] == b[3] && (a[5] == b[5] || b[5] == "-");
}

std::string tier_text(const Json& resource) {
  for (const char* tier : {"spot", "bestEffort", "guaranteed"}) {
    if (find_member(resource, tier) != nullptr) return tier;
  }
  return "on-demand";
}

std::string slices_text(const Json& resource, const std::string& id) {
  http::Response response;
  Json named = resource;
  named["name"] = "projects/p/locations/z/queuedResources/" + id;
  response.body = dump_json(named);
  const Result<QueuedResource> read = wire::decode_queued_resource(response);
  if (!read.ok()) return "unreadable";
  const std::vector<std::string> names = read->slice_names();
  if (names.size() <= 4) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, {} .. {} ({})", names[0], names[1], names.back(), names.size());
}

void compare_network(const Json& there, const Json& asked, Comparison& out) {
  const Json* cards = find_member(asked, "networkConfigs");
  if (cards == nullptr || !cards->is_array()) {
    out.same_name("network", at(there, "networkConfig.network"), at(asked, "networkConfig.network"));
    out.same_name("subnetwork", at(there, "networkConfig.subnetwork"), at(asked, "networkConfig.subnetwork"));
    return;
  }
  const Json* others = find_member(there, "networkConfigs");
  for (std::size_t i = 0; i < cards->size(); ++i) {
    const bool has = others != nullptr && others->is_array() && i < others->size();
    const Json& other = has ? (*others)[i] : kNone;
    for (const char* key : {"network", "subnetwork"})
      out.same_name(fmt::format("networkConfigs[{}].{}", i, key), find_member(other, key),
                    find_member((*cards)[i], key));
  }
}

void compare_node(const Json& there, const Json& asked, Comparison& out) {
  if (!same_accelerator(asked, there))
    out.text("acceleratorType", accelerator_text(there), accelerator_text(asked));
  for (const char* field : {"runtimeVersion", "cidrBlock", "serviceAccount.email", "serviceAccount.scope",
                            "bootDiskConfig.diskSizeGb", "bootDiskConfig.provisionedIops",
                            "bootDiskConfig.provisionedThroughput"})
    out.equal(field, at(there, field), at(asked, field));
  out.same_name("bootDiskConfig.customerEncryptionKey.kmsKeyName",
                at(there, "bootDiskConfig.customerEncryptionKey.kmsKeyName"),
                at(asked, "bootDiskConfig.customerEncryptionKey.kmsKeyName"));
  out.same_name("bootDiskConfig.sourceImage", at(there, "bootDiskConfig.sourceImage"),
                at(asked, "bootDiskConfig.sourceImage"));
  // proto3 leaves false out of what it answers.
  for (const char* field : {"shieldedInstanceConfig.enableSecureBoot", "autocheckpointEnabled",
                            "bootDiskConfig.enableConfidentialCompute"}) {
    const Json* wanted = at(asked, field);
    if (wanted != nullptr && *wanted != false) out.equal(field, at(there, field), wanted);
  }
  compare_network(there, asked, out);
}

}  // namespace

std::vector<Difference> differences(const CreateBody& body, const std::string& id,
                                    const std::string& document) {
  const Result<Json> asked = parse_json(body.json);
  const Result<Json> there = parse_json(document);
  if (!asked.ok() || !there.ok()) return {{"the document", "unreadable", "readable"}};
  Comparison out;
  out.text("slices", slices_text(*there, id), slices_text(*asked, id));
  compare_node(node_of(*there), node_of(*asked), out);
  out.text("tier", tier_text(*there), tier_text(*asked));
  for (const char* field :
       {"guaranteed.minDuration", "guaranteed.reserved", "provisioningModel", "runDuration.maxRunDuration"})
    out.equal(field, at(*there, field), at(*asked, field));
  out.value("reservationName", at(*there, "reservationName"), at(*asked, "reservationName"),
            same_reservation);
  return out.take();
}

}  // namespace slipway::tpu
