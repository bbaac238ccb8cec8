#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "emulator/sandbox.h"
#include "emulator/ssh_keys.h"
#include "slipway/core/result.h"

namespace slipway::emulator {

/// What is the same for all workers.
struct WorkerSettings {
  Isolation isolation = Isolation::kNamespaces;
  int ssh_port = 0;
  std::string sshd;        ///< path
  std::string ssh_keygen;  ///< path
  int sshd_version = 0;    ///< 902 for OpenSSH 9.2
  int metadata_port = 0;   ///< of every worker's metadata server, on its own address
  /// "NAME=value" that the processes of all workers have: where the emulator's own APIs are.
  std::vector<std::string> environment = {};
};

/// The files of one worker, under one folder: its disks and its configuration.
class WorkerFolder {
 public:
  WorkerFolder(std::string path, std::string address, const WorkerSettings& settings)
      : path_(std::move(path)), address_(std::move(address)), settings_(settings) {}

  /// Makes what is missing and empties /tmp and /run, as a boot does. Errors: kLocal.
  Result<void> prepare(const std::vector<SshKey>& keys, const std::string& startup_script,
                       const std::string& hostname) const;
  /// Makes users who are named for the first time, and lets exactly these keys in. Errors: kLocal.
  Result<void> set_keys(const std::vector<SshKey>& keys) const;
  /// Tells the boot that the worker is about to be stopped.
  void press_power_button() const;
  /// What to run, outside of any sandbox, to boot the worker.
  std::vector<std::string> boot_command(const std::string& hostname) const;
  std::vector<std::string> environment() const;
  /// "NAME=value" in the environment of every process of the worker.
  std::string mark() const;
  /// The base64 data of the ed25519 host key; empty before the first boot.
  std::string host_key() const;
  /// The end of what sshd and the boot said, for an error.
  std::string last_words() const;
  std::string console_log() const { return path_ + "/log/console.log"; }
  void erase() const;

 private:
  std::string sshd_config() const;
  std::string hosts(const std::string& hostname) const;
  std::vector<std::string> own_environment() const;
  /// Where a part ("ssh", "log", "run") is for the worker's own processes.
  std::string inside(const std::string& part) const;
  std::string home() const;
  Result<void> write_accounts() const;
  Result<void> make_home(const std::string& user, uid_t id, gid_t group) const;
  Result<void> add_user(const std::string& user) const;

  std::string path_;
  std::string address_;
  const WorkerSettings& settings_;
};

}  // namespace slipway::emulator
