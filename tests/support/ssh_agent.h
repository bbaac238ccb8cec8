#pragma once

#include <sys/types.h>

#include <string>

#include "support/temp_folder.h"

namespace slipway::test {

/// A real ssh-agent on a socket of its own; gone with the object.
class SshAgent {
 public:
  SshAgent();
  ~SshAgent();
  SshAgent(const SshAgent&) = delete;
  SshAgent& operator=(const SshAgent&) = delete;

  static bool installed();
  /// For SSH_AUTH_SOCK.
  std::string path() const { return folder_ / "agent"; }
  /// ssh-add FILE.
  void add(const std::string& key_path) const;
  void remove_all() const;

 private:
  TempFolder folder_;
  pid_t pid_ = -1;
};

}  // namespace slipway::test
