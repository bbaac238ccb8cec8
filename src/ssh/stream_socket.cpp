#include "ssh/stream_socket.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>

namespace slipway::ssh {

int StreamSocket::make_pair(Fd& theirs) {
  int pair[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  fd_.reset(pair[0]);
  theirs.reset(pair[1]);  // it stays blocking: programs expect that of their stdin and stdout
  return ::fcntl(fd_.get(), F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

ssize_t StreamSocket::send(const void* data, std::size_t size) {
  const ssize_t sent = ::send(fd_.get(), data, size, MSG_NOSIGNAL);
  return sent >= 0 ? sent : -errno;
}

ssize_t StreamSocket::receive(void* data, std::size_t size) {
  const ssize_t received = ::recv(fd_.get(), data, size, 0);
  return received >= 0 ? received : -errno;
}

}  // namespace slipway::ssh
