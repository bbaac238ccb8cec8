#include "fleet/engine.h"

#include <algorithm>

#include "fleet/outcome_of.h"
#include "fleet/recording_socket.h"

namespace slipway::fleet {
namespace {

/// An epoll timeout stands still while a laptop sleeps; our deadlines do not. So we look at the time at least
/// this often.
constexpr Clock::duration kLongestSleep = std::chrono::seconds(5);
/// Interrupt::fd() stays readable after the first signal: from then on we look for the second one this often.
constexpr Clock::duration kBetweenLooksForSecondInterrupt = std::chrono::milliseconds(50);
/// For a reader that has no descriptor to wait on.
constexpr Clock::duration kBetweenTriesToWrite = std::chrono::milliseconds(2);
/// A turn over thousands of sessions takes seconds; an interrupt is heard within this many of them.
constexpr std::size_t kSessionsBetweenLooks = 64;

}  // namespace

Engine::Engine(const std::vector<Target>& targets, const CommandFor& command_for,
               const FanOutOptions& options, Clock& clock, const Interrupt& interrupt, Reporter& reporter,
               Reactor reactor)
    : targets_(targets),
      command_for_(command_for),
      options_(options),
      clock_(clock),
      interrupt_(interrupt),
      reporter_(reporter),
      reactor_(std::move(reactor)),
      admission_(start_order(targets), StartWindow(options.max_starting)),
      deadlines_(targets.size()),
      members_(targets.size()),
      outcomes_(targets.size()),
      now_(clock.now()),
      undecided_(targets.size()) {}

std::vector<Outcome> Engine::run() {
  while (true) {
    now_ = clock_.now();
    hear_interrupt();
    climb();
    tell_of_stragglers();
    take_due();
    advance_ready();
    decide_gang();
    start_admitted();
    reporter_.drain();
    if (ended_ == members_.size()) break;
    wait();
  }
  return std::move(outcomes_);
}

void Engine::start_admitted() {
  while (const std::optional<Index> next = admission_.next()) start(*next);
}

void Engine::start(Index i) {
  Member& member = members_[i];
  // How long our own queue held it up is not the worker's fault.
  member.give_up =
      member.tries++ == 0 ? now_ + options_.limits.connect : member.give_up + (now_ - member.began);
  member.began = now_;
  member.stage = Stage::kStarting;
  member.connection = std::make_unique<Connection>();

  const Target& target = targets_[i];
  ssh::SessionOptions session;
  session.user = target.user.empty() ? options_.user : target.user;
  session.pins = target.pins;
  if (options_.accept_host_key)
    session.accept_host_key = [this, i](const ssh::HostKey& key) { return options_.accept_host_key(i, key); };
  session.identity = options_.identity;
  session.limits = options_.limits;
  // A second try may have waited long for its permit: it still gets a fair chance.
  session.limits.connect = std::max(std::chrono::ceil<std::chrono::milliseconds>(member.give_up - now_),
                                    options_.limits.connect / 4);
  auto socket = std::make_unique<RecordingSocket>(make_socket(i), member.connection->socket_error);
  member.connection->session.emplace(
      std::move(socket), std::move(session),
      [this, i](ssh::Stream stream, std::string_view bytes) { reporter_.on_output(i, stream, bytes); });
  reporter_.on_phase(i, ssh::Phase::kConnect);
  queue(i);
}

std::unique_ptr<ssh::Socket> Engine::make_socket(Index i) const {
  if (options_.make_socket) return options_.make_socket(i);
  return std::make_unique<ssh::TcpSocket>(targets_[i].address, targets_[i].port);
}

void Engine::queue(Index i) {
  if (members_[i].queued) return;
  members_[i].queued = true;
  ready_.push_back(i);
}

void Engine::take_due() {
  std::vector<Index> due;
  deadlines_.take_due(now_, due);
  for (const Index i : due) {
    if (members_[i].stage == Stage::kWaiting) {
      members_[i].began = now_;
      admission_.queue_again(i);
    } else if (members_[i].stage != Stage::kEnded) {
      queue(i);
    }
  }
}

void Engine::advance_ready() {
  turn_.swap(ready_);
  ready_.clear();
  std::size_t done = 0;
  for (; done < turn_.size(); ++done) {
    if (done % kSessionsBetweenLooks == kSessionsBetweenLooks - 1) {
      now_ = clock_.now();
      if (interrupt_.count() != interrupts_heard_) break;
    }
    const Index i = turn_[done];
    Member& member = members_[i];
    if (waits_for_our_reader(member)) {
      parked_.push_back(i);
      continue;
    }
    member.queued = false;
    if (member.connection) advance(i);
  }
  ready_.insert(ready_.begin(), turn_.begin() + static_cast<std::ptrdiff_t>(done), turn_.end());
  if (parked_.empty()) return;
  reporter_.drain();
  if (reporter_.congested()) return;
  ready_.insert(ready_.end(), parked_.begin(), parked_.end());
  parked_.clear();
}

/// Only a running command can: what connects, starts or closes has deadlines of its own.
bool Engine::waits_for_our_reader(const Member& member) const {
  return member.stage == Stage::kReleased && !member.has_signal &&
         member.connection->session->phase() == ssh::Phase::kRun && reporter_.congested();
}

void Engine::advance(Index i) {
  Member& member = members_[i];
  member.has_signal = false;
  if (member.needs_command) hand_over_command(i);
  const auto step = member.connection->session->advance(now_);
  report_phase(i);
  if (const auto* want = std::get_if<ssh::Want>(&step)) {
    go_on(i, *want);
  } else if (const auto* done = std::get_if<ssh::Done>(&step)) {
    note_start(i);
    end(i, outcome_of(*done));
  } else {
    fail(i, std::get<ssh::Failed>(step));
  }
}

void Engine::report_phase(Index i) {
  Connection& connection = *members_[i].connection;
  const ssh::Phase phase = connection.session->phase();
  if (phase == connection.told) return;
  connection.told = phase;
  if (phase == ssh::Phase::kRun) note_start(i);
  learn_from(i, phase);
  reporter_.on_phase(i, phase);
}

/// A start whose host key has been checked is half done, counted in round trips.
void Engine::learn_from(Index i, ssh::Phase phase) {
  const Clock::duration so_far = now_ - members_[i].began;
  if (phase == ssh::Phase::kAuth) admission_.window().learn(2 * so_far);
  if (phase == ssh::Phase::kHeld) admission_.window().learn(so_far);
}

void Engine::note_start(Index i) {
  if (!outcomes_[i].started_at) outcomes_[i].started_at = clock_.wall_now();
}

void Engine::go_on(Index i, const ssh::Want& want) {
  Member& member = members_[i];
  if (member.stage == Stage::kStarting && member.connection->session->held()) {
    leave_stage(i);
    member.stage = Stage::kHeld;
    ++held_;
    admission_.window().started();
    if (released_) return release(i);
  }
  deadlines_.set(i, want.until);
  if (want.again) return queue(i);
  reactor_.watch(i, member.connection->session->fd(), want.read, want.write);
}

void Engine::wait() {
  std::vector<Index> heard;
  if (interrupts_heard_ == 0) reactor_.watch(interrupt_token(), interrupt_.fd(), true, false);
  const Clock::duration longest = longest_wait();
  reactor_.wait(longest, heard);
  for (const Index token : heard) {
    if (token < members_.size() && members_[token].connection) queue(token);
  }
  if (reader_watched_) reactor_.forget(reader_token());
  reader_watched_ = false;
}

Clock::duration Engine::longest_wait() {
  if (!ready_.empty()) return Clock::duration::zero();
  Clock::duration longest = kLongestSleep;
  if (interrupts_heard_ > 0) longest = kBetweenLooksForSecondInterrupt;
  if (reporter_.pending() && !wait_for_reader()) longest = std::min(longest, kBetweenTriesToWrite);
  const Clock::time_point now = clock_.now();
  for (const auto& when : {deadlines_.next(), timeout_at_, straggler_look_,
                           ladder_ ? ladder_->next() : std::nullopt, reporter_.next_drain()}) {
    if (when) longest = std::min(longest, std::max(*when - now, Clock::duration::zero()));
  }
  return longest;
}

bool Engine::wait_for_reader() {
  const int fd = reporter_.wait_fd();
  reader_watched_ = fd >= 0 && reactor_.watch(reader_token(), fd, false, true);
  return reader_watched_;
}

}  // namespace slipway::fleet
