// create and delete: the two calls whose repetition must never do a thing twice, nor call a success a
// conflict.
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/client.h"
#include "slipway/tpu/difference.h"
#include "tpu/answer.h"
#include "tpu/way_to_look.h"
#include "tpu/wire.h"

namespace slipway::tpu {
namespace {

using std::chrono::system_clock;

constexpr int kConflict = 409;
constexpr int kNotFound = 404;
/// Date has whole seconds, and it is written a moment after createTime.
constexpr std::chrono::seconds kDateMargin{2};

/// When our first try began, by the server's clock (its Date header), so that a wrong clock here does no
/// harm.
system_clock::time_point first_try_by_server(const Outcome& outcome, const Clock& clock,
                                             Clock::duration since_first_try) {
  const auto elapsed = std::chrono::duration_cast<system_clock::duration>(since_first_try);
  const auto now =
      outcome.response.ok() ? http::parse_http_date(outcome.response.value().header("date")) : std::nullopt;
  return now.value_or(clock.wall_now()) - elapsed - kDateMargin;
}

Operation done_operation(const QueuedResourceName& name, const std::string& verb) {
  Operation operation;
  operation.done = true;
  operation.target = name.path();
  operation.verb = verb;
  return operation;
}

}  // namespace

Result<Operation> Client::create(const QueuedResourceName& name, const CreateBody& body,
                                 const std::string& request_id,
                                 std::optional<system_clock::time_point> may_have_acted_since) {
  const std::string what = fmt::format("queued resource '{}'", name.id);
  const Clock::time_point began = clock_.now();
  const auto since_then =
      may_have_acted_since ? clock_.wall_now() - *may_have_acted_since : system_clock::duration::zero();
  Outcome outcome = send(create_call(name, body, request_id));
  const bool may_be_ours = outcome.earlier_try_may_have_acted || may_have_acted_since;
  if (may_be_ours && outcome.response.ok() && outcome.response->status == kConflict) {
    const Clock::duration since_first_try = clock_.now() - began + since_then;
    const auto not_before = first_try_by_server(outcome, clock_, since_first_try);
    return settle_lost_create(name, body, not_before, accepted(std::move(outcome), what).error());
  }
  return with_way_to_look(decoded(std::move(outcome), what, wire::decode_operation), name);
}

/// ALREADY_EXISTS after a try of ours whose answer was lost: it may be our own resource that exists. It is
/// when it is what we asked for and was made after we began.
Result<Operation> Client::settle_lost_create(const QueuedResourceName& name, const CreateBody& body,
                                             system_clock::time_point not_before, Error conflict) {
  const Result<QueuedResource> found = get(name, body.version);
  if (!found.ok()) return conflict;
  const auto made = parse_rfc3339(found.value().create_time);
  if (made && *made >= not_before && differences(body, name.id, found.value().document).empty())
    return done_operation(name, "create");
  return conflict;
}

Result<Operation> Client::remove(const QueuedResourceName& name, bool force, const std::string& request_id) {
  Outcome outcome = send(delete_call(name, force, request_id));
  // Gone after a try of ours whose answer was lost: that try was the one.
  if (outcome.earlier_try_may_have_acted && outcome.response.ok() && outcome.response->status == kNotFound) {
    return done_operation(name, "delete");
  }
  return with_way_to_look(
      decoded(std::move(outcome), fmt::format("queued resource '{}'", name.id), wire::decode_operation),
      name);
}

}  // namespace slipway::tpu
