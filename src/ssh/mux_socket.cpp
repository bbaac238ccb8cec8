#include "ssh/mux_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "slipway/core/text.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

constexpr std::uint32_t kVersion = 4;
constexpr std::uint32_t kHello = 0x00000001;
constexpr std::uint32_t kNewStdioForward = 0x10000008;
constexpr std::uint32_t kPermissionDenied = 0x80000002;
constexpr std::uint32_t kFailure = 0x80000003;
constexpr std::uint32_t kRequest = 1;

/// One byte that carries a descriptor. 0 or an errno.
int send_descriptor(int socket, int descriptor) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

/// A fresh socket takes a small packet whole.
int send_packet(int socket, const std::string& payload) {
  const std::string packet = wire_string(payload);
  const ssize_t sent = ::send(socket, packet.data(), packet.size(), MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(packet.size())) return 0;
  return sent < 0 ? errno : EAGAIN;
}

}  // namespace

Fd connect_to_master(const std::string& control_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (control_path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return Fd();
  }
  std::memcpy(address.sun_path, control_path.data(), control_path.size());
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    fd.reset();
    errno = error;
  }
  return fd;
}

int MuxSocket::connect() {
  control_ = connect_to_master(control_path_);
  if (!control_) return errno == EAGAIN ? EBUSY : errno;  // its queue of newcomers is full: to be tried again
  Fd theirs;
  if (const int error = make_pair(theirs); error != 0) return error;
  const std::string request = wire_uint32(kNewStdioForward) + wire_uint32(kRequest) + wire_string("") +
                              wire_string(host_) + wire_uint32(static_cast<std::uint32_t>(port_));
  for (const std::string& packet : {wire_uint32(kHello) + wire_uint32(kVersion), request}) {
    if (const int error = send_packet(control_.get(), packet); error != 0) return error;
  }
  for (int i = 0; i < 2; ++i) {  // for its reading and for its writing
    if (const int error = send_descriptor(control_.get(), theirs.get()); error != 0) return error;
  }
  return 0;
}

std::string MuxSocket::problem() const {
  std::array<char, 4096> buffer;
  const ssize_t count = ::recv(control_.get(), buffer.data(), buffer.size(), MSG_PEEK);
  // A channel's end is the worker's; the master's is that of all workers.
  if (count <= 0) return connect_to_master(control_path_) ? "" : "the connection to the jump host has ended";
  WireReader reader(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  while (const auto packet = reader.string()) {
    WireReader fields(*packet);
    const auto type = fields.uint32();
    fields.uint32();  // which request
    const auto reason = fields.string();
    if (reason && (type == kFailure || type == kPermissionDenied))
      return "the jump host: " + printable(*reason);
  }
  return connect_to_master(control_path_) ? "" : "the connection to the jump host has ended";
}

}  // namespace slipway::ssh
