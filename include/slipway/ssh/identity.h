#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::ssh {

/// A private key, parsed once for all sessions (with all CRT members: libssh2's own loader re-parses it for
/// every session and drops them, 6.2 against 1.7 ms a login for RSA-3072).
class Identity {
 public:
  /// Reads openssh-key-v1 (unencrypted) or PEM: ed25519, ecdsa nistp256/384/521, rsa. Errors (kUsage):
  /// missing, no key, encrypted, or readable by others; each with what to type.
  static Result<Identity> load(const std::string& path);

  Identity(Identity&&) noexcept;
  Identity& operator=(Identity&&) noexcept;
  ~Identity();

  const std::string& path() const;
  /// "ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa".
  const std::string& type() const;
  /// The wire form of the public key.
  const std::string& public_blob() const;
  /// "ssh-ed25519 AAAA...", what goes into authorized_keys and into the ssh-keys metadata.
  std::string public_line() const;
  /// The raw signature (without the ssh wrapping) of `data` for the signature algorithm `algorithm`:
  /// ssh-ed25519, ecdsa-sha2-nistp*, rsa-sha2-256, rsa-sha2-512. SHA-1 is refused.
  Result<std::string> sign(std::string_view algorithm, std::string_view data) const;

 private:
  struct Key;
  explicit Identity(std::unique_ptr<Key> key);
  std::unique_ptr<Key> key_;
};

}  // namespace slipway::ssh
