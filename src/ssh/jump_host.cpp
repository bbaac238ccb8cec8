#include "slipway/ssh/jump_host.h"

#include <stdlib.h>
#include <unistd.h>

#include <charconv>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/child.h"
#include "ssh/mux_socket.h"

namespace slipway::ssh {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// A folder of our own for the master's socket: short, because the names of sockets are, and gone with this.
class SocketFolder {
 public:
  bool make() {
    path_ = "/tmp/slipway-jump-XXXXXX";
    return ::mkdtemp(path_.data()) != nullptr;
  }
  SocketFolder() = default;
  ~SocketFolder() {
    ::unlink(socket().c_str());
    ::rmdir(path_.c_str());
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;
  std::string socket() const { return path_ + "/master"; }

 private:
  std::string path_;
};

class SharedSession final : public JumpHost {
 public:
  Result<void> start(std::vector<std::string> words) {
    if (!folder_.make())
      return system_error(ErrorCode::kLocal, "cannot make a folder for the jump host", errno);
    words.insert(words.begin() + 1, {"-M", "-N", "-S", folder_.socket(), "-o", "ControlPersist=no"});
    const int error = child_.start(words, -1, -1);
    if (error != 0) return system_error(ErrorCode::kLocal, "cannot start ssh for the jump host", error);
    return {};
  }
  bool is_ready() const { return static_cast<bool>(connect_to_master(folder_.socket())); }
  bool is_alive() override { return !child_.has_ended(); }
  int exit_code() const { return child_.exit_code(); }
  std::unique_ptr<Socket> socket_to(const std::string& host, int port) const override {
    return std::make_unique<MuxSocket>(folder_.socket(), host, port);
  }

 private:
  SocketFolder folder_;
  Child child_;  // ends before its folder goes
};

bool is_host(std::string_view text) {
  return !text.empty() && text.front() != '-' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:") ==
             std::string_view::npos;
}

}  // namespace

Result<JumpAddress> parse_jump_address(const std::string& text) {
  const Error bad =
      Error(ErrorCode::kUsage, fmt::format("--jump: '{}' is not USER@HOST[:PORT]", printable(text)));
  JumpAddress address;
  const std::size_t at = text.rfind('@');
  if (at != std::string::npos) address.user = text.substr(0, at);
  std::string_view rest = std::string_view(text).substr(at == std::string::npos ? 0 : at + 1);
  std::string_view port;
  if (!rest.empty() && rest.front() == '[') {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return bad;
    address.host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (!rest.empty() && rest.front() != ':') return bad;
    port = rest.substr(std::min<std::size_t>(1, rest.size()));
  } else {
    const std::size_t colon = rest.find(':');
    address.host = rest.substr(0, colon);
    if (colon != std::string_view::npos) port = rest.substr(colon + 1);
    if (port.find(':') != std::string_view::npos) return bad;
  }
  const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  const bool port_is_good = port.empty() || (failure == std::errc() && end == port.data() + port.size() &&
                                             address.port >= 1 && address.port <= 65535);
  const bool user_is_good = at == std::string::npos || is_host(address.user);
  if (!port_is_good || !user_is_good || !is_host(address.host)) return bad;
  return address;
}

std::vector<std::string> jump_words(const JumpAddress& address, const std::string& key_path,
                                    const std::string& known_hosts, UnknownHost unknown) {
  std::vector<std::string> words{"ssh"};
  // What the user's configuration says for a shell there (forwarded ports, a command) is not for this.
  for (const char* option :
       {"BatchMode=yes", "ServerAliveInterval=15", "ConnectTimeout=10", "ClearAllForwardings=yes",
        "RemoteCommand=none", "ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no"})
    words.insert(words.end(), {"-o", option});
  words.insert(words.end(), {"-o", unknown == UnknownHost::kAccept ? "StrictHostKeyChecking=accept-new"
                                                                   : "StrictHostKeyChecking=yes"});
  if (!known_hosts.empty()) {
    // The first of them is written to.
    words.insert(words.end(),
                 {"-o", fmt::format("UserKnownHostsFile=\"{}\" ~/.ssh/known_hosts", known_hosts)});
  }
  if (!key_path.empty()) words.insert(words.end(), {"-i", key_path});
  if (address.port != 0) words.insert(words.end(), {"-p", std::to_string(address.port)});
  words.push_back(address.user.empty() ? address.host : address.user + "@" + address.host);
  return words;
}

Result<std::unique_ptr<JumpHost>> JumpHost::open(const std::vector<std::string>& words,
                                                 std::chrono::milliseconds timeout, Clock& clock,
                                                 const Interrupt& interrupt) {
  auto session = std::make_unique<SharedSession>();
  TRY(session->start(words));
  const Clock::time_point deadline = clock.now() + timeout;
  while (!session->is_ready()) {
    if (!session->is_alive()) {
      return Error(ErrorCode::kUnavailable, fmt::format("cannot log in to the jump host '{}'", words.back()))
          .why(fmt::format("ssh ended with code {}", session->exit_code()))
          .next(shell_join(words));
    }
    if (clock.now() >= deadline) {
      return Error(ErrorCode::kUnavailable, fmt::format("the jump host '{}' did not let us in within {}",
                                                        words.back(), format_duration(timeout)))
          .next(shell_join(words));
    }
    if (!clock.sleep_until(clock.now() + kBetweenLooks))
      return Error::interrupted(interrupt.signal_number(), "interrupted on the way to the jump host");
  }
  return std::unique_ptr<JumpHost>(std::move(session));
}

}  // namespace slipway::ssh
