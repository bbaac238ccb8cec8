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

Error bad_full_name(std::string_view text) {
  return Error(ErrorCode::kUsage, fmt::format("'{}' is no name of a queued resource", printable(text)))
      .why("write its id, or projects/PROJECT/locations/ZONE/queuedResources/ID");
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
  QueuedResourceName name{fallback, std::string(text)};
  if (text.find('/') != std::string_view::npos) {
    const std::vector<std::string> parts = split(text, '/');
    if (parts.size() != 6 || parts[0] != "projects" || parts[2] != "locations" ||
        parts[4] != "queuedResources") {
      return bad_full_name(text);
    }
    name = {{parts[1], parts[3]}, parts[5]};
    TRY(check_resource_id("project", name.location.project));
    TRY(check_resource_id("zone", name.location.zone));
  }
  TRY(check_resource_id("queued resource", name.id));
  return name;
}

}  // namespace slipway
