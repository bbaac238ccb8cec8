#include "fleet/reactor.h"

#include <asio.hpp>
#include <exception>

namespace slipway::fleet {

class Reactor::Impl {
 public:
  explicit Impl(std::size_t tokens) : watches_(tokens) {}
  ~Impl() {
    for (Token token = 0; token < watches_.size(); ++token) forget(token);
  }

  bool watch(Token token, int fd, bool read, bool write) {
    if (!watches_[token] && !add(token, fd)) return false;
    Watch& watch = *watches_[token];
    if (read && !watch.read) arm(token, watch.read, asio::posix::descriptor_base::wait_read);
    if (write && !watch.write) arm(token, watch.write, asio::posix::descriptor_base::wait_write);
    return true;
  }

  void forget(Token token) {
    if (!watches_[token]) return;
    watches_[token]->descriptor.release();
    watches_[token].reset();
  }

  void wait(std::chrono::nanoseconds longest, std::vector<Token>& ready) {
    ready_ = &ready;
    if (longest.count() > 0) io_.run_one_for(longest);
    io_.poll();
    ready_ = nullptr;
  }

 private:
  struct Watch {
    explicit Watch(asio::io_context& io) : descriptor(io) {}
    asio::posix::stream_descriptor descriptor;
    bool read = false;
    bool write = false;
  };

  bool add(Token token, int fd) {
    auto watch = std::make_unique<Watch>(io_);
    asio::error_code error;
    watch->descriptor.assign(fd, error);
    if (error) return false;
    watches_[token] = std::move(watch);
    return true;
  }

  void arm(Token token, bool& armed, asio::posix::descriptor_base::wait_type what) {
    armed = true;
    watches_[token]->descriptor.async_wait(what, [this, token, what](asio::error_code error) {
      if (error != asio::error::operation_aborted) heard(token, what);
    });
  }

  void heard(Token token, asio::posix::descriptor_base::wait_type what) {
    if (!watches_[token]) return;
    Watch& watch = *watches_[token];
    (what == asio::posix::descriptor_base::wait_read ? watch.read : watch.write) = false;
    if (ready_ != nullptr) ready_->push_back(token);
  }

  asio::io_context io_{ASIO_CONCURRENCY_HINT_UNSAFE};
  asio::executor_work_guard<asio::io_context::executor_type> busy_ = asio::make_work_guard(io_);
  std::vector<std::unique_ptr<Watch>> watches_;
  std::vector<Token>* ready_ = nullptr;
};

Reactor::Reactor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reactor::Reactor(Reactor&&) noexcept = default;
Reactor::~Reactor() = default;

Result<Reactor> Reactor::create(std::size_t tokens) {
  try {
    return Reactor(std::make_unique<Impl>(tokens));
  } catch (const std::exception& problem) {
    return Error(ErrorCode::kLocal, "cannot wait for many connections at once").why(problem.what());
  }
}

bool Reactor::watch(Token token, int fd, bool read, bool write) {
  return impl_->watch(token, fd, read, write);
}
void Reactor::forget(Token token) { impl_->forget(token); }
void Reactor::wait(std::chrono::nanoseconds longest, std::vector<Token>& ready) {
  impl_->wait(longest, ready);
}

}  // namespace slipway::fleet
