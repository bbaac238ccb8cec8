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

void StateWatch::operator()(const tpu::Sight& sight) {
  const std::string sentence = sentence_of(name_, sight);
  if (state_of(sight) != state_) {
    state_ = state_of(sight);
    state_since_ = sight.elapsed;
  }
  if (sentence != shown_) {
    shown_ = sentence;
    said_at_ = sight.elapsed;
    say(fmt::format("{}  ({})", sentence, format_duration(sight.elapsed)));
  } else if (services_.streams.err_redraws) {
    draw_line(fmt::format("{}  ({})", sentence, format_duration(sight.elapsed)));
  } else if (sight.elapsed - said_at_ >= 1min) {
    said_at_ = sight.elapsed;
    say(fmt::format("{}  (still, after {})", sentence, format_duration(sight.elapsed)));
  }
  warn_of_long_wait(sight);
}

void StateWatch::warn_of_long_wait(const tpu::Sight& sight) {
  if (warned_ || !queueing(sight) || sight.elapsed - state_since_ < 15min) return;
  warned_ = true;
  say(
      fmt::format("{} has been {} for more than 15 minutes: it waits for capacity, which can take hours. "
                  "Ctrl-C leaves it in the queue.",
                  name_, state_));
}

void StateWatch::say(const std::string& sentence) {
  clear_line();
  services_.say(sentence);
}

void StateWatch::draw_line(const std::string& text) {
  if (services_.quiet) return;
  const std::size_t most = static_cast<std::size_t>(std::max(20, services_.streams.columns - 1));
  services_.streams.err->write("\r\x1b[K" + text.substr(0, most));
  line_drawn_ = true;
}

void StateWatch::clear_line() {
  if (!line_drawn_) return;
  services_.streams.err->write("\r\x1b[K");
  line_drawn_ = false;
}

}  // namespace slipway::cli
