#include "support/ssh_agent.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace slipway::test {
namespace {

constexpr const char* kAgent = "/usr/bin/ssh-agent";

void ssh_add(const std::string& socket, const std::string& words) {
  const std::string line = "SSH_AUTH_SOCK='" + socket + "' ssh-add -q " + words + " </dev/null 2>/dev/null";
  if (std::system(line.c_str()) != 0) throw std::runtime_error("ssh-add failed: " + words);
}

}  // namespace

bool SshAgent::installed() { return ::access(kAgent, X_OK) == 0; }

SshAgent::SshAgent() {
  const std::string socket = path();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(::open("/dev/null", O_RDWR), STDOUT_FILENO);
    ::execl(kAgent, "ssh-agent", "-D", "-a", socket.c_str(), nullptr);
    ::_exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (::access(socket.c_str(), F_OK) != 0) {
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("ssh-agent does not start");
    std::this_thread::yield();
  }
}

SshAgent::~SshAgent() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

void SshAgent::add(const std::string& key_path) const { ssh_add(path(), "'" + key_path + "'"); }
void SshAgent::remove_all() const { ssh_add(path(), "-D"); }

}  // namespace slipway::test
