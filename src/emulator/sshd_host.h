#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "emulator/metadata_server.h"
#include "emulator/worker_folder.h"
#include "emulator/worker_host.h"
#include "slipway/core/clock.h"

namespace slipway::emulator {

/// Workers as real OpenSSH servers, each in a sandbox of its own on its own loopback address. All calls come
/// from the thread that made it, which has to live as long as the workers (see spawn()). pump() does the
/// work; the other calls only note what is wanted.
class SshdHost final : public WorkerHost {
 public:
  /// `folder` holds one folder a worker; it is emptied. `metadata`, which may be null, and `clock` outlive
  /// the host.
  SshdHost(std::string folder, WorkerSettings settings, MetadataServer* metadata, const Clock& clock);

  /// Starts what is to start, sees what is up, ends what is to end. Blocks for a few milliseconds a worker at
  /// most.
  void pump();
  /// Something is on its way: pump() again soon.
  bool is_busy() const;
  /// Halts every worker and waits until nothing of them is left.
  void halt_all();

  void boot(const WorkerBoot& boot) override;
  void set_keys(const std::string& address, const std::vector<SshKey>& keys) override;
  void warn(const std::string& address) override;
  void halt(const std::string& address) override;
  void erase(const std::string& address) override;
  WorkerState state(const std::string& address) const override;
  std::string host_key(const std::string& address) const override;
  std::string failure(const std::string& address) const override;

 private:
  struct Machine {
    WorkerBoot boot;
    WorkerState state = WorkerState::kOff;
    pid_t pid = 0;  ///< of the sandbox's monitor, or of sshd; 0 when nothing runs
    Clock::time_point deadline{};
    std::string host_key;
    std::string failure;
  };

  WorkerFolder folder_of(const std::string& address) const {
    return {folder_ + "/" + address, address, settings_};
  }
  void start(Machine& machine);
  void look_at_start(Machine& machine, bool listens);
  void stop(Machine& machine);
  void fail(Machine& machine, std::string why);

  std::string folder_;
  WorkerSettings settings_;
  MetadataServer* metadata_;
  const Clock& clock_;
  std::map<std::string, Machine> machines_;  ///< by address
  std::deque<std::string> queue_;            ///< addresses to start, in order
};

}  // namespace slipway::emulator
