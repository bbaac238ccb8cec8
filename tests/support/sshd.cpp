#include "support/sshd.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "slipway/core/fd.h"
#include "slipway/core/text.h"
#include "support/processes.h"

namespace slipway::test {
namespace {

constexpr const char* kSshd = "/usr/sbin/sshd";

std::string slurp(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

sockaddr_in to_sockaddr(const std::string& address, int port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
  return where;
}

bool listens(const std::string& address, int port) {
  const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in where = to_sockaddr(address, port);
  return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&where), sizeof(where)) == 0;
}

pid_t spawn(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(null, fd);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

int wait_for(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

}  // namespace

void make_key(const std::string& path, const std::string& type, const std::string& bits, bool pem) {
  std::vector<std::string> words{"/usr/bin/ssh-keygen", "-q", "-t", type, "-N", "", "-f", path};
  if (!bits.empty()) words.insert(words.end(), {"-b", bits});
  if (pem) words.insert(words.end(), {"-m", "PEM"});
  if (wait_for(spawn(words)) != 0) throw std::runtime_error("ssh-keygen failed for " + type);
}

ssh::HostKey read_public_key(const std::string& path) {
  const auto words = split(slurp(path), ' ');
  return {words.at(0), base64_decode(trim(words.at(1))).value()};
}

int free_port(const std::string& address) {
  const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in where = to_sockaddr(address, 0);
  socklen_t size = sizeof(where);
  ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&where), sizeof(where));
  ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&where), &size);
  return ntohs(where.sin_port);
}

pid_t serving_sshd(pid_t pid) {
  while (pid > 1) {
    const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t end = stat.rfind(')');
    if (end == std::string::npos) return 0;
    if (stat.find("(sshd") != std::string::npos) return pid;
    std::istringstream rest(stat.substr(end + 1));
    char state = 0;
    rest >> state >> pid;
  }
  return 0;
}

bool runs(pid_t pid) {
  const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t end = stat.rfind(')');
  return end != std::string::npos && stat.substr(end + 2, 1) != "Z";
}

bool ends(pid_t pid, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (runs(pid) && std::chrono::steady_clock::now() < deadline) ::poll(nullptr, 0, 5);
  return !runs(pid);
}

bool Sshd::installed() { return ::access(kSshd, X_OK) == 0 && ::access("/usr/bin/ssh-keygen", X_OK) == 0; }

bool Sshd::knows(const std::string& line) {
  const TempFolder folder;
  make_key(folder / "host", "ed25519", "", false);
  std::ofstream(folder / "config") << "HostKey " << folder / "host" << '\n' << line << '\n';
  return wait_for(spawn({kSshd, "-t", "-f", folder / "config"})) == 0;
}

std::string Sshd::user() { return ::getpwuid(::getuid())->pw_name; }

Sshd::Sshd(const Options& options) : port_(free_port(address())) {
  make_key(folder_ / "host", options.host_key_type, "", false);
  make_key(folder_ / "key", options.key_type, options.key_bits, options.pem);
  std::ofstream config(folder_ / "config");
  config << "MaxStartups 1000\n";  // before the test's own: of this setting the last line counts
  for (const std::string& line : options.config) config << line << '\n';
  config << "Port " << port_ << "\nListenAddress " << address() << "\nHostKey " << folder_ / "host"
         << "\nAuthorizedKeysFile " << folder_ / "key.pub"
         << "\nPidFile none\nStrictModes no\nUseDNS no\nUsePAM no\n"
         << "SetEnv HOME=" << folder_.path() << '\n'  // keeps the rc files of whoever runs the tests out
         << "PermitRootLogin yes\nPasswordAuthentication no\nPrintMotd no\nLogLevel DEBUG1\n";
  config.close();
  start();
}

void Sshd::start() {
  if (::getuid() == 0) ::mkdir("/run/sshd", 0755);
  pid_ = spawn({kSshd, "-D", "-f", folder_ / "config", "-E", folder_ / "log"});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!listens(address(), port_)) {
    if (std::chrono::steady_clock::now() > deadline || ::waitpid(pid_, nullptr, WNOHANG) == pid_) {
      throw std::runtime_error("sshd did not start: " + log());
    }
    ::poll(nullptr, 0, 5);
  }
}

Sshd::~Sshd() {
  ::kill(pid_, SIGTERM);
  wait_for(pid_);
}

ssh::HostKeyPins Sshd::pins() const { return {read_public_key(folder_ / "host.pub")}; }
void Sshd::authorize(const std::string& public_line) const {
  std::ofstream(folder_ / "key.pub", std::ios::app) << public_line << "\n";
}

std::vector<pid_t> Sshd::connections() const { return children_of(pid_); }
std::string Sshd::log() const { return slurp(folder_ / "log"); }

}  // namespace slipway::test
