#include "slipway/report/tee.h"

#include <algorithm>

namespace slipway::report {

void Tee::on_phase(std::size_t target, ssh::Phase phase) {
  for (fleet::Reporter* reporter : reporters_) reporter->on_phase(target, phase);
}

void Tee::on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) {
  for (fleet::Reporter* reporter : reporters_) reporter->on_output(target, stream, bytes);
}

void Tee::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  for (fleet::Reporter* reporter : reporters_) reporter->on_outcome(target, outcome);
}

void Tee::on_notice(std::string_view text) {
  for (fleet::Reporter* reporter : reporters_) reporter->on_notice(text);
}

bool Tee::congested() const {
  return std::any_of(reporters_.begin(), reporters_.end(),
                     [](const auto* reporter) { return reporter->congested(); });
}

bool Tee::pending() const {
  return std::any_of(reporters_.begin(), reporters_.end(),
                     [](const auto* reporter) { return reporter->pending(); });
}

int Tee::wait_fd() const {
  for (const fleet::Reporter* reporter : reporters_) {
    if (reporter->congested()) return reporter->wait_fd();
  }
  for (const fleet::Reporter* reporter : reporters_) {
    if (reporter->pending()) return reporter->wait_fd();
  }
  return -1;
}

std::optional<Clock::time_point> Tee::next_drain() const {
  std::optional<Clock::time_point> first;
  for (const fleet::Reporter* reporter : reporters_) {
    const std::optional<Clock::time_point> when = reporter->next_drain();
    if (when && (!first || *when < *first)) first = when;
  }
  return first;
}

void Tee::drain() {
  for (fleet::Reporter* reporter : reporters_) reporter->drain();
}

}  // namespace slipway::report
