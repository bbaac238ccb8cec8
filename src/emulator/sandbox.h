#pragma once

#include <string>
#include <vector>

namespace slipway::emulator {

/// How far apart the workers are kept.
enum class Isolation {
  kNamespaces,  ///< bubblewrap: own process tree, hostname, ipc, /home, /root, /tmp, /run, users
  kPlain,       ///< a folder and an sshd each; processes and users are the machine's
};

/// What this machine permits, tried out once. `why` says what stands against namespaces.
Isolation find_isolation(const std::string& scratch_folder, std::string& why);

/// `command` inside the sandbox of a worker whose parts are the folders root, home, tmp, run, ssh, log and
/// the files etc/passwd, etc/group, etc/shadow, etc/hosts and etc/boot_id in `folder`. All else is the
/// machine's own file system. It ends when the process that started it ends.
std::vector<std::string> sandboxed(const std::string& folder, const std::string& hostname,
                                   const std::vector<std::string>& command);

}  // namespace slipway::emulator
