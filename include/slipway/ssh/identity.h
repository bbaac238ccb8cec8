#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/core/secret.h"
#include "slipway/ssh/agent.h"

namespace slipway::ssh {

/// Asked for the passphrase of the key file `path`; `again` after a wrong answer. An error ends the asking.
using AskPassphrase = std::function<Result<Secret>(const std::string& path, bool again)>;

/// A private key, parsed once for all sessions (with all CRT members: libssh2's own loader re-parses it for
/// every session and drops them, 6.2 against 1.7 ms a login for RSA-3072), or one that an agent holds.
class Identity {
 public:
  /// Reads openssh-key-v1 or PEM (PKCS#1, SEC1, PKCS#8): ed25519, ecdsa nistp256/384/521, rsa. `ask` is
  /// called, three times at most, for a file with a passphrase. Errors (kUsage): missing, no key, readable by
  /// others, or not opened by a passphrase; each with what to type.
  static Result<Identity> load(const std::string& path, const AskPassphrase& ask = nullptr);
  /// A key of `agent`, which serves all sessions over its one connection.
  static Identity in_agent(std::shared_ptr<Agent> agent, AgentKey key);
  /// Makes an ed25519 key without a passphrase at `path` (mode 0600) and its `path`.pub, and the folder
  /// (0700) if that is missing. Never writes over a file that is there. Errors: kLocal.
  static Result<Identity> create(const std::string& path, const std::string& comment);

  Identity(Identity&&) noexcept;
  Identity& operator=(Identity&&) noexcept;
  ~Identity();

  /// Where the key is, for people: a path, or "agent: COMMENT".
  const std::string& path() const;
  /// "ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa".
  const std::string& type() const;
  /// The wire form of the public key.
  const std::string& public_blob() const;
  /// "ssh-ed25519 AAAA...", what goes into authorized_keys and into the ssh-keys metadata.
  std::string public_line() const;
  bool is_in_agent() const;
  /// The raw signature (without the ssh wrapping) of `data` for the signature algorithm `algorithm`:
  /// ssh-ed25519, ecdsa-sha2-nistp*, rsa-sha2-256, rsa-sha2-512. SHA-1 is refused.
  Result<std::string> sign(std::string_view algorithm, std::string_view data) const;

 private:
  struct Key;
  explicit Identity(std::unique_ptr<Key> key);
  std::unique_ptr<Key> key_;
};

/// The public half of a key, in wire form, without any passphrase: from `path`.pub, from `path` where that is
/// a public key itself, or from the clear part of an OpenSSH file. Nothing where none of them has one.
std::optional<std::string> public_half(const std::string& path);

/// "ssh-ed25519 AAAA...", of a public key in wire form.
std::string public_line(const std::string& blob);

/// Whether the file at `path` is a private key that only a passphrase opens.
bool needs_passphrase(const std::string& path);

}  // namespace slipway::ssh
