#include "cli/first_contact.h"

#include "slipway/core/format.h"

namespace slipway::cli {

Result<void> first_contact(const fleet::Target& worker, const fleet::FanOutOptions& options,
                           HostKeyBook& book, Services& services) {
  book.say_through([&services](std::string_view sentence) { services.say(sentence); });
  ssh::RemoteCommand nothing;
  nothing.text = "true";
  TRY(const std::vector<fleet::Outcome> outcomes,
      fleet::fan_out(
          {worker}, [&](std::size_t) { return nothing; }, options, services.clock, services.interrupt, book));
  const Result<void> kept = book.save();
  if (!kept.ok()) services.say(kept.error().message() + ": the worker's host key is not kept");
  if (services.interrupt.requested())
    return Error::interrupted(services.interrupt.signal_number(), "interrupted before the shell was there");
  const fleet::Outcome& outcome = outcomes.front();
  using Kind = fleet::OutcomeKind;
  // Whatever became of `true`: who came so far gets a shell, or hears from ssh itself why not.
  if (outcome.started_at || outcome.kind == Kind::kOk) return {};
  const bool denied = outcome.kind == Kind::kAuth || outcome.kind == Kind::kHostKey;
  if (outcome.kind == Kind::kHostKey) book.say_what_differs();
  return Error(denied ? ErrorCode::kDenied : ErrorCode::kUnavailable,
               fmt::format("no shell on {}: {}", worker.label(), outcome.error));
}

}  // namespace slipway::cli
