#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fleet/admission.h"
#include "fleet/deadlines.h"
#include "fleet/reactor.h"
#include "fleet/stop_ladder.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/ssh/session.h"

namespace slipway::fleet {

/// One fan-out: a loop that gives each ready session one turn, then waits. A target goes kWaiting ->
/// kStarting -> kHeld -> kReleased -> kEnded; before its command was sent it may go back to kWaiting for
/// another try.
class Engine {
 public:
  Engine(const std::vector<Target>& targets, const CommandFor& command_for, const FanOutOptions& options,
         Clock& clock, const Interrupt& interrupt, Reporter& reporter, Reactor reactor);

  std::vector<Outcome> run();

 private:
  using Index = std::size_t;
  enum class Stage : unsigned char { kWaiting, kStarting, kHeld, kReleased, kEnded };

  /// What only a target that is being worked on needs.
  struct Connection {
    int socket_error = 0;
    ssh::Phase told = ssh::Phase::kConnect;
    std::optional<ssh::Session> session;
  };
  struct Member {
    Stage stage = Stage::kWaiting;
    bool queued = false;         ///< it has its place in ready_ or parked_
    bool needs_command = false;  ///< released, and not told what to run
    bool has_signal = false;     ///< to be sent even while our reader is slow
    unsigned short tries = 0;
    Clock::time_point give_up{};  ///< no other try after this
    Clock::time_point began{};    ///< its last try; or since when it waits for a permit for one
    std::optional<Clock::time_point> refused_at;  ///< when the worker first refused our key
    std::unique_ptr<Connection> connection;
  };

  // The loop (engine.cpp).
  void start_admitted();
  void start(Index i);
  std::unique_ptr<ssh::Socket> make_socket(Index i) const;
  void take_due();
  void advance_ready();
  void advance(Index i);
  void go_on(Index i, const ssh::Want& want);
  void report_phase(Index i);
  void learn_from(Index i, ssh::Phase phase);
  void note_start(Index i);
  void queue(Index i);
  bool waits_for_our_reader(const Member& member) const;
  void wait();
  Clock::duration longest_wait();
  bool wait_for_reader();

  // The gang (gang.cpp).
  void decide_gang();
  void release(Index i);
  void hand_over_command(Index i);
  void end_held_for_want_of_others(std::size_t needed);
  std::string who_is_missing() const;

  // Ends (ends.cpp).
  void fail(Index i, const ssh::Failed& failed);
  bool try_again(Index i, const ssh::Failed& failed);
  void start_fewer(Index i, const ssh::Failed& failed);
  bool ask_again(Index i);
  void wait_for_another_try(Index i, Clock::time_point when);
  void end(Index i, Outcome outcome);
  Outcome as_stopped(Outcome outcome) const;
  void leave_stage(Index i);

  // Stopping (stopping.cpp).
  void hear_interrupt();
  void begin_to_stop();
  void stop_harder();
  void stop_at_last();
  void stop_for_failure();
  void leave();
  void climb();
  void send_signal(std::string_view signal);
  void give_up_on_running(const std::string& why);
  void end_all_that_has_not_begun(const std::string& why);
  std::string running_text() const;
  std::size_t count_begun() const;

  // Stragglers (stragglers.cpp).
  void expect_stragglers();
  void tell_of_stragglers();

  Index interrupt_token() const { return targets_.size(); }
  Index reader_token() const { return targets_.size() + 1; }

  const std::vector<Target>& targets_;
  const CommandFor& command_for_;
  const FanOutOptions& options_;
  Clock& clock_;
  const Interrupt& interrupt_;
  Reporter& reporter_;
  Reactor reactor_;

  Admission admission_;
  Deadlines deadlines_;
  std::vector<Member> members_;
  std::shared_ptr<const std::string> exec_line_;  ///< the last one that was handed over
  std::vector<Outcome> outcomes_;
  std::vector<Index> ready_;
  std::vector<Index> turn_;
  std::vector<Index> parked_;  ///< they have output for us, and our own reader has no room
  Clock::time_point now_;
  std::size_t undecided_;  ///< kWaiting and kStarting
  std::size_t held_ = 0;
  std::size_t ended_ = 0;
  bool released_ = false;
  bool reader_watched_ = false;
  bool told_of_fewer_ = false;
  std::optional<Clock::time_point> timeout_at_;
  bool timed_out_ = false;
  int interrupts_heard_ = 0;
  bool commands_die_with_us_ = true;
  std::optional<StopLadder> ladder_;
  std::size_t failed_ = 0;
  Index last_failed_ = 0;
  std::string stopped_because_;  ///< --fail-fast
  Clock::time_point last_end_{};
  Clock::duration straggler_patience_{};
  std::optional<Clock::time_point> straggler_look_;
};

}  // namespace slipway::fleet
