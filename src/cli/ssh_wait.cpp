#include "cli/ssh_wait.h"

#include <algorithm>
#include <optional>

#include "cli/host_key_book.h"
#include "cli/key_propagation.h"
#include "cli/resource_workers.h"
#include "cli/ssh_key.h"
#include "cli/status_line.h"
#include "cli/way.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A worker that boots refuses, or is silent: so long for one round, before the API is looked at again.
constexpr seconds kRound{30};
constexpr seconds kBetweenRounds{2};

/// The workers of one round, and how they are reached.
struct Round {
  std::vector<Worker> workers;
  std::vector<fleet::Target> targets;
  std::optional<HostKeyBook> book;
  bool nothing_published = false;  ///< the API does not let us see what workers publish
};

/// One resource, asked round by round.
class SshWait {
 public:
  SshWait(Api& api, const tpu::Awaited& awaited, const ReachOptions& reach, const SshLogin& login,
          const Settings& settings, Way way, const Countdown& countdown, Services& services)
      : api_(api),
        awaited_(awaited),
        reach_(reach),
        mode_(login.host_keys),
        identity_(login.identity),
        settings_(settings),
        way_(std::move(way)),
        user_(login.user),
        countdown_(countdown),
        services_(services),
        line_(services) {}

  Result<void> run();

 private:
  Result<bool> ask_all();
  Result<bool> has_way();
  Result<Round> next_round();
  Result<bool> judge(const std::vector<fleet::Target>& targets, const std::vector<fleet::Outcome>& outcomes);
  Error timed_out() const;

  Api& api_;
  const tpu::Awaited& awaited_;
  const ReachOptions& reach_;
  HostKeyMode mode_;
  const ssh::Identity& identity_;
  const Settings& settings_;
  Way way_;
  const std::string& user_;
  const Countdown& countdown_;
  Services& services_;
  StatusLine line_;
  std::string said_;
  std::string trouble_;  ///< the first worker that did not answer, and why
};

Result<void> SshWait::run() {
  while (true) {
    TRY(const bool all, ask_all());
    if (all) return {};
    const auto left = countdown_.left();
    if (left && left->count() == 0) return timed_out();
    const auto pause = left ? std::min<milliseconds>(kBetweenRounds, *left) : milliseconds(kBetweenRounds);
    if (!services_.clock.sleep_until(services_.clock.now() + pause))
      return Error(ErrorCode::kInterrupted,
                   fmt::format("interrupted while waiting for the workers of '{}'", awaited_.name.id));
  }
}

/// A resource that does not stay READY ends it here; one whose slices restart is waited for.
Result<Round> SshWait::next_round() {
  tpu::WaitOptions ready;
  ready.goal = tpu::Goal::kReady;
  ready.timeout = countdown_.left();
  TRY(const tpu::Sight sight, tpu::wait_for(api_.client(), awaited_, ready, nullptr));
  SliceSet slices{{SliceSource::Kind::kQueuedResource, awaited_.name.location, awaited_.name.id},
                  sight.resource->slice_names(),
                  sight.resource};
  TRY(ResourceWorkers found,
      find_workers(api_.client(), slices, Selection::all(), Selection::all(), attributes_for(mode_, reach_)));
  if (!found.missing.empty()) return found.missing.front().error;
  TRY(const Admission admission,
      let_in(api_.login_apis(), found.nodes, user_, identity_.public_line(), services_));
  Round round;
  round.nothing_published = !found.without_host_keys.empty() || mode_ == HostKeyMode::kAcceptNew;
  TRY(round.book, HostKeyBook::open(host_key_store(), mode_, awaited_.name.location));
  round.workers = std::move(found.workers);
  for (const Worker& worker : round.workers) {
    round.targets.push_back(target_of(worker, reach_, *round.book));
    round.targets.back().user = admission.user_on(worker.slice);
  }
  return round;
}

/// A wait outlives what it goes through: a jump host that was gone for a while is logged in to again.
Result<bool> SshWait::has_way() {
  if (way_.is_alive()) return true;
  Result<Way> again = Way::open(reach_, identity_.path(), settings_, api_, services_);
  if (again.ok()) {
    way_ = std::move(again).value();
    return true;
  }
  if (again.error().code() != ErrorCode::kUnavailable) return std::move(again).error();
  trouble_ = again.error().message();
  return false;
}

Result<bool> SshWait::ask_all() {
  TRY(const bool there, has_way());
  if (!there) return false;
  TRY(Round round, next_round());
  const std::vector<fleet::Target>& all = round.targets;
  const Result<void> reachable = way_.check(all, round.workers);
  if (!reachable.ok()) {  // what is not published yet comes with the boot
    trouble_ = reachable.error().message();
    return false;
  }
  TRY(fleet::reserve_descriptors(all.size(), (descriptors_a_worker(reach_) - 1) * all.size()));
  fleet::FanOutOptions options;
  options.user = user_;
  options.identity = &identity_;
  options.make_socket = way_.sockets(all, round.workers, user_);
  // A worker that has published nothing yet is waited for; where nothing can be seen, first contact has to
  // do.
  if (round.nothing_published) options.accept_host_key = round.book->accept();
  round.book->say_through([this](std::string_view sentence) { line_.say(std::string(sentence)); });
  options.limits.connect = std::min<milliseconds>(kRound, countdown_.left().value_or(kRound) + seconds(1));
  options.auth_patience = options.limits.connect;
  TRY(options.require, Requirement::parse("any"));
  ssh::RemoteCommand nothing;
  nothing.text = "true";
  TRY(const std::vector<fleet::Outcome> outcomes, fleet::fan_out(
                                                      all, [&](std::size_t) { return nothing; }, options,
                                                      services_.clock, services_.interrupt, *round.book));
  static_cast<void>(round.book->save());  // it is proved again by whoever runs something
  return judge(all, outcomes);
}

Result<bool> SshWait::judge(const std::vector<fleet::Target>& targets,
                            const std::vector<fleet::Outcome>& outcomes) {
  std::size_t answered = 0;
  trouble_.clear();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const fleet::Outcome& outcome = outcomes[i];
    if (outcome.kind == fleet::OutcomeKind::kOk) {
      ++answered;
      continue;
    }
    const std::string trouble = fmt::format("{}: {}", targets[i].label(), outcome.error);
    // A worker that has not published a key yet has no pins: that comes with its boot.
    if (outcome.kind == fleet::OutcomeKind::kHostKey && !targets[i].pins.empty())
      return Error(ErrorCode::kDenied,
                   fmt::format("a worker of '{}' is not who it should be", awaited_.name.id))
          .why(trouble);
    if (trouble_.empty()) trouble_ = trouble;
  }
  const std::string sentence =
      fmt::format("{}: {} of {} workers answer ssh", awaited_.name.id, answered, targets.size());
  if (sentence != said_) line_.say(sentence);
  said_ = sentence;
  return answered == targets.size() && !targets.empty();
}

Error SshWait::timed_out() const {
  return Error(ErrorCode::kTimeout,
               said_.empty() ? fmt::format("{}: no worker was asked", awaited_.name.id) : said_)
      .why(trouble_)
      .next(fmt::format("slipway wait {} --for SSH", shell_quote(awaited_.name.id)));
}

}  // namespace

Result<SshLogin> read_ssh_login(const ReachOptions& reach, Services& services) {
  TRY(const HostKeyMode mode, parse_host_key_mode(reach.host_keys));
  TRY(check_way(reach));
  TRY(std::string user, ssh_user(reach.user));
  TRY(ssh::Identity identity, find_ssh_identity(reach, services));
  return SshLogin{mode, std::move(identity), std::move(user)};
}

Result<void> wait_for_ssh(Api& api, const tpu::Awaited& awaited, const ReachOptions& reach,
                          const SshLogin& login, const Settings& settings, const Countdown& countdown,
                          Services& services) {
  TRY(fleet::reserve_descriptors(0));  // the jump host's ssh begins with the limit that we have then
  TRY(Way way, Way::open(reach, login.identity.path(), settings, api, services));
  return SshWait(api, awaited, reach, login, settings, std::move(way), countdown, services).run();
}

}  // namespace slipway::cli
