#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/report/console.h"
#include "slipway/report/run_progress.h"

namespace slipway::report {

/// What is said of a run on stderr while it goes on, in few lines: notices; the end of each of the first
/// workers that failed after their command had begun (the others may wait for them for ever); who is late
/// while the others are ready or done; and, where nothing is drawn, a sign of life once a minute. It drains
/// the console.
class Commentary final : public fleet::Reporter {
 public:
  struct Options {
    bool late_workers = true;  ///< name them
    bool signs_of_life = true;
  };

  /// All outlive it.
  Commentary(const std::vector<fleet::Target>& targets, Console& console, const Clock& clock,
             Options options);

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t, ssh::Stream, std::string_view) override {}
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view text) override;
  bool congested() const override { return console_.congested(); }
  bool pending() const override { return console_.backlog() > 0; }
  int wait_fd() const override { return console_.wait_fd(); }
  std::optional<Clock::time_point> next_drain() const override;
  void drain() override;

 private:
  void say(std::string_view sentence);
  std::vector<std::size_t> late() const;
  bool few_are_late() const;
  std::string sentence_about_late_workers() const;

  const std::vector<fleet::Target>& targets_;
  Console& console_;
  const Clock& clock_;
  Options options_;
  RunProgress progress_;
  std::size_t ends_told_ = 0;
  Clock::time_point said_at_;
  Clock::time_point went_on_at_;  ///< when a worker last became ready or ended
  Clock::duration patience_;
};

}  // namespace slipway::report
