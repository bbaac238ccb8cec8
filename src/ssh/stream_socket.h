#pragma once

#include "slipway/ssh/socket.h"

namespace slipway::ssh {

/// The part of a Socket over one connected descriptor of our own that is the same for all of them.
class StreamSocket : public Socket {
 public:
  int connect_result() override { return 0; }
  ssize_t send(const void* data, std::size_t size) override;
  ssize_t receive(void* data, std::size_t size) override;
  int fd() const override { return fd_.get(); }

 protected:
  /// A pair of connected stream sockets: ours (non-blocking) and the other side's. 0 or an errno.
  int make_pair(Fd& theirs);
  Fd fd_;
};

}  // namespace slipway::ssh
