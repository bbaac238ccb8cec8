#include "emulator/sshd_host.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "emulator/listening.h"
#include "emulator/process.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

// More at once would only wait for the processor, and keep API requests waiting with them.
constexpr std::size_t kMostStarting = 16;
constexpr std::chrono::seconds kStartLimit{60};
constexpr std::chrono::seconds kStopPatience{2};

}  // namespace

SshdHost::SshdHost(std::string folder, WorkerSettings settings, MetadataServer* metadata, const Clock& clock)
    : folder_(std::move(folder)), settings_(std::move(settings)), metadata_(metadata), clock_(clock) {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void SshdHost::boot(const WorkerBoot& boot) {
  Machine& machine = machines_[boot.address];
  machine.boot = boot;
  machine.state = WorkerState::kStarting;
  machine.failure.clear();
  queue_.push_back(boot.address);
}

void SshdHost::set_keys(const std::string& address, const std::vector<SshKey>& keys) {
  const auto found = machines_.find(address);
  if (found == machines_.end()) return;
  found->second.boot.keys = keys;
  if (found->second.pid == 0) return;  // its boot will write them
  if (const Result<void> set = folder_of(address).set_keys(keys); !set.ok())
    fail(found->second, set.error().message());
}

void SshdHost::warn(const std::string& address) {
  if (state(address) == WorkerState::kUp) folder_of(address).press_power_button();
}

void SshdHost::halt(const std::string& address) {
  const auto found = machines_.find(address);
  if (found == machines_.end() || found->second.state == WorkerState::kStopping) return;
  queue_.erase(std::remove(queue_.begin(), queue_.end(), address), queue_.end());
  Machine& machine = found->second;
  machine.state = machine.pid == 0 ? WorkerState::kOff : WorkerState::kStopping;
  machine.deadline = clock_.now() + kStopPatience;
}

void SshdHost::erase(const std::string& address) {
  folder_of(address).erase();
  if (metadata_ != nullptr) metadata_->forget(address);
  machines_.erase(address);
}

WorkerState SshdHost::state(const std::string& address) const {
  const auto found = machines_.find(address);
  return found == machines_.end() ? WorkerState::kOff : found->second.state;
}

std::string SshdHost::host_key(const std::string& address) const {
  const auto found = machines_.find(address);
  return found == machines_.end() ? "" : found->second.host_key;
}

std::string SshdHost::failure(const std::string& address) const {
  const auto found = machines_.find(address);
  return found == machines_.end() ? "" : found->second.failure;
}

bool SshdHost::is_busy() const {
  return std::any_of(machines_.begin(), machines_.end(), [](const auto& entry) {
    return entry.second.state == WorkerState::kStarting || entry.second.state == WorkerState::kStopping;
  });
}

void SshdHost::pump() {
  if (!is_busy()) return;
  const std::set<std::string> listening = listening_addresses(settings_.ssh_port);
  std::size_t starting = 0;
  for (auto& [address, machine] : machines_) {
    if (machine.state == WorkerState::kStarting && machine.pid != 0)
      look_at_start(machine, listening.count(address) != 0);
    if (machine.state == WorkerState::kStopping) stop(machine);
    if (machine.state == WorkerState::kStarting && machine.pid != 0) ++starting;
  }
  for (; starting < kMostStarting && !queue_.empty(); ++starting) {
    start(machines_.at(queue_.front()));
    queue_.pop_front();
  }
}

void SshdHost::start(Machine& machine) {
  const WorkerFolder folder = folder_of(machine.boot.address);
  const WorkerBoot& boot = machine.boot;
  if (const auto prepared = folder.prepare(boot.keys, boot.startup_script, boot.hostname); !prepared.ok())
    return fail(machine, prepared.error().message());
  if (metadata_ != nullptr) {
    if (const auto listens = metadata_->listen(boot.address); !listens.ok())
      return fail(machine, listens.error().message());
  }
  const Result<pid_t> pid =
      spawn({folder.boot_command(machine.boot.hostname), folder.environment(), folder.console_log()});
  if (!pid.ok()) return fail(machine, pid.error().message());
  machine.pid = *pid;
  machine.deadline = clock_.now() + kStartLimit;
}

void SshdHost::look_at_start(Machine& machine, bool listens) {
  const WorkerFolder folder = folder_of(machine.boot.address);
  if (reap(machine.pid)) {
    machine.pid = 0;
    return fail(machine, fmt::format("it ended while it was starting: {}", folder.last_words()));
  }
  if (listens) {
    machine.host_key = folder.host_key();
    machine.state = WorkerState::kUp;
  } else if (clock_.now() >= machine.deadline) {
    fail(machine,
         fmt::format("sshd does not listen on {} port {}", machine.boot.address, settings_.ssh_port));
  }
}

void SshdHost::stop(Machine& machine) {
  const WorkerFolder folder = folder_of(machine.boot.address);
  bool others = false;
  if (settings_.isolation == Isolation::kNamespaces) {
    kill_namespace(machine.pid);
    if (clock_.now() >= machine.deadline) ::kill(machine.pid, SIGKILL);
  } else {
    others = kill_family(machine.pid, folder.mark());
  }
  if (machine.pid != 0 && reap(machine.pid)) machine.pid = 0;
  if (machine.pid == 0 && !others) machine.state = WorkerState::kOff;
}

void SshdHost::fail(Machine& machine, std::string why) {
  machine.state = WorkerState::kFailed;
  machine.failure = std::move(why);
}

void SshdHost::halt_all() {
  for (auto& [address, machine] : machines_) halt(address);
  while (is_busy()) {
    pump();
    ::usleep(2'000);
  }
}

}  // namespace slipway::emulator
