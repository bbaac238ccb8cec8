#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>

#include <stdexcept>

#include "slipway/core/fd.h"

namespace slipway::test {

/// A socket that listens on a free port of 127.0.0.1.
struct LoopbackListener {
  Fd fd;
  int port = 0;
};

/// Throws when it cannot: then there is nothing to test.
inline LoopbackListener listen_on_loopback(int backlog) {
  LoopbackListener listener;
  listener.fd.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.fd.get(), generic, size) != 0 || ::listen(listener.fd.get(), backlog) != 0 ||
      ::getsockname(listener.fd.get(), generic, &size) != 0) {
    throw std::runtime_error("a test's server cannot listen on 127.0.0.1");
  }
  listener.port = ntohs(address.sin_port);
  return listener;
}

}  // namespace slipway::test
