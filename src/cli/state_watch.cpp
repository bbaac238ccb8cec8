#include "cli/state_watch.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;

std::string state_of(const tpu::Sight& sight) { return sight.resource ? sight.resource->state_text : "gone"; }

std::string sentence_of(const std::string& name, const tpu::Sight& sight) {
  std::string text = fmt::format("{}: {}", name, printable(state_of(sight)));
  if (sight.nodes_total > 0)
    text += fmt::format(", {} of {} slices ready", sight.nodes_ready, sight.nodes_total);
  return text;
}

bool queueing(const tpu::Sight& sight) {
  if (!sight.resource) return false;
  const QueuedResourceState state = sight.resource->state;
  return state == QueuedResourceState::kWaitingForResources || state == QueuedResourceState::kProvisioning;
}

}  // namespace

bool StateNotes::note(const tpu::Sight& sight) {
  const std::string sentence = sentence_of(name_, sight);
  if (state_of(sight) != state_) {
    state_ = state_of(sight);
    state_since_ = sight.elapsed;
  }
  const bool changed = sentence != shown_;
  const bool a_minute = !services_.streams.err_redraws && sight.elapsed - said_at_ >= 1min;
  shown_ = sentence;
  if (changed || a_minute) {
    said_at_ = sight.elapsed;
    line_.say(
        fmt::format("{}  ({}{})", sentence, changed ? "" : "still, after ", format_duration(sight.elapsed)));
  }
  warn_of_long_wait(sight);
  return changed || a_minute;
}

void StateNotes::warn_of_long_wait(const tpu::Sight& sight) {
  if (warned_ || !queueing(sight) || sight.elapsed - state_since_ < 15min) return;
  warned_ = true;
  line_.say(
      fmt::format("{} has been {} for more than 15 minutes: it waits for capacity, which can take hours. "
                  "Ctrl-C leaves it in the queue.",
                  name_, state_));
}

StateWatch::StateWatch(const std::vector<std::string>& names, Services& services) : line_(services) {
  for (const std::string& name : names) notes_.emplace_back(name, services, line_);
}

void StateWatch::operator()(std::size_t index, const tpu::Sight& sight) {
  if (!notes_[index].note(sight)) draw(sight);
}

void StateWatch::draw(const tpu::Sight& sight) {
  std::string text = notes_.size() == 1 ? "" : format_duration(sight.elapsed);
  for (const StateNotes& notes : notes_) text += (text.empty() ? "" : " | ") + notes.sentence();
  line_.draw(notes_.size() == 1 ? fmt::format("{}  ({})", text, format_duration(sight.elapsed)) : text);
}

}  // namespace slipway::cli
