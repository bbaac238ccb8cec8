#include "slipway/ssh/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace slipway::ssh {
namespace {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

/// A literal address only: nothing here asks a resolver. Size 0 for anything else.
Address parse_address(const std::string& text, int port) {
  Address address;
  const auto number = htons(static_cast<std::uint16_t>(port));
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = number;
    address.size = sizeof(*v4);
  } else if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = number;
    address.size = sizeof(*v6);
  }
  return address;
}

/// A second net under PhaseLimits::silence: a peer that vanished without a word is noticed within 45 seconds,
/// by the kernel's probes while nothing is sent, and by its count of unanswered bytes while something is.
void set_options(int fd) {
  const auto set = [fd](int level, int name, int value) {
    ::setsockopt(fd, level, name, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 45'000);
}

}  // namespace

bool is_literal_address(const std::string& text) {
  return text.find('\0') == std::string::npos && parse_address(text, 0).size != 0;
}

int TcpSocket::connect() {
  const Address address = parse_address(address_, port_);
  if (address.size == 0 || port_ < 1 || port_ > 65535) return EINVAL;
  fd_.reset(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_) return errno;
  set_options(fd_.get());
  if (::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) == 0) return 0;
  return errno == EINPROGRESS ? 0 : errno;
}

int TcpSocket::connect_result() {
  pollfd waiting{fd_.get(), POLLOUT, 0};
  if (::poll(&waiting, 1, 0) == 0) return EINPROGRESS;
  int error = 0;
  socklen_t size = sizeof(error);
  if (::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

ssize_t TcpSocket::send(const void* data, std::size_t size) {
  const ssize_t sent = ::send(fd_.get(), data, size, MSG_NOSIGNAL);
  return sent >= 0 ? sent : -errno;
}

ssize_t TcpSocket::receive(void* data, std::size_t size) {
  const ssize_t received = ::recv(fd_.get(), data, size, 0);
  return received >= 0 ? received : -errno;
}

}  // namespace slipway::ssh
