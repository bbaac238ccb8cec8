#include "emulator/listening.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "slipway/core/fd.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr const char* kListen = "0A";

// "0100007F:1F90": the address as the machine stores it, in hexadecimal of a little-endian word.
std::string dotted(const std::string& word) {
  in_addr address{};
  address.s_addr = static_cast<in_addr_t>(std::stoul(word, nullptr, 16));
  char text[INET_ADDRSTRLEN];
  return ::inet_ntop(AF_INET, &address, text, sizeof text) != nullptr ? text : "";
}

using NameOf = int (*)(int, sockaddr*, socklen_t*);

// The port of one end of an IPv4 connection; 0 for what is none.
int port_of(int fd, NameOf name_of) {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  if (name_of(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0 || name.sin_family != AF_INET) return 0;
  return ntohs(name.sin_port);
}

}  // namespace

std::set<std::string> listening_addresses(std::string_view proc_net_tcp, int port) {
  std::set<std::string> addresses;
  std::istringstream lines{std::string(proc_net_tcp)};
  std::string line;
  std::getline(lines, line);  // the header
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string number, local, remote, state;
    fields >> number >> local >> remote >> state;
    if (state != kListen || local.size() != 13 || local[8] != ':') continue;
    if (std::stoi(local.substr(9), nullptr, 16) == port) addresses.insert(dotted(local.substr(0, 8)));
  }
  return addresses;
}

std::set<std::string> listening_addresses(int port) {
  std::ifstream file("/proc/net/tcp");
  std::stringstream text;
  text << file.rdbuf();
  return listening_addresses(text.str(), port);
}

bool is_free(const std::string& address, int port) {
  const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET, address.c_str(), &name.sin_addr) != 1) return false;
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
}

int find_free_port() {
  std::random_device seed;
  std::uniform_int_distribution<int> any(20'000, 32'000);
  for (int i = 0; i < 100; ++i) {
    const int port = any(seed);
    if (is_free("127.0.0.1", port) && listening_addresses(port).empty()) return port;
  }
  return 0;
}

void end_connection(int peer_port, int own_port) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const int fd = std::atoi(entry.path().filename().c_str());
    if (port_of(fd, ::getpeername) == peer_port && port_of(fd, ::getsockname) == own_port)
      ::shutdown(fd, SHUT_RDWR);
  }
}

}  // namespace slipway::emulator
