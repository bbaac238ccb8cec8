#include "emulator/metadata_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "emulator/listening.h"
#include "emulator/metadata_answer.h"
#include "slipway/core/fd.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr int kWellKnownPort = 80;
// Whoever has this address on port 80 has the port on all workers' addresses: two emulators on one machine
// give their workers the same ones.
constexpr const char* kClaim = "127.255.255.254";
constexpr std::size_t kLargestHead = 16 * 1'024;
constexpr int kBacklog = 64;
// Many changes come at once, when slices boot.
constexpr std::chrono::milliseconds kSettle{20};
constexpr std::chrono::seconds kPatience{
    30};  // with a client that does not say what it wants, or does not read

Fd listen_at(const std::string& address, int port) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &name.sin_addr);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
      ::listen(socket.get(), kBacklog) != 0)
    return Fd();
  return socket;
}

/// One connection: what it has sent, what it is to be sent, and what it waits for.
struct Connection {
  Fd socket;
  std::string address;  ///< the worker's
  std::string input;
  std::string output;
  std::optional<MetadataRequest> waiting;
  std::string known_etag;
  Clock::time_point until{};  ///< it is answered, or given up
};

class Loop final : public MetadataServer {
 public:
  explicit Loop(TreeOf tree_of)
      : tree_of_(std::move(tree_of)), woken_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  ~Loop() override {
    stopping_ = true;
    wake();
    if (thread_.joinable()) thread_.join();
  }

  bool begin() {
    claim_ = listen_at(kClaim, kWellKnownPort);
    port_ = claim_ ? kWellKnownPort : find_free_port();
    if (!woken_ || port_ == 0) return false;
    thread_ = std::thread([this] { run(); });
    return true;
  }

  int port() const override { return port_; }

  Result<void> listen(const std::string& address) override {
    const std::lock_guard lock(mutex_);
    if (listeners_.count(address) != 0) return {};
    Fd socket = listen_at(address, port_);
    if (!socket) {
      return system_error(ErrorCode::kLocal,
                          fmt::format("cannot serve metadata on {} port {}", address, port_), errno);
    }
    listeners_.emplace(address, std::move(socket));
    wake();
    return {};
  }

  void forget(const std::string& address) override {
    const std::lock_guard lock(mutex_);
    const auto found = listeners_.find(address);
    if (found == listeners_.end()) return;
    // Closed by the thread that polls it: else its number could be another socket's before that one looks.
    closing_.push_back(std::move(found->second));
    listeners_.erase(found);
    wake();
  }

  void note_change() override {
    changed_ = true;
    wake();
  }

 private:
  void wake() const {
    const std::uint64_t one = 1;
    if (::write(woken_.get(), &one, sizeof one) < 0) return;  // full: it is awake already
  }

  void run() {
    while (!stopping_) {
      std::vector<pollfd> waits{{woken_.get(), POLLIN, 0}};
      std::vector<std::string> addresses;
      {
        const std::lock_guard lock(mutex_);
        closing_.clear();
        for (const auto& [address, socket] : listeners_) {
          waits.push_back({socket.get(), POLLIN, 0});
          addresses.push_back(address);
        }
      }
      for (const Connection& one : connections_)
        waits.push_back({one.socket.get(), static_cast<short>(one.output.empty() ? POLLIN : POLLOUT), 0});
      const std::size_t served = connections_.size();
      ::poll(waits.data(), waits.size(), pause());
      clear_wake(waits[0].revents);
      serve(waits, 1 + addresses.size(), served);
      for (std::size_t i = 0; i < addresses.size(); ++i) {
        if ((waits[1 + i].revents & POLLIN) != 0) accept_all(waits[1 + i].fd, addresses[i]);
      }
      look_at_waiting();
    }
  }

  void clear_wake(short events) const {
    std::uint64_t count = 0;
    if ((events & POLLIN) != 0 && ::read(woken_.get(), &count, sizeof count) < 0) return;
  }

  // Until the first deadline; not at once after a change, so that a hundred of them are looked at together.
  int pause() const {
    Clock::time_point next = BootClock::now() + kPatience;
    for (const Connection& one : connections_) next = std::min(next, one.until);
    if (changed_) next = std::min(next, looked_at_ + kSettle);
    const auto length = std::chrono::ceil<std::chrono::milliseconds>(next - BootClock::now());
    return static_cast<int>(std::max<std::int64_t>(0, length.count()));
  }

  void accept_all(int listener, const std::string& address) {
    while (true) {
      Fd socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket) return;
      Connection connection;
      connection.socket = std::move(socket);
      connection.address = address;
      connection.until = BootClock::now() + kPatience;
      connections_.push_back(std::move(connection));
    }
  }

  void serve(const std::vector<pollfd>& waits, std::size_t first, std::size_t count) {
    auto at = connections_.begin();
    for (std::size_t i = first; i < first + count; ++i) {
      const bool ready = waits[i].revents != 0;
      const bool over = ready && !go_on(*at);
      at = over ? connections_.erase(at) : std::next(at);
    }
  }

  // False when the connection is over.
  bool go_on(Connection& connection) {
    if (!connection.output.empty()) return send(connection);
    char buffer[4'096];
    const ssize_t size = ::recv(connection.socket.get(), buffer, sizeof buffer, 0);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    if (size == 0) return false;
    if (connection.waiting) return true;  // it has been asked; whatever follows is not read
    connection.input.append(buffer, static_cast<std::size_t>(size));
    const std::size_t end = connection.input.find("\r\n\r\n");
    if (end == std::string::npos) return connection.input.size() <= kLargestHead;
    return begin_answer(connection, parse_metadata_request(connection.input.substr(0, end)));
  }

  bool begin_answer(Connection& connection, std::optional<MetadataRequest> request) {
    if (!request) {
      connection.output = malformed_metadata_answer();
      return send(connection);
    }
    const MetadataWish wish = wish_of(*request);
    MetadataAnswer answer = answer_metadata(*request, tree_of_(connection.address).value_or(Json::object()));
    const bool is_news = !wish.last_etag.empty() && wish.last_etag != answer.etag;
    if (!wish.wait || !answer.found || is_news) {
      connection.output = std::move(answer.bytes);
      return send(connection);
    }
    connection.waiting = std::move(request);
    connection.known_etag = answer.etag;
    connection.until = wish.timeout ? BootClock::now() + *wish.timeout : Clock::time_point::max();
    return true;
  }

  bool send(Connection& connection) {
    const ssize_t size =
        ::send(connection.socket.get(), connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    connection.output.erase(0, static_cast<std::size_t>(size));
    connection.until = BootClock::now() + kPatience;
    return !connection.output.empty();
  }

  void look_at_waiting() {
    const Clock::time_point now = BootClock::now();
    const bool look = changed_ && now >= looked_at_ + kSettle;
    if (look) {
      changed_ = false;
      looked_at_ = now;
    }
    for (auto at = connections_.begin(); at != connections_.end();) {
      const bool due = now >= at->until;
      const bool over = at->waiting ? ((look || due) && !look_again(*at, due)) : due;
      at = over ? connections_.erase(at) : std::next(at);
    }
  }

  // Answers one that waits when its value is another one, or its time is up.
  bool look_again(Connection& connection, bool due) {
    MetadataAnswer answer =
        answer_metadata(*connection.waiting, tree_of_(connection.address).value_or(Json::object()));
    if (!due && answer.etag == connection.known_etag) return true;
    connection.waiting.reset();
    connection.output = std::move(answer.bytes);
    return send(connection);
  }

  TreeOf tree_of_;
  Fd woken_;
  Fd claim_;
  int port_ = 0;
  std::mutex mutex_;  ///< guards listeners_ and closing_
  std::vector<Fd> closing_;
  std::map<std::string, Fd> listeners_;
  std::list<Connection> connections_;  ///< of the thread alone
  Clock::time_point looked_at_{};
  std::atomic<bool> changed_{false};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<MetadataServer>> MetadataServer::start(TreeOf tree_of) {
  auto loop = std::make_unique<Loop>(std::move(tree_of));
  if (!loop->begin()) return Error(ErrorCode::kLocal, "cannot find a free port for the metadata servers");
  return std::unique_ptr<MetadataServer>(std::move(loop));
}

}  // namespace slipway::emulator
