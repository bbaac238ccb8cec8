#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/worker_host.h"
#include "slipway/core/clock.h"

namespace slipway::emulator {

/// A clock that stands still until a test moves it.
class FakeClock final : public Clock {
 public:
  time_point now() const override { return now_; }
  std::chrono::system_clock::time_point wall_now() const override {
    return std::chrono::system_clock::time_point(std::chrono::seconds(1'795'000'000)) +
           std::chrono::duration_cast<std::chrono::system_clock::duration>(now_.time_since_epoch());
  }
  bool sleep_until(time_point when) override { return now_ = when, true; }
  void move(std::chrono::milliseconds by) { now_ += by; }

 private:
  time_point now_{};
};

/// Machines that a test starts and stops by hand, or that obey at once.
class FakeHost final : public WorkerHost {
 public:
  bool obeys_at_once = true;
  std::map<std::string, WorkerState> states;
  std::map<std::string, WorkerBoot> boots;
  std::map<std::string, int> boot_count;
  std::map<std::string, std::vector<SshKey>> keys;
  std::vector<std::string> warned;

  void boot(const WorkerBoot& boot) override {
    boots[boot.address] = boot;
    keys[boot.address] = boot.keys;
    ++boot_count[boot.address];
    states[boot.address] = obeys_at_once ? WorkerState::kUp : WorkerState::kStarting;
  }
  void set_keys(const std::string& address, const std::vector<SshKey>& lines) override {
    keys[address] = lines;
  }
  void warn(const std::string& address) override { warned.push_back(address); }
  void halt(const std::string& address) override {
    if (state(address) == WorkerState::kOff) return;
    states[address] = obeys_at_once ? WorkerState::kOff : WorkerState::kStopping;
  }
  void erase(const std::string& address) override { states.erase(address); }
  WorkerState state(const std::string& address) const override {
    const auto found = states.find(address);
    return found == states.end() ? WorkerState::kOff : found->second;
  }
  std::string host_key(const std::string& address) const override { return "key-of-" + address; }
  std::string failure(const std::string&) const override { return "no luck"; }

  void set_all(WorkerState state) {
    for (auto& entry : states) entry.second = state;
  }
};

}  // namespace slipway::emulator
