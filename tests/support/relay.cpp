#include "support/relay.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace slipway::test {
namespace {

constexpr std::size_t kPiece = 16 * 1024;

sockaddr_in to_sockaddr(const std::string& address, int port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
  return where;
}

void close_with_reset(Fd& fd) {
  const linger now{1, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  fd.reset();
}

void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

}  // namespace

Relay::Relay(std::string server_address, int server_port, std::vector<Plan> plans)
    : server_address_(std::move(server_address)), server_port_(server_port), doors_(plans.size()) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    doors_[i].plan = std::move(plans[i]);
    open_door(doors_[i]);
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) == 0) stop_read_.reset(ends[0]), stop_write_.reset(ends[1]);
  thread_ = std::thread([this] { serve(); });
}

Relay::~Relay() {
  stop_write_.reset();
  thread_.join();
}

void Relay::open_door(Door& door) {
  door.fd.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in where = to_sockaddr(address(), 0);
  socklen_t size = sizeof(where);
  ::bind(door.fd.get(), reinterpret_cast<const sockaddr*>(&where), size);
  ::listen(door.fd.get(), 64);
  ::getsockname(door.fd.get(), reinterpret_cast<sockaddr*>(&where), &size);
  door.port = ntohs(where.sin_port);
}

void Relay::serve() {
  while (true) {
    wait();
    pollfd stop{stop_read_.get(), POLLIN, 0};
    if (::poll(&stop, 1, 0) > 0) return;
    for (const Door& door : doors_) accept(door);
    for (Connection& connection : connections_) carry(connection);
    connections_.remove_if([](const Connection& connection) { return connection.over; });
  }
}

void Relay::wait() {
  std::vector<pollfd> watched{{stop_read_.get(), POLLIN, 0}};
  for (const Door& door : doors_) watched.push_back({door.fd.get(), POLLIN, 0});
  int longest = -1;
  for (const Connection& connection : connections_) {
    if (connection.failed) continue;  // stalled
    const bool more = !connection.to_client.waiting.empty() || !connection.to_server.waiting.empty();
    if (more) longest = 1;
    if (!connection.to_server.ended) watched.push_back({connection.client.get(), POLLIN, 0});
    if (!connection.to_client.ended) watched.push_back({connection.server.get(), POLLIN, 0});
  }
  ::poll(watched.data(), watched.size(), longest);
}

void Relay::accept(const Door& door) {
  while (true) {
    Connection made;
    made.client.reset(::accept4(door.fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!made.client) return;
    made.plan = &door.plan;
    made.to_client.waiting = door.plan.greeting;
    made.server.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in where = to_sockaddr(server_address_, server_port_);
    ::connect(made.server.get(), reinterpret_cast<const sockaddr*>(&where), sizeof(where));
    ::fcntl(made.server.get(), F_SETFL, O_NONBLOCK);
    send_at_once(made.client.get());
    send_at_once(made.server.get());
    connections_.push_back(std::move(made));
  }
}

void Relay::carry(Connection& connection) {
  if (connection.failed || connection.over) return;
  for (const Direction direction : {Direction::kToClient, Direction::kToServer}) {
    if (!move(connection, direction)) return misbehave(connection);
  }
  const bool done = connection.to_client.ended && connection.to_client.waiting.empty() &&
                    connection.to_server.ended && connection.to_server.waiting.empty();
  if (done) connection.over = true;
}

/// Carries what is there in one direction; false when the byte of the fault has come.
bool Relay::move(Connection& connection, Direction direction) {
  const Plan& plan = *connection.plan;
  const bool to_client = direction == Direction::kToClient;
  Pipe& pipe = to_client ? connection.to_client : connection.to_server;
  const Fd& from = to_client ? connection.server : connection.client;
  const Fd& to = to_client ? connection.client : connection.server;
  if (!pipe.ended && pipe.waiting.size() < kPiece) {
    char bytes[kPiece];
    const ssize_t count = ::recv(from.get(), bytes, sizeof(bytes), 0);
    if (count > 0) pipe.waiting.append(bytes, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) pipe.ended = true;
  }
  const bool counted = plan.counted == direction && plan.fault != Fault::kNone;
  std::size_t most = pipe.waiting.size();
  if (counted && pipe.carried >= plan.after) {
    if (plan.fault != Fault::kDrip) return false;
    most = std::min<std::size_t>(most, 1);
  } else if (counted) {
    most = std::min(most, plan.after - pipe.carried);
  }
  const ssize_t sent = most == 0 ? 0 : ::send(to.get(), pipe.waiting.data(), most, MSG_NOSIGNAL);
  if (sent > 0) pipe.waiting.erase(0, static_cast<std::size_t>(sent));
  if (sent > 0) pipe.carried += static_cast<std::size_t>(sent);
  if (sent < 0 && errno != EAGAIN) pipe.waiting.clear(), pipe.ended = true;
  if (pipe.ended && pipe.waiting.empty()) ::shutdown(to.get(), SHUT_WR);
  return !(counted && plan.fault != Fault::kDrip && pipe.carried >= plan.after);
}

void Relay::misbehave(Connection& connection) {
  connection.failed = true;
  if (connection.plan->fault == Fault::kStall) return;
  connection.over = true;
  if (connection.plan->fault == Fault::kReset) {
    close_with_reset(connection.client);
    close_with_reset(connection.server);
  }
}

}  // namespace slipway::test
