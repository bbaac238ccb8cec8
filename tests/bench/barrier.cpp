#include "bench/barrier.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>

#include "slipway/core/format.h"

namespace slipway::bench {
namespace {

constexpr int kBacklog = 4096;
constexpr char kGo[] = "go\n";

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

}  // namespace

Barrier::Barrier() : listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool listens = ::bind(listening_.get(), generic(address), size) == 0 &&
                       ::listen(listening_.get(), kBacklog) == 0 &&
                       ::getsockname(listening_.get(), generic(address), &size) == 0;
  if (!listens) {
    std::perror("bench: no socket to wait at");
    std::exit(1);
  }
  port_ = ntohs(address.sin_port);
}

std::string Barrier::command() const {
  return fmt::format("bash -c \"read -r go </dev/tcp/127.0.0.1/{}\"", port_);
}

void Barrier::begin(std::size_t expected) {
  accept_all();  // who came too late for the run before
  here_.clear();
  expected_ = expected;
}

bool Barrier::accept_all() {
  const bool was_full = here_.size() >= expected_;
  while (true) {
    Fd one(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!one) break;
    here_.push_back(std::move(one));
  }
  return !was_full && here_.size() >= expected_;
}

void Barrier::release() {
  for (const Fd& one : here_) {
    // Who has gone meanwhile needs no word.
    [[maybe_unused]] const auto sent = ::send(one.get(), kGo, sizeof(kGo) - 1, MSG_NOSIGNAL);
  }
}

}  // namespace slipway::bench
