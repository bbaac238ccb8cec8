#pragma once

#include <memory>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/interrupt.h"
#include "slipway/ssh/socket.h"

namespace slipway::ssh {

/// USER@HOST[:PORT] of --jump.
struct JumpAddress {
  std::string user;  ///< empty: ssh's own choice
  std::string host;
  int port = 0;  ///< 0: ssh's own choice
};
/// Errors (kUsage): no host, or one that ssh would take for a flag.
Result<JumpAddress> parse_jump_address(const std::string& text);

/// What becomes of a jump host that no file knows.
enum class UnknownHost { kAccept, kRefuse };

/// How the system's ssh is to log in to a jump host: with the user's own configuration and keys, `key_path`
/// (if not empty) among them. A host that neither the user's known_hosts nor `known_hosts` knows is refused,
/// or accepted and written into the latter. It asks nobody anything.
std::vector<std::string> jump_words(const JumpAddress& address, const std::string& key_path,
                                    const std::string& known_hosts, UnknownHost unknown);

/// A host that connections to workers go through: one session of the system's ssh, shared by all of them as
/// OpenSSH shares it (ControlMaster; PROTOCOL.mux), each in a direct-tcpip channel of its own. It ends with
/// this object.
class JumpHost {
 public:
  /// Starts `words` (see jump_words) and waits until it has logged in, `timeout` at most. Errors:
  /// kUnavailable, kInterrupted, kLocal.
  static Result<std::unique_ptr<JumpHost>> open(const std::vector<std::string>& words,
                                                std::chrono::milliseconds timeout, Clock& clock,
                                                const Interrupt& interrupt);
  virtual ~JumpHost() = default;
  /// False once its session has ended: no way leads through it any more.
  virtual bool is_alive() = 0;
  /// A way to `host`:`port` as the jump host sees it. It does not outlive the jump host.
  virtual std::unique_ptr<Socket> socket_to(const std::string& host, int port) const = 0;
};

}  // namespace slipway::ssh
