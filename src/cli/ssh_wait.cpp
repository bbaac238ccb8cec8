#include "cli/ssh_wait.h"

#include <algorithm>

#include "cli/key_propagation.h"
#include "cli/resource_workers.h"
#include "cli/ssh_key.h"
#include "cli/status_line.h"
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

/// Nobody wants to read what `true` says.
class Silent final : public fleet::Reporter {
 public:
  void on_phase(std::size_t, ssh::Phase) override {}
  void on_output(std::size_t, ssh::Stream, std::string_view) override {}
  void on_outcome(std::size_t, const fleet::Outcome&) override {}
  void on_notice(std::string_view) override {}
};

fleet::Target target_of(const Worker& worker, const SshAccess& access) {
  const bool internal = access.internal_ip || worker.endpoint.external_address.empty();
  fleet::Target target;
  target.slice = worker.slice;
  target.slice_index = worker.slice_index;
  target.worker = worker.index;
  target.address = internal ? worker.endpoint.address : worker.endpoint.external_address;
  target.port = access.port;
  target.pins = ssh::to_pins(worker.host_keys);
  return target;
}

/// One resource, asked round by round.
class SshWait {
 public:
  SshWait(Api& api, const tpu::Awaited& awaited, const SshAccess& access, const ssh::Identity& identity,
          std::string user, const Countdown& countdown, Services& services)
      : api_(api),
        awaited_(awaited),
        access_(access),
        identity_(identity),
        user_(std::move(user)),
        countdown_(countdown),
        services_(services),
        line_(services) {}

  Result<void> run();

 private:
  Result<bool> ask_all();
  Result<std::vector<fleet::Target>> targets();
  Result<bool> judge(const std::vector<fleet::Target>& targets, const std::vector<fleet::Outcome>& outcomes);
  Error timed_out() const;

  Api& api_;
  const tpu::Awaited& awaited_;
  const SshAccess& access_;
  const ssh::Identity& identity_;
  std::string user_;
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
Result<std::vector<fleet::Target>> SshWait::targets() {
  tpu::WaitOptions ready;
  ready.goal = tpu::Goal::kReady;
  ready.timeout = countdown_.left();
  TRY(const tpu::Sight sight, tpu::wait_for(api_.client(), awaited_, ready, nullptr));
  SliceSet slices{{SliceSource::Kind::kQueuedResource, awaited_.name.location, awaited_.name.id},
                  sight.resource->slice_names(),
                  sight.resource};
  TRY(const ResourceWorkers found,
      find_workers(api_.client(), slices, Selection::all(), Selection::all(), HostKeys::kFetch));
  TRY(propagate_key(api_.client(), found.nodes, user_, identity_, services_));
  std::vector<fleet::Target> targets;
  for (const Worker& worker : found.workers) targets.push_back(target_of(worker, access_));
  if (!found.missing.empty()) return found.missing.front().error;
  return targets;
}

Result<bool> SshWait::ask_all() {
  TRY(const std::vector<fleet::Target> all, targets());
  TRY(fleet::reserve_descriptors(all.size()));
  fleet::FanOutOptions options;
  options.user = user_;
  options.identity = &identity_;
  options.limits.connect = std::min<milliseconds>(kRound, countdown_.left().value_or(kRound) + seconds(1));
  options.auth_patience = options.limits.connect;
  TRY(options.require, Requirement::parse("any"));
  ssh::RemoteCommand nothing;
  nothing.text = "true";
  Silent silent;
  TRY(const std::vector<fleet::Outcome> outcomes,
      fleet::fan_out(
          all, [&](std::size_t) { return nothing; }, options, services_.clock, services_.interrupt, silent));
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

Result<void> wait_for_ssh(Api& api, const tpu::Awaited& awaited, const SshAccess& access,
                          const Countdown& countdown, Services& services) {
  TRY(const ssh::Identity identity, ssh::Identity::load(ssh_key_path(access.key)));
  TRY(std::string user, ssh_user(access.user));
  return SshWait(api, awaited, access, identity, std::move(user), countdown, services).run();
}

}  // namespace slipway::cli
