#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/fd.h"
#include "slipway/core/result.h"

namespace slipway::ssh {

/// A key that an agent holds and that we can use.
struct AgentKey {
  std::string type;  ///< "ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"
  std::string blob;  ///< the wire form of the public key
  std::string comment;
};

/// One connection to an ssh agent (draft-ietf-sshm-ssh-agent). It serves all sessions: an agent signs one
/// after the other anyway, and agents break at a thousand connections. Every call waits for its answer: a few
/// milliseconds, or until a person has agreed where the key was added with `ssh-add -c`.
class Agent {
 public:
  /// `path` as in SSH_AUTH_SOCK. Errors: kUsage, nobody answers there.
  static Result<Agent> connect(const std::string& path);

  /// The keys of the types that we use; certificates and hardware keys are left out.
  Result<std::vector<AgentKey>> keys();

  /// The raw signature (without its ssh wrapping) by the key of `blob`, with the signature algorithm
  /// `algorithm`. Errors (kDenied): the agent refused, or signed with another algorithm; it went away; no
  /// answer within a minute.
  Result<std::string> sign(std::string_view blob, std::string_view algorithm, std::string_view data);

 private:
  explicit Agent(Fd fd) : fd_(std::move(fd)) {}
  Result<std::string> ask(std::string_view request, int timeout_seconds);

  Fd fd_;
};

}  // namespace slipway::ssh
