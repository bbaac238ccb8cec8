#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "slipway/fleet/fan_out.h"
#include "slipway/ssh/session.h"
#include "support/sshd.h"
#include "support/targets.h"
#include "support/temp_folder.h"

namespace slipway::test {

/// A real sshd that plays every worker of a resource, with a key of ours that it lets in.
class Bed {
 public:
  /// `config` are lines of sshd_config that win over the bed's own.
  explicit Bed(const std::vector<std::string>& config = {});

  /// Whether this machine's sshd takes a line of sshd_config.
  static bool knows(const std::string& line) { return Sshd::knows(line); }

  /// All of them at the one sshd.
  std::vector<fleet::Target> targets(std::size_t slices, std::size_t workers) const;
  fleet::FanOutOptions options() const;
  const ssh::Identity& unknown_identity() const { return stranger_; }
  /// From now on the workers let unknown_identity() in too.
  void authorize_unknown() const { sshd_.authorize(stranger_.public_line()); }
  ssh::HostKeyPins other_pins() const;
  /// A port of the same address on which nobody listens.
  int dead_port() const { return dead_port_; }
  const std::string& folder() const { return folder_.path(); }
  /// The number of files in a folder of folder().
  std::ptrdiff_t count(const std::string& name) const;

 private:
  ssh::Library library_;
  TempFolder folder_;
  Sshd sshd_;
  int dead_port_;
  ssh::Identity identity_;
  ssh::Identity stranger_;
};

}  // namespace slipway::test
