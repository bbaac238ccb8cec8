#include "slipway/tpu/client.h"

#include <algorithm>
#include <set>

#include "slipway/core/format.h"
#include "slipway/http/attempts.h"
#include "slipway/http/retry.h"
#include "slipway/http/url.h"
#include "tpu/answer.h"
#include "tpu/api_error.h"
#include "tpu/way_to_look.h"
#include "tpu/wire.h"

namespace slipway::tpu {
namespace {

constexpr int kUnauthorized = 401;

std::string named(const QueuedResourceName& name) { return fmt::format("queued resource '{}'", name.id); }
std::string named(const NodeName& name) { return fmt::format("slice '{}'", name.id); }

/// The requests of one kind about many things, all at once, each answer decoded on its own.
template <typename Value, typename Name>
std::vector<Result<Value>> decode_each(std::vector<Outcome> outcomes, const std::vector<Name>& names,
                                       Result<Value> (*decode)(const http::Response&)) {
  std::vector<Result<Value>> values;
  values.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    values.push_back(decoded(std::move(outcomes[i]), named(names[i]), decode));
  return values;
}

}  // namespace

Client::Client(http::Transport& transport, Clock& clock, TokenSource& tokens, ClientOptions options,
               RandomUnit random)
    : transport_(transport),
      clock_(clock),
      tokens_(tokens),
      options_(std::move(options)),
      random_(std::move(random)) {
  while (!options_.endpoint.empty() && options_.endpoint.back() == '/') options_.endpoint.pop_back();
}

Result<QueuedResource> Client::get(const QueuedResourceName& name, ApiVersion version) {
  TRY(QueuedResource resource,
      decoded(send(get_call(name, version)), named(name), wire::decode_queued_resource));
  resource.name = name;  // the API may name the project by its number
  return resource;
}

std::vector<Result<QueuedResource>> Client::get_many(const std::vector<QueuedResourceName>& names) {
  std::vector<Call> calls;
  for (const QueuedResourceName& name : names) calls.push_back(get_call(name));
  std::vector<Result<QueuedResource>> resources =
      decode_each(send(calls), names, wire::decode_queued_resource);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (resources[i].ok()) resources[i]->name = names[i];
  }
  return resources;
}

Result<QueuedResourceList> Client::list(const Location& location, const ListOptions& options) {
  QueuedResourceList list;
  std::set<std::string> seen_names;
  std::set<std::string> seen_unreachable;
  std::set<std::string> seen_tokens;
  std::string token;
  do {
    int page_size = options.page_size;
    const std::size_t left = options.limit - list.resources.size();
    if (options.limit > 0 && page_size > 0)
      page_size = static_cast<int>(std::min<std::size_t>(left, static_cast<std::size_t>(page_size)));
    TRY(wire::Page page, decoded(send(list_call(location, page_size, token, options.version)),
                                 location.path(), wire::decode_page));
    for (QueuedResource& resource : page.resources) {
      if (seen_names.insert(resource.name.path()).second) list.resources.push_back(std::move(resource));
      if (options.limit > 0 && list.resources.size() >= options.limit) return list;
    }
    for (std::string& zone : page.unreachable) {
      if (seen_unreachable.insert(zone).second) list.unreachable.push_back(std::move(zone));
    }
    token = std::move(page.next_page_token);
  } while (!token.empty() && seen_tokens.insert(token).second);
  return list;
}

Result<OfferList> Client::offers(const Location& location, OfferKind kind, const ListOptions& options) {
  const auto decode = kind == OfferKind::kAcceleratorTypes  ? wire::decode_accelerator_types
                      : kind == OfferKind::kRuntimeVersions ? wire::decode_runtime_versions
                                                            : wire::decode_locations;
  OfferList list;
  std::set<std::string> seen_tokens;
  std::string token;
  do {
    TRY(wire::OfferPage page,
        decoded(send(offers_call(location, kind, options.page_size, token, options.version)), location.path(),
                decode));
    std::move(page.offers.begin(), page.offers.end(), std::back_inserter(list.offers));
    std::move(page.unreachable.begin(), page.unreachable.end(), std::back_inserter(list.unreachable));
    token = std::move(page.next_page_token);
  } while (!token.empty() && seen_tokens.insert(token).second);
  return list;
}

Result<Operation> Client::reset(const QueuedResourceName& name) {
  return with_way_to_look(decoded(send(reset_call(name)), named(name), wire::decode_operation), name);
}

Result<std::vector<Node>> Client::list_nodes(const Location& location) {
  std::vector<Node> nodes;
  std::set<std::string> seen_tokens;
  std::string token;
  do {
    TRY(wire::NodePage page,
        decoded(send(list_nodes_call(location, token)), location.path(), wire::decode_node_page));
    std::move(page.nodes.begin(), page.nodes.end(), std::back_inserter(nodes));
    token = std::move(page.next_page_token);
  } while (!token.empty() && seen_tokens.insert(token).second);
  return nodes;
}

std::vector<Result<Node>> Client::get_nodes(const std::vector<NodeName>& names) {
  std::vector<Call> calls;
  for (const NodeName& name : names) calls.push_back(get_node_call(name));
  std::vector<Result<Node>> nodes = decode_each(send(calls), names, wire::decode_node);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].ok()) nodes[i]->name = names[i];
  }
  return nodes;
}

std::vector<Result<std::vector<GuestAttributes>>> Client::guest_attributes(
    const std::vector<NodeName>& names) {
  std::vector<Call> calls;
  for (const NodeName& name : names) calls.push_back(guest_attributes_call(name));
  return decode_each(send(calls), names, wire::decode_guest_attributes);
}

Result<Operation> Client::set_metadata(const NodeName& name,
                                       const std::map<std::string, std::string>& metadata) {
  return decoded(send(set_metadata_call(name, metadata)), named(name), wire::decode_operation);
}

std::vector<Result<Operation>> Client::set_metadata(
    const std::vector<NodeName>& names, const std::vector<std::map<std::string, std::string>>& metadata) {
  std::vector<Call> calls;
  for (std::size_t i = 0; i < names.size(); ++i) calls.push_back(set_metadata_call(names[i], metadata[i]));
  return decode_each(send(calls), names, wire::decode_operation);
}

Result<http::Response> Client::call(const Call& call, const std::string& what) {
  return accepted(send(call), what);
}

Result<Operation> Client::get_operation(const std::string& name) {
  return decoded(send(get_operation_call(name)), fmt::format("operation '{}'", last_segment(name)),
                 wire::decode_operation);
}

http::Request Client::request_for(const Call& call) const {
  http::Request request;
  request.method = call.method;
  request.url = options_.endpoint + call.target();
  request.headers = {{"Accept", "application/json"}};
  if (!call.body.empty()) request.headers.emplace_back("Content-Type", "application/json");
  const std::string project =
      options_.quota_project.empty() ? tokens_.quota_project() : options_.quota_project;
  if (!project.empty()) request.headers.emplace_back("X-Goog-User-Project", project);
  if (!options_.request_reason.empty())
    request.headers.emplace_back("X-Goog-Request-Reason", options_.request_reason);
  request.body = call.body;
  request.idempotent = call.idempotent;
  return request;
}

Result<void> Client::check_endpoint() const {
  TRY(const http::Origin origin, http::parse_origin(options_.endpoint));
  const bool trusted = http::is_within_domain(origin.host, "googleapis.com") ||
                       http::is_loopback_host(origin.host) || options_.allow_host;
  if (trusted) return {};
  return Error(ErrorCode::kUsage, fmt::format("will not send the access token to '{}'", origin.host))
      .why("a token goes to googleapis.com, to loopback, and to an endpoint that you name yourself")
      .next("add --endpoint " + options_.endpoint);
}

Outcome Client::send(const Call& call) { return std::move(send(std::vector<Call>{call}).front()); }

std::vector<Outcome> Client::send(const std::vector<Call>& calls) {
  std::vector<Outcome> outcomes = send_with_token(calls);
  std::vector<Call> refused;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].response.ok() || outcomes[i].response->status != kUnauthorized) continue;
    if (const auto date = http::parse_http_date(outcomes[i].response->header("date")))
      tokens_.note_server_time(*date);
    refused.push_back(calls[i]);
    positions.push_back(i);
  }
  if (refused.empty() || !tokens_.refresh()) return outcomes;
  std::vector<Outcome> repeated = send_with_token(refused);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    repeated[i].earlier_try_may_have_acted |= outcomes[positions[i]].earlier_try_may_have_acted;
    outcomes[positions[i]] = std::move(repeated[i]);
  }
  return outcomes;
}

std::vector<Outcome> Client::send_with_token(const std::vector<Call>& calls) {
  const Result<void> endpoint = check_endpoint();
  if (!endpoint.ok()) return {calls.size(), Outcome{endpoint.error()}};
  const Result<Secret> token = tokens_.token();
  if (!token.ok()) return {calls.size(), Outcome{token.error()}};
  std::vector<http::Request> requests;
  requests.reserve(calls.size());
  for (const Call& call : calls) {
    requests.push_back(request_for(call));
    requests.back().bearer = token.value();
  }
  http::AttemptLimits limits;
  limits.deadline = options_.call_deadline;
  limits.on_wait = options_.on_wait;
  limits.is_retryable = &is_retryable;
  return http::Attempts(transport_, clock_, std::move(limits), random_).run(std::move(requests));
}

}  // namespace slipway::tpu
