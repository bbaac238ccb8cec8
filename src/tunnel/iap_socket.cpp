#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "slipway/core/format.h"
#include "slipway/http/url.h"
#include "slipway/tunnel/iap.h"
#include "tunnel/link.h"
#include "tunnel/relay_stream.h"

namespace slipway::tunnel {
namespace {

using namespace std::chrono_literals;

constexpr const char* kProtocol = "relay.tunnel.cloudproxy.app";
constexpr std::size_t kMostIncoming = std::size_t{256} << 10;
/// A relay that never pauses is read in turns: so much at once, and so many pieces before the others have
/// theirs.
constexpr int kPiecesInTurn = 16;
constexpr auto kFirstPause = 1500ms;
constexpr auto kLongestPause = 20s;
constexpr auto kIdle = 2s;
/// One connection's TCP, TLS and upgrade.
constexpr auto kConnectLimit = 20s;
/// How long a stream waits for a connection that carries it again: the relay does not keep it longer.
constexpr auto kPatience = 15min;

/// A tunnel as a Socket. Its descriptor is an epoll of its own, so that it stays the same while connections
/// come and go below it.
class IapSocket final : public ssh::Socket {
 public:
  IapSocket(std::shared_ptr<const IapGateway> gateway, std::string instance, int port)
      : gateway_(std::move(gateway)), instance_(std::move(instance)), port_(port) {}
  ~IapSocket() override { say_goodbye(); }

  int connect() override {
    epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_) return errno;
    open_link();
    return error_;
  }
  int connect_result() override {
    pump();
    if (error_ != 0) return error_;
    return stream_.established() ? 0 : EINPROGRESS;
  }
  ssize_t send(const void* data, std::size_t size) override {
    if (error_ != 0) return -error_;
    const std::size_t taken = stream_.write({static_cast<const char*>(data), size});
    pump();
    return taken > 0 ? static_cast<ssize_t>(taken) : error_ != 0 ? -error_ : -EAGAIN;
  }
  ssize_t receive(void* data, std::size_t size) override {
    std::string& input = stream_.input();
    if (input.empty()) pump();
    if (input.empty()) return error_ != 0 ? -error_ : ended_ ? 0 : -EAGAIN;
    const std::size_t given = std::min(size, input.size());
    std::copy_n(input.data(), given, static_cast<char*>(data));
    input.erase(0, given);
    return static_cast<ssize_t>(given);
  }
  int fd() const override { return epoll_.get(); }
  ssh::SocketWant connecting() const override { return {true, false, next_time(), false}; }
  ssh::SocketWant own_want() const override {
    // What a send() has found to read: no readiness of the descriptor will tell of it again.
    return {true, false, next_time(), !stream_.input().empty() || ended_ || error_ != 0};
  }
  std::string problem() const override { return problem_; }

 private:
  // Links come and go.
  void open_link();
  void lose_link(int error, const std::string& why);
  void give_up(int error, std::string why);
  void say_goodbye();
  std::string upgrade_target() const;

  // One turn of the wheel: whatever can be done without waiting.
  void pump();
  Result<bool> advance_link(Clock::time_point now);
  Result<void> ask();
  Result<void> take_messages();
  void take_close(const Message& close);
  void write_messages(Clock::time_point now);
  void watch_link();
  std::optional<Clock::time_point> next_time() const;

  std::shared_ptr<const IapGateway> gateway_;  // shared by all tunnels of a run, with its TLS context
  std::string instance_;
  int port_;
  Fd epoll_;
  std::unique_ptr<Link> link_;
  RelayStream stream_;
  std::size_t attempt_ = 0;
  Clock::duration pause_ = kFirstPause;
  std::optional<Clock::time_point> try_again_at_;
  std::optional<Clock::time_point> lost_at_;  ///< no connection carries the stream since then
  Clock::time_point link_deadline_{};
  Clock::time_point last_heard_{};
  bool pumping_ = false;
  bool ended_ = false;
  int error_ = 0;
  std::string problem_;
};

std::string IapSocket::upgrade_target() const {
  using Query = std::vector<std::pair<std::string, std::string>>;
  const Query query =
      stream_.established()
          ? Query{{"sid", stream_.sid()},
                  {"ack", std::to_string(stream_.received())},
                  {"newWebsocket", "True"},
                  {"zone", gateway_->zone}}
          : Query{{"project", gateway_->project}, {"port", std::to_string(port_)}, {"newWebsocket", "True"},
                  {"zone", gateway_->zone},       {"instance", instance_},         {"interface", "nic0"}};
  return gateway_->path + (stream_.established() ? "/reconnect?" : "/connect?") + http::encode_form(query);
}

void IapSocket::open_link() {
  try_again_at_.reset();
  link_ = std::make_unique<Link>(*gateway_, gateway_->addresses[attempt_++ % gateway_->addresses.size()]);
  link_deadline_ = BootClock::now() + kConnectLimit;
  if (const int error = link_->connect(); error != 0)
    return lose_link(error, std::string("the relay: ") + std::strerror(error));
  epoll_event event{};
  event.events = EPOLLOUT;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, link_->fd(), &event) != 0) give_up(errno, "");
}

/// Before the relay has named the stream there is nothing to take up again: when all its addresses have been
/// tried, the session above decides.
void IapSocket::lose_link(int error, const std::string& why) {
  const Clock::time_point now = BootClock::now();
  link_.reset();
  stream_.interrupt();
  if (!stream_.established()) {
    if (attempt_ >= gateway_->addresses.size()) return give_up(error, why);
    try_again_at_ = now;
    return;
  }
  if (!lost_at_) lost_at_ = now;
  if (now - *lost_at_ >= kPatience) return give_up(error, why);
  try_again_at_ = now + pause_;
  pause_ = std::min<Clock::duration>(pause_ + pause_ / 10, kLongestPause);
}

void IapSocket::give_up(int error, std::string why) {
  link_.reset();
  try_again_at_.reset();
  error_ = error;
  problem_ = std::move(why);
}

void IapSocket::say_goodbye() {
  if (!link_ || !link_->is_open()) return;
  link_->send(Opcode::kClose, std::string("\x03\xe8", 2));  // 1000
  static_cast<void>(link_->flush());
}

std::optional<Clock::time_point> IapSocket::next_time() const {
  if (try_again_at_) return try_again_at_;
  if (link_ && !stream_.ready()) return link_deadline_;
  if (stream_.owes_confirmation()) return last_heard_ + kIdle;
  return std::nullopt;
}

void IapSocket::pump() {
  if (pumping_ || error_ != 0 || ended_ || !epoll_) return;
  pumping_ = true;
  const Clock::time_point now = BootClock::now();
  if (try_again_at_ && now >= *try_again_at_) open_link();
  bool more = link_ != nullptr;
  for (int piece = 0; more && link_ && piece < kPiecesInTurn; ++piece) {
    const Result<bool> went_on = advance_link(now);
    more = went_on.ok() && *went_on;
    if (went_on.ok()) continue;
    const Error& error = went_on.error();
    const std::string why = error.why().empty() ? error.message() : error.message() + ": " + error.why();
    // What is refused, or is no relay at all, will be so again.
    if (error.code() == ErrorCode::kUnavailable) {
      lose_link(ECONNRESET, why);
    } else {
      give_up(error.code() == ErrorCode::kDenied ? EACCES : EPROTO, why);
    }
  }
  if (link_ && !stream_.ready() && now >= link_deadline_)
    lose_link(ETIMEDOUT, "the relay did not answer in time");
  watch_link();
  pumping_ = false;
}

/// True when there may be more to do at once. kUnavailable: the link is lost.
Result<bool> IapSocket::advance_link(Clock::time_point now) {
  // Full of one, the session above has to take some first; of the other, the relay.
  const bool room = stream_.input().size() < kMostIncoming && !link_->is_full();
  bool more = false;
  if (room) {
    TRY(more, link_->read());
  }
  if (link_->awaits_request()) TRY(ask());
  TRY(take_messages());
  if (!link_ || ended_ || error_ != 0) return false;
  if (link_->closed()) return Error(ErrorCode::kUnavailable, "the relay closed the connection");
  if (more) last_heard_ = now;
  write_messages(now);
  TRY(link_->flush());
  return more;
}

Result<void> IapSocket::ask() {
  TRY(const Secret token, gateway_->token());
  UpgradeRequest request;
  request.host = gateway_->host.find(':') == std::string::npos ? gateway_->host : '[' + gateway_->host + ']';
  if (gateway_->port != 443) request.host += fmt::format(":{}", gateway_->port);
  request.target = upgrade_target();
  request.protocol = kProtocol;
  request.headers = {{"Origin", "bot:iap-tunneler"}, {"User-Agent", gateway_->user_agent}};
  if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token.reveal());
  link_->ask(std::move(request));
  return {};
}

Result<void> IapSocket::take_messages() {
  while (link_ && !ended_ && error_ == 0) {
    TRY(std::optional<Message> message, link_->next_message());
    if (!message) return {};
    switch (message->opcode) {
      case Opcode::kBinary:
        TRY(stream_.receive(message->payload));
        if (stream_.ready()) pause_ = kFirstPause, lost_at_.reset();
        break;
      case Opcode::kPing:
        link_->send(Opcode::kPong, message->payload);
        break;
      case Opcode::kClose:
        take_close(*message);
        break;
      default:
        break;
    }
  }
  return {};
}

/// The relay's own codes: what they mean was read from gcloud's tunnel.
void IapSocket::take_close(const Message& close) {
  constexpr int kNormal = 1000, kCannotReach = 4003, kReauthenticate = 4004;
  const int code = close.close_code();
  if (code == kNormal) {
    ended_ = true;
  } else if (code == kCannotReach) {
    give_up(ECONNREFUSED,
            fmt::format("IAP cannot reach port {} of {}: does a firewall rule let 35.235.240.0/20 in?", port_,
                        instance_));
  } else if (code == kReauthenticate || stream_.established()) {
    lose_link(ECONNRESET, fmt::format("the relay ended the connection with code {}", code));
  } else {
    give_up(ECONNRESET, fmt::format("the relay refused with code {} {}", code, close.close_reason()));
  }
}

void IapSocket::write_messages(Clock::time_point now) {
  const bool idle = now - last_heard_ >= kIdle;
  while (link_->is_open() && !link_->is_full()) {
    const std::optional<std::string> message = stream_.next_message(idle);
    if (!message) return;
    link_->send(Opcode::kBinary, *message);
  }
}

void IapSocket::watch_link() {
  if (!link_) return;
  epoll_event event{};
  event.events = EPOLLIN | (link_->waits_to_write() ? unsigned{EPOLLOUT} : 0U);
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, link_->fd(), &event);
}

}  // namespace

std::unique_ptr<ssh::Socket> make_iap_socket(std::shared_ptr<const IapGateway> gateway, std::string instance,
                                             int port) {
  return std::make_unique<IapSocket>(std::move(gateway), std::move(instance), port);
}

}  // namespace slipway::tunnel
