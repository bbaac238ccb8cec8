#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/model/node.h"

namespace slipway::ssh {

/// A host's public key: its type by name ("ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa") and its wire form.
struct HostKey {
  std::string type;
  std::string blob;
  bool operator==(const HostKey&) const = default;

  /// "SHA256:..." as ssh-keygen -l prints it.
  std::string fingerprint() const;
};

/// The only keys that a worker may show. Whole keys.
using HostKeyPins = std::vector<HostKey>;

/// Asked about the key of a host of which none is pinned; its answer is final for this session.
using AcceptHostKey = std::function<bool(const HostKey&)>;

/// The published keys that are well-formed and of a type that we accept. Bad ones are left out.
HostKeyPins to_pins(const std::vector<PublishedHostKey>& published);

}  // namespace slipway::ssh
