#include "support/raw_http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>

#include <algorithm>
#include <stdexcept>

#include "support/loopback_listener.h"

namespace slipway::test {
namespace {

bool send_all(int fd, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

void wait_until_peer_leaves(int fd) {
  char buffer[4096];
  while (::recv(fd, buffer, sizeof buffer, 0) > 0) {
  }
}

/// Blanks, which JSON permits everywhere, until the peer leaves.
void drip(int fd, const std::atomic<bool>& stopping) {
  pollfd peer{fd, POLLRDHUP, 0};
  while (!stopping && ::poll(&peer, 1, 20) == 0 && send_all(fd, " ")) {
  }
}

/// So that the following close() sends RST.
void make_close_a_reset(int fd) {
  const linger now{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

}  // namespace

RawReply reply(int status, const std::string& body, const std::string& headers) {
  return {"HTTP/1.1 " + std::to_string(status) + " Status\r\n" + headers +
              "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body,
          RawReply::Then::kKeep};
}

std::string RawRequest::header(const std::string& name) const {
  std::size_t at = head.find("\r\n");
  while (at != std::string::npos && at + 2 < head.size()) {
    const std::size_t end = head.find("\r\n", at + 2);
    const std::string line = head.substr(at + 2, end - at - 2);
    if (line.size() > name.size() && ::strncasecmp(line.c_str(), name.c_str(), name.size()) == 0 &&
        line[name.size()] == ':') {
      const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
      return value == std::string::npos ? "" : line.substr(value);
    }
    at = end;
  }
  return "";
}

RawHttpServer::RawHttpServer(std::vector<RawReply> script) : script_(std::move(script)) {
  LoopbackListener listener = listen_on_loopback(128);
  listener_ = std::move(listener.fd);
  port_ = listener.port;
  acceptor_ = std::thread([this] { accept_all(); });
}

RawHttpServer::~RawHttpServer() {
  stopping_ = true;
  ::shutdown(listener_.get(), SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  for (std::thread& server : servers_) server.join();
}

std::vector<RawRequest> RawHttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t RawHttpServer::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

void RawHttpServer::wait_for_requests(std::size_t count) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return requests_.size() >= count; });
}

void RawHttpServer::accept_all() {
  while (true) {
    const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0 || stopping_) {
      if (fd >= 0) ::close(fd);
      return;
    }
    const std::lock_guard lock(mutex_);
    ++connections_;
    open_.push_back(fd);
    servers_.emplace_back([this, fd] { serve(fd); });
  }
}

void RawHttpServer::serve(int fd) {
  std::string buffer;
  RawRequest request;
  while (read_request(fd, buffer, request)) {
    const RawReply reply = next_reply(std::move(request));
    act(fd, reply);
    if (reply.then != RawReply::Then::kKeep) break;
    request = {};
  }
  const std::lock_guard lock(mutex_);
  open_.erase(std::find(open_.begin(), open_.end(), fd));
  ::close(fd);
}

bool RawHttpServer::read_request(int fd, std::string& buffer, RawRequest& request) {
  std::size_t needed = std::string::npos;
  while (true) {
    const std::size_t end = buffer.find("\r\n\r\n");
    if (end != std::string::npos && needed == std::string::npos) {
      request.head = buffer.substr(0, end + 2);
      const std::string length = request.header("content-length");
      needed = end + 4 + (length.empty() ? 0 : std::stoul(length));
    }
    if (buffer.size() >= needed && needed != std::string::npos) break;
    char chunk[16384];
    const ssize_t count = ::recv(fd, chunk, sizeof chunk, 0);
    if (count <= 0) return false;
    buffer.append(chunk, static_cast<std::size_t>(count));
  }
  request.body = buffer.substr(request.head.size() + 2, needed - request.head.size() - 2);
  buffer.erase(0, needed);
  return true;
}

RawReply RawHttpServer::next_reply(RawRequest request) {
  const std::lock_guard lock(mutex_);
  const std::size_t index = std::min(requests_.size(), script_.size() - 1);
  requests_.push_back(std::move(request));
  changed_.notify_all();
  return script_[index];
}

void RawHttpServer::act(int fd, const RawReply& reply) {
  bool alive = send_all(fd, reply.bytes);
  if (reply.then == RawReply::Then::kReset) make_close_a_reset(fd);
  if (reply.then == RawReply::Then::kHang) wait_until_peer_leaves(fd);
  if (reply.then == RawReply::Then::kDrip) drip(fd, stopping_);
  while (reply.then == RawReply::Then::kRepeat && alive && !stopping_) alive = send_all(fd, reply.bytes);
}

}  // namespace slipway::test
