#pragma once

#include <string>
#include <vector>

#include "emulator/ssh_keys.h"

namespace slipway::emulator {

/// What a worker needs to start.
struct WorkerBoot {
  std::string address;  ///< 127.S.N.W: also what names the worker
  std::string hostname;
  std::vector<SshKey> keys;
  std::string startup_script;  ///< empty for none
};

enum class WorkerState { kOff, kStarting, kUp, kStopping, kFailed };

/// The machines behind the API. A seam: the World says what has to run, a host makes it so and is asked how
/// far it is. No call blocks. Calls come from one thread.
class WorkerHost {
 public:
  virtual ~WorkerHost() = default;
  /// Starts a worker that is off. Its files from an earlier boot are kept, but for /tmp and /run.
  virtual void boot(const WorkerBoot& boot) = 0;
  /// Who may log in from now on.
  virtual void set_keys(const std::string& address, const std::vector<SshKey>& keys) = 0;
  /// Tells the worker that it is about to be stopped, as the power button does.
  virtual void warn(const std::string& address) = 0;
  /// Stops everything that runs on the worker.
  virtual void halt(const std::string& address) = 0;
  /// Deletes the files of a worker that is off.
  virtual void erase(const std::string& address) = 0;
  virtual WorkerState state(const std::string& address) const = 0;
  /// The ed25519 host key's base64 data, once it is up.
  virtual std::string host_key(const std::string& address) const = 0;
  /// Why it is kFailed.
  virtual std::string failure(const std::string& address) const = 0;
};

}  // namespace slipway::emulator
