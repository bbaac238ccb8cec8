#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/random.h"
#include "slipway/http/attempts.h"
#include "slipway/http/transport.h"
#include "slipway/model/create_spec.h"
#include "slipway/model/node.h"
#include "slipway/model/operation.h"
#include "slipway/model/queued_resource.h"
#include "slipway/tpu/call.h"
#include "slipway/tpu/credentials.h"

namespace slipway::tpu {

using http::Outcome;

struct ClientOptions {
  std::string endpoint = "https://tpu.googleapis.com";  ///< without a trailing slash
  std::string quota_project;   ///< X-Goog-User-Project; empty for the credentials' own
  std::string request_reason;  ///< X-Goog-Request-Reason, for audit logs; empty for none
  /// The user named this endpoint: it may be given the token although it is outside of googleapis.com and
  /// loopback.
  bool allow_host = false;
  /// All tries of one call together.
  std::chrono::milliseconds call_deadline{60'000};
  /// Told, now and then, why there is no answer yet.
  std::function<void(const std::string&)> on_wait;
};

/// All pages of a list, in the API's order, without repetitions.
struct QueuedResourceList {
  std::vector<QueuedResource> resources;
  std::vector<std::string> unreachable;  ///< zones that did not answer
};

struct ListOptions {
  ApiVersion version = ApiVersion::kV2;
  int page_size = 0;      ///< 0: the server's own
  std::size_t limit = 0;  ///< 0: no limit
};

/// The TPU API. Every call is retried by its policy until the deadline; every error says what the API said.
/// Error codes: kDenied (401 after one refresh, 403), kNotFound (404), kConflict (409, 412,
/// FAILED_PRECONDITION), kQuota (429 with a quota, RESOURCE_EXHAUSTED), kUnavailable (no answer, 5xx until
/// the end), kFailed (400 and all else).
class Client {
 public:
  /// All outlive the client.
  Client(http::Transport& transport, Clock& clock, TokenSource& tokens, ClientOptions options,
         RandomUnit random = system_random_unit());

  Result<QueuedResource> get(const QueuedResourceName& name, ApiVersion version = ApiVersion::kV2);
  /// In the order of `names`, many at once.
  std::vector<Result<QueuedResource>> get_many(const std::vector<QueuedResourceName>& names);
  /// What a zone, or a project, offers. Of `options` the page size and the version count.
  Result<OfferList> offers(const Location& location, OfferKind kind, const ListOptions& options = {});
  Result<QueuedResourceList> list(const Location& location, const ListOptions& options = {});
  /// A 409 after one of our own tries may have arrived (its answer was lost) is answered by looking: see
  /// create.cpp. `may_have_acted_since`: an earlier process may have sent the same since then, by our clock.
  Result<Operation> create(
      const QueuedResourceName& name, const CreateBody& body, const std::string& request_id,
      std::optional<std::chrono::system_clock::time_point> may_have_acted_since = std::nullopt);
  Result<Operation> remove(const QueuedResourceName& name, bool force, const std::string& request_id);
  Result<Operation> reset(const QueuedResourceName& name);

  /// All nodes of a zone, whatever made them, in the API's order.
  Result<std::vector<Node>> list_nodes(const Location& location);
  /// In the order of `names`, many at once.
  std::vector<Result<Node>> get_nodes(const std::vector<NodeName>& names);
  /// One entry a worker, in worker order, for each node.
  std::vector<Result<std::vector<GuestAttributes>>> guest_attributes(const std::vector<NodeName>& names);
  Result<Operation> set_metadata(const NodeName& name, const std::map<std::string, std::string>& metadata);
  Result<Operation> get_operation(const std::string& name);

  /// The same for many nodes at once, in the order of `names`.
  std::vector<Result<Operation>> set_metadata(
      const std::vector<NodeName>& names, const std::vector<std::map<std::string, std::string>>& metadata);
  /// A call of another Google API, by a client with that API's endpoint: an answer of 2xx, or the error that
  /// it is. `what` names what was asked for.
  Result<http::Response> call(const Call& call, const std::string& what);

  /// The request as it would be sent, without the token.
  http::Request request_for(const Call& call) const;
  Clock& clock() { return clock_; }

 private:
  /// Each with the token, which is refreshed once if it is refused, and with all the tries that help.
  std::vector<Outcome> send(const std::vector<Call>& calls);
  Outcome send(const Call& call);
  std::vector<Outcome> send_with_token(const std::vector<Call>& calls);
  Result<void> check_endpoint() const;
  Result<Operation> settle_lost_create(const QueuedResourceName& name, const CreateBody& body,
                                       std::chrono::system_clock::time_point not_before, Error conflict);

  http::Transport& transport_;
  Clock& clock_;
  TokenSource& tokens_;
  ClientOptions options_;
  RandomUnit random_;
};

}  // namespace slipway::tpu
