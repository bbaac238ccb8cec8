#pragma once

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "slipway/ssh/socket.h"

namespace slipway::test {

/// A socket that does what the real one does until so many bytes have been received, and then misbehaves.
class FaultySocket final : public ssh::Socket {
 public:
  enum class Fault {
    kNone,
    kEnd,    ///< the peer closes
    kReset,  ///< ECONNRESET, for both directions
    kStall,  ///< nothing comes any more, nothing more is taken
    kFlip,   ///< the next byte arrives with a bit turned over; all else as it was
  };
  struct Plan {
    Fault fault = Fault::kNone;
    std::size_t after = 0;          ///< received bytes
    std::size_t piece = 1U << 20U;  ///< the most that one call takes or gives
  };
  /// What a test can see of it while the session owns it.
  struct View {
    std::size_t received = 0;
    bool fault_came = false;
  };

  FaultySocket(std::unique_ptr<ssh::Socket> real, Plan plan, std::shared_ptr<View> view)
      : real_(std::move(real)), plan_(plan), view_(std::move(view)) {}

  int connect() override { return real_->connect(); }
  int connect_result() override { return real_->connect_result(); }
  int fd() const override { return real_->fd(); }

  ssize_t send(const void* data, std::size_t size) override {
    if (view_->fault_came && plan_.fault == Fault::kReset) return -ECONNRESET;
    if (view_->fault_came && plan_.fault == Fault::kStall) return -EAGAIN;
    return real_->send(data, std::min(size, plan_.piece));
  }

  ssize_t receive(void* data, std::size_t size) override {
    if (plan_.fault == Fault::kNone) return count(real_->receive(data, std::min(size, plan_.piece)));
    if (view_->received < plan_.after) {
      return count(real_->receive(data, std::min({size, plan_.piece, plan_.after - view_->received})));
    }
    return misbehave(data, size);
  }

 private:
  ssize_t count(ssize_t result) {
    if (result > 0) view_->received += static_cast<std::size_t>(result);
    return result;
  }
  ssize_t misbehave(void* data, std::size_t size) {
    const bool first = !std::exchange(view_->fault_came, true);
    if (plan_.fault == Fault::kEnd) return 0;
    if (plan_.fault == Fault::kReset) return -ECONNRESET;
    if (plan_.fault == Fault::kStall) return -EAGAIN;
    const ssize_t result = real_->receive(data, size);
    if (result <= 0) view_->fault_came = !first;
    if (first && result > 0) *static_cast<unsigned char*>(data) ^= 0x10;
    return count(result);
  }

  std::unique_ptr<ssh::Socket> real_;
  Plan plan_;
  std::shared_ptr<View> view_;
};

}  // namespace slipway::test
