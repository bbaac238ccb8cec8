#pragma once

#include <vector>

#include "slipway/fleet/fan_out.h"

namespace slipway::report {

/// Tells several reporters the same, in order. They outlive it.
class Tee final : public fleet::Reporter {
 public:
  explicit Tee(std::vector<fleet::Reporter*> reporters) : reporters_(std::move(reporters)) {}

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view text) override;
  /// Congested while one of them is: the workers go as fast as the slowest reader.
  bool congested() const override;
  bool pending() const override;
  int wait_fd() const override;
  std::optional<Clock::time_point> next_drain() const override;
  void drain() override;

 private:
  std::vector<fleet::Reporter*> reporters_;
};

}  // namespace slipway::report
