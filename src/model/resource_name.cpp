#include "slipway/model/resource_name.h"

#include <cctype>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway {
namespace {

bool in_id_grammar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_.~+%-").find(c) != std::string_view::npos;
}

/// What a name of one collection of the API is made of.
struct NameParts {
  Location location;
  std::string id;
};

/// "ID", completed with `fallback`, or projects/P/locations/Z/<collection>/ID; `what` is a person's word for
/// one of these.
Result<NameParts> parse_name(std::string_view text, const Location& fallback, std::string_view collection,
                             std::string_view what) {
  NameParts name{fallback, std::string(text)};
  if (text.find('/') != std::string_view::npos) {
    const std::vector<std::string> parts = split(text, '/');
    if (parts.size() != 6 || parts[0] != "projects" || parts[2] != "locations" || parts[4] != collection) {
      return Error(ErrorCode::kUsage, fmt::format("'{}' is no name of a {}", printable(text), what))
          .why(fmt::format("write its id, or projects/PROJECT/locations/ZONE/{}/ID", collection));
    }
    name = {{parts[1], parts[3]}, parts[5]};
    TRY(check_resource_id("project", name.location.project));
    TRY(check_resource_id("zone", name.location.zone));
  }
  TRY(check_resource_id(what, name.id));
  return name;
}

}  // namespace

std::string last_segment(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string zone_of(std::string_view path) {
  const std::vector<std::string> parts = split(path, '/');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == "locations") return parts[i + 1];
  }
  return "";
}

Result<void> check_resource_id(std::string_view what, std::string_view id) {
  bool good = !id.empty() && id.front() != '-' && id != "." && id != "..";
  for (const char c : id) good = good && in_id_grammar(c);
  if (good) return {};
  return Error(ErrorCode::kUsage,
               fmt::format("{} '{}' is not a name that the API takes", what, printable(id)))
      .why("letters, digits and _ . ~ + % - only, not beginning with '-'");
}

Result<QueuedResourceName> parse_queued_resource_name(std::string_view text, const Location& fallback) {
  TRY(NameParts name, parse_name(text, fallback, "queuedResources", "queued resource"));
  return QueuedResourceName{std::move(name.location), std::move(name.id)};
}

Result<NodeName> parse_node_name(std::string_view text, const Location& fallback) {
  TRY(NameParts name, parse_name(text, fallback, "nodes", "node"));
  return NodeName{std::move(name.location), std::move(name.id)};
}

}  // namespace slipway
