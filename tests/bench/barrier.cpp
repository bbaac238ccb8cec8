#include "bench/barrier.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cstdlib>

#include "slipway/core/format.h"

namespace slipway::bench {
namespace {

constexpr int kBacklog = 4096;
constexpr char kGo[] = "go\n";

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

void watch(const Fd& events, const Fd& fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  ::epoll_ctl(events.get(), EPOLL_CTL_ADD, fd.get(), &event);
}

}  // namespace

Barrier::Barrier(Arrivals arrivals)
    : arrivals_(arrivals),
      listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
      events_(::epoll_create1(EPOLL_CLOEXEC)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool listens = ::bind(listening_.get(), generic(address), size) == 0 &&
                       ::listen(listening_.get(), kBacklog) == 0 &&
                       ::getsockname(listening_.get(), generic(address), &size) == 0;
  if (!listens || !events_) {
    std::perror("bench: no socket to wait at");
    std::exit(1);
  }
  port_ = ntohs(address.sin_port);
  watch(events_, listening_);
}

std::string Barrier::command() const {
  if (arrivals_ == Arrivals::kAsACrowd) return fmt::format("barrier {}", port_);
  return fmt::format("bash -c \"read -r go </dev/tcp/127.0.0.1/{}\"", port_);
}

void Barrier::begin(std::size_t expected) {
  accept_all();  // who came too late for the run before
  here_.clear();
  arrived_ = 0;
  expected_ = expected;
}

bool Barrier::accept_all() {
  const bool was_full = arrived_ >= expected_;
  const std::size_t connections = accept();
  arrived_ += arrivals_ == Arrivals::kOneByOne ? connections : count_crowd();
  return !was_full && arrived_ >= expected_;
}

std::size_t Barrier::accept() {
  for (std::size_t count = 0;; ++count) {
    Fd one(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!one) return count;
    if (arrivals_ == Arrivals::kAsACrowd) watch(events_, one);
    here_.push_back(std::move(one));
  }
}

std::size_t Barrier::count_crowd() {
  std::size_t count = 0;
  char bytes[4096];
  for (const Fd& one : here_) {
    for (ssize_t got = 0; (got = ::recv(one.get(), bytes, sizeof(bytes), 0)) > 0;)
      count += static_cast<std::size_t>(got);
  }
  return count;
}

void Barrier::release() {
  for (const Fd& one : here_) {
    // Who has gone meanwhile needs no word.
    [[maybe_unused]] const auto sent = ::send(one.get(), kGo, sizeof(kGo) - 1, MSG_NOSIGNAL);
  }
  here_.clear();
}

}  // namespace slipway::bench
