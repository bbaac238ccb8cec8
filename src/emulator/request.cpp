#include "emulator/request.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::int64_t kDefaultPage = 500;
constexpr std::int64_t kLargestPage = 1'000;

std::optional<ApiVersion> parse_version(const std::string& word) {
  for (const ApiVersion version : {ApiVersion::kV1, ApiVersion::kV2, ApiVersion::kV2Alpha1}) {
    if (word == to_string(version)) return version;
  }
  return std::nullopt;
}

const std::set<std::string_view>& common_parameters() {
  static const std::set<std::string_view> all = {
      "alt",         "fields",     "prettyPrint",     "quotaUser", "key",  "callback", "access_token",
      "oauth_token", "uploadType", "upload_protocol", "$.xgafv",   "$alt", "$fields"};
  return all;
}

void split_verb(std::string& id, std::string& verb) {
  const std::size_t colon = id.rfind(':');
  if (colon == std::string::npos) return;
  verb = id.substr(colon + 1);
  id.erase(colon);
}

std::optional<std::int64_t> parse_number(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoll(text);
}

// A token is "at:N" in base64url: opaque, and refused when somebody makes one up.
std::optional<std::size_t> parse_page_token(const std::string& token) {
  if (token.empty()) return 0;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '-' || token[i] == '_') return std::nullopt;
  }
  const auto text = base64_decode(token + std::string((4 - token.size() % 4) % 4, '='));
  if (!text || text->rfind("at:", 0) != 0) return std::nullopt;
  const auto number = parse_number(text->substr(3));
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

}  // namespace

std::optional<Route> parse_route(const std::string& path) {
  const std::vector<std::string> parts = split(path, '/');
  if (parts.size() < 5 || parts.size() > 8 || !parts[0].empty()) return std::nullopt;
  if (parts[2] != "projects" || parts[4] != "locations") return std::nullopt;
  if (std::any_of(parts.begin() + 1, parts.end(), [](const std::string& part) { return part.empty(); }))
    return std::nullopt;
  const auto version = parse_version(parts[1]);
  if (!version) return std::nullopt;
  Route route{*version, parts[3], "", "locations", "", ""};
  if (parts.size() > 5) route.location = parts[5];
  if (parts.size() > 6) route.collection = parts[6];
  if (parts.size() > 7) route.id = parts[7];
  split_verb(route.id, route.verb);
  return route;
}

std::string query_value(const ApiRequest& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

std::string header_value(const ApiRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

std::optional<ApiError> check_query(const ApiRequest& request, const std::set<std::string_view>& own) {
  for (const auto& [name, value] : request.query) {
    if (own.count(name) == 0 && common_parameters().count(name) == 0) {
      return bad_field(
          name, fmt::format("Unknown query parameter \"{}\" for {} {}", name, request.method, request.path));
    }
    if (request.query.count(name) > 1)
      return bad_field(name, fmt::format("Query parameter \"{}\" is given twice", name));
  }
  return std::nullopt;
}

std::optional<ApiError> read_flag(const ApiRequest& request, const std::string& name, bool& value) {
  const std::string word = to_lower(query_value(request, name));
  value = word == "true" || word == "1";
  if (value || word.empty() || word == "false" || word == "0") return std::nullopt;
  return bad_field(name, fmt::format("Invalid value \"{}\" for the boolean parameter \"{}\"",
                                     query_value(request, name), name));
}

Answer list_answer(const ApiRequest& request, const std::string& key, std::size_t count,
                   const std::function<Json(std::size_t)>& item) {
  const std::string size_text = query_value(request, "pageSize");
  const auto size = size_text.empty() ? 0 : parse_number(size_text);
  if (!size) return bad_field("pageSize", "pageSize has to be a number that is not negative").answer();
  const auto begin = parse_page_token(query_value(request, "pageToken"));
  if (!begin) return bad_field("pageToken", "pageToken is not one that this list gave").answer();

  const auto length = static_cast<std::size_t>(*size == 0 ? kDefaultPage : std::min(*size, kLargestPage));
  const std::size_t end = std::min(count, *begin + length);
  Answer answer;
  for (std::size_t i = *begin; i < end; ++i) answer.body[key].push_back(item(i));
  if (end < count) answer.body["nextPageToken"] = base64url_encode(fmt::format("at:{}", end));
  return answer;
}

Answer list_answer(const ApiRequest& request, const std::string& key, const std::vector<Json>& items) {
  return list_answer(request, key, items.size(), [&items](std::size_t i) { return items[i]; });
}

bool is_resource_id(std::string_view id) {
  return !id.empty() && id.size() <= 63 && std::all_of(id.begin(), id.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.~+%-").find(c) != std::string_view::npos;
  });
}

}  // namespace slipway::emulator
