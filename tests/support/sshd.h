#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "slipway/ssh/host_key.h"
#include "support/temp_folder.h"

namespace slipway::test {

/// A real OpenSSH server of our own on a loopback address, with its own host key and authorized key; gone
/// with the object. Its users are those of this machine: log in as user().
class Sshd {
 public:
  struct Options {
    std::string host_key_type = "ed25519";  ///< as ssh-keygen -t
    std::string key_type = "ed25519";       ///< of the one authorized key
    std::string key_bits;                   ///< as ssh-keygen -b
    bool pem = false;                       ///< the key in PEM rather than OpenSSH's format
    std::vector<std::string> config;        ///< more lines; the first of a name wins
  };
  Sshd() : Sshd(Options()) {}
  explicit Sshd(const Options& options);
  ~Sshd();
  Sshd(const Sshd&) = delete;
  Sshd& operator=(const Sshd&) = delete;

  static bool installed();
  /// Whether it takes a line of sshd_config.
  static bool knows(const std::string& line);
  /// This process's user.
  static std::string user();
  static std::string address() { return "127.9.8.7"; }
  int port() const { return port_; }
  std::string key_path() const { return folder_ / "key"; }
  ssh::HostKeyPins pins() const;
  /// Lets one more key in, from the next login on.
  void authorize(const std::string& public_line) const;
  std::string log() const;
  /// The processes that serve its connections.
  std::vector<pid_t> connections() const;

 private:
  void start();

  TempFolder folder_;
  int port_ = 0;
  pid_t pid_ = -1;
};

/// Makes a key pair at `path` and `path`.pub. `bits` may be empty.
void make_key(const std::string& path, const std::string& type, const std::string& bits, bool pem);
/// The host key in a .pub file.
ssh::HostKey read_public_key(const std::string& path);
/// The nearest sshd among the ancestors of `pid`: what serves the session that it runs in. 0 when there is
/// none.
pid_t serving_sshd(pid_t pid);
/// Does `pid` run? A zombie does not.
bool runs(pid_t pid);
/// Waits until `pid` does not run any more; false after `limit`.
bool ends(pid_t pid, std::chrono::milliseconds limit);
/// A TCP port of `address` that nobody listens on.
int free_port(const std::string& address);

}  // namespace slipway::test
