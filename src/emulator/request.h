#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/api_error.h"
#include "emulator/schema.h"

namespace slipway::emulator {

/// One request as it came from the wire, decoded but not yet understood.
struct ApiRequest {
  std::string method;
  std::string path;
  std::multimap<std::string, std::string> query;
  std::string host;           ///< the Host header
  std::string authorization;  ///< the Authorization header
  std::string body;
  std::string target = {};                          ///< path and query as they were sent
  std::map<std::string, std::string> headers = {};  ///< by their names in lower case
};

/// /{version}/projects/{project}/locations/{location}/{collection}/{id}:{verb}; parts that the path does not
/// have are empty.
struct Route {
  ApiVersion version = ApiVersion::kV2;
  std::string project;
  std::string location;
  std::string collection;  ///< "queuedResources", "nodes", ..; "locations" when the path ends with it or with
                           ///< a location
  std::string id;
  std::string verb;
};
std::optional<Route> parse_route(const std::string& path);

/// The value of a query parameter; empty when it is not there.
std::string query_value(const ApiRequest& request, const std::string& name);
/// The value of a header, by its name in lower case; empty when it is not there.
std::string header_value(const ApiRequest& request, const std::string& name);
/// Every parameter that is neither one of `own` nor one that all Google APIs have, or that comes twice, is an
/// error.
std::optional<ApiError> check_query(const ApiRequest& request, const std::set<std::string_view>& own);
/// A boolean parameter: proto3 JSON's words in any case (gcloud sends "True"); false when missing.
std::optional<ApiError> read_flag(const ApiRequest& request, const std::string& name, bool& value);

/// One page of `count` items by pageSize and pageToken, as {key: [...], nextPageToken}; `item` makes the n-th.
Answer list_answer(const ApiRequest& request, const std::string& key, std::size_t count,
                   const std::function<Json(std::size_t)>& item);
Answer list_answer(const ApiRequest& request, const std::string& key, const std::vector<Json>& items);

/// queuedResourceId, nodeId and nodeIdPrefix share one grammar.
bool is_resource_id(std::string_view id);

}  // namespace slipway::emulator
