#include "support/iap_relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "support/loopback_listener.h"

namespace slipway::test {
namespace {

constexpr std::size_t kData = 16384;
constexpr std::size_t kMostUnconfirmed = std::size_t{1} << 20;
constexpr int kLook = 20;  // milliseconds between looks at whether the test is over

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <typename T>
using Owned = std::unique_ptr<T, FreeSsl>;

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  while (bytes-- > 0) text += static_cast<char>(value >> (8 * bytes) & 0xff);
  return text;
}

std::uint64_t read_number(const std::string& text, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value * 256 + static_cast<unsigned char>(text.at(at + i));
  return value;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size();
  return text.substr(from, text.find_first_of(end, from) - from);
}

std::string accept_for(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  std::array<unsigned char, 64> base64{};
  const int length = EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(size));
  return std::string(reinterpret_cast<char*>(base64.data()), static_cast<std::size_t>(length));
}

}  // namespace

struct IapRelay::Context {
  Owned<SSL_CTX> ssl;
};

/// One websocket, with blocking calls on a thread of its own.
class IapRelay::Connection {
 public:
  Connection(SSL* ssl, int fd, const Options& options, std::size_t cut, const std::atomic<bool>& stopping)
      : ssl_(ssl), fd_(fd), options_(options), cut_(cut), stopping_(stopping) {}

  std::string read_head() {
    std::string head;
    char byte = 0;
    while (head.find("\r\n\r\n") == std::string::npos) {
      if (SSL_read(ssl_, &byte, 1) != 1) return "";
      head += byte;
    }
    return head;
  }
  void until_client_leaves() {
    char byte = 0;
    while (!stopping_ && SSL_read(ssl_, &byte, 1) == 1) {
    }
  }
  void write(const std::string& bytes) { SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size())); }
  void send(int opcode, const std::string& payload) {
    if (options_.fragments && opcode == 2 && payload.size() > 4) {
      frame(2, payload.substr(0, 3), false);
      frame(9, "are you there", true);
      frame(0, payload.substr(3), true);
    } else {
      frame(opcode, payload, true);
    }
  }
  void data(const std::string& bytes) {
    send(2, number(4, 2) + number(bytes.size(), 4) + bytes);
    carried_ += bytes.size();
  }

  void carry(Stream& stream) {
    for (std::size_t at = 0; at < stream.unconfirmed.size(); at += kData)
      data(stream.unconfirmed.substr(at, kData));
    while (!stopping_ && !over_ && carried_ < cut_) {
      pollfd watched[2] = {{fd_, POLLIN, 0}, {stream.target.get(), POLLIN, 0}};
      if (stream.unconfirmed.size() > kMostUnconfirmed || target_ended_) watched[1].fd = -1;
      if (SSL_pending(ssl_) == 0 && ::poll(watched, 2, kLook) <= 0) continue;
      if (SSL_pending(ssl_) > 0 || watched[0].revents != 0) from_client(stream);
      if (watched[1].revents != 0) from_target(stream);
    }
    if (carried_ >= cut_ && options_.cut_code != 0) {
      send(8, number(static_cast<std::uint64_t>(options_.cut_code), 2));
    } else if (carried_ >= cut_) {
      const linger now{1, 0};  // a reset: what is on its way is lost
      ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
  }

 private:
  void frame(int opcode, const std::string& payload, bool final) {
    std::string head(1, static_cast<char>((final ? 0x80 : 0) | opcode));
    if (payload.size() < 126) {
      head += static_cast<char>(payload.size());
    } else {
      head += static_cast<char>(126) + number(payload.size(), 2);
    }
    write(head + payload);
  }

  bool read_exactly(std::string& text, std::size_t size) {
    text.assign(size, '\0');
    for (std::size_t have = 0; have < size;) {
      const int count = SSL_read(ssl_, text.data() + have, static_cast<int>(size - have));
      if (count <= 0) return false;
      have += static_cast<std::size_t>(count);
    }
    return true;
  }

  void from_client(Stream& stream) {
    std::string head, extended, mask, payload;
    over_ = true;
    if (!read_exactly(head, 2)) return;
    if ((head[1] & 0x80) == 0) return;  // a client has to mask
    std::size_t size = static_cast<unsigned char>(head[1]) & 0x7f;
    if (size >= 126) {
      const std::size_t width = size == 126 ? 2 : 8;
      if (!read_exactly(extended, width)) return;
      size = read_number(extended, 0, width);
    }
    if (!read_exactly(mask, 4) || !read_exactly(payload, size)) return;
    for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<char>(payload[i] ^ mask[i % 4]);
    const int opcode = head[0] & 0x0f;
    if (opcode == 8) return;
    over_ = false;
    if (opcode == 2) from_client(stream, payload);
  }

  void from_client(Stream& stream, const std::string& message) {
    const std::uint64_t tag = read_number(message, 0, 2);
    if (tag == 4) {
      const std::size_t size = read_number(message, 2, 4);
      ::send(stream.target.get(), message.data() + 6, size, MSG_NOSIGNAL);
      stream.received += size;
      carried_ += size;
      if (stream.received - told_ > 4096) {
        told_ = stream.received;
        send(2, number(7, 2) + number(told_, 8));
      }
    } else if (tag == 7) {
      const std::uint64_t total = read_number(message, 2, 8);
      stream.unconfirmed.erase(0, total - stream.confirmed);
      stream.confirmed = total;
    }
  }

  void from_target(Stream& stream) {
    std::array<char, kData> buffer;
    const ssize_t count = ::recv(stream.target.get(), buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      target_ended_ = true;
      send(8, number(1000, 2));
      return;
    }
    const std::string bytes(buffer.data(), static_cast<std::size_t>(count));
    stream.unconfirmed += bytes;
    data(bytes);
  }

  SSL* ssl_;
  int fd_;
  const Options& options_;
  std::size_t cut_;
  const std::atomic<bool>& stopping_;
  std::size_t carried_ = 0;
  std::uint64_t told_ = 0;
  bool over_ = false;
  bool target_ended_ = false;
};

IapRelay::IapRelay(Options options)
    : options_(std::move(options)), context_(new Context{Owned<SSL_CTX>(SSL_CTX_new(TLS_server_method()))}) {
  ::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
  const SelfSigned identity = make_certificate("127.0.0.1");
  std::ofstream(ca_file()) << identity.certificate;
  const Owned<BIO> certificate(
      BIO_new_mem_buf(identity.certificate.data(), static_cast<int>(identity.certificate.size())));
  const Owned<X509> parsed(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
  const Owned<BIO> key(BIO_new_mem_buf(identity.key.data(), static_cast<int>(identity.key.size())));
  const Owned<EVP_PKEY> parsed_key(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
  SSL_CTX_use_certificate(context_->ssl.get(), parsed.get());
  SSL_CTX_use_PrivateKey(context_->ssl.get(), parsed_key.get());

  LoopbackListener listener = listen_on_loopback(64);
  listener_ = std::move(listener.fd);
  port_ = listener.port;
  thread_ = std::thread([this] { serve(); });
}

IapRelay::~IapRelay() {
  stopping_ = true;
  ::shutdown(listener_.get(), SHUT_RDWR);
  thread_.join();
  for (std::thread& connection : connections_) connection.join();
}

std::vector<std::string> IapRelay::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void IapRelay::serve() {
  for (std::size_t number = 0;; ++number) {
    const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    connections_.emplace_back([this, fd, number] {
      const Fd owned(fd);
      serve_one(fd, number);
    });
  }
}

std::shared_ptr<IapRelay::Stream> IapRelay::open_stream(std::string& sid) {
  auto stream = std::make_shared<Stream>();
  stream->target.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(options_.target_port));
  ::inet_pton(AF_INET, options_.target.c_str(), &where.sin_addr);
  if (::connect(stream->target.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0)
    return nullptr;
  const std::lock_guard lock(mutex_);
  sid = "SID-" + std::to_string(streams_.size());
  streams_[sid] = stream;
  return stream;
}

std::shared_ptr<IapRelay::Stream> IapRelay::find_stream(const std::string& sid) {
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(sid);
  return found == streams_.end() ? nullptr : found->second;
}

void IapRelay::serve_one(int fd, std::size_t index) {
  const Owned<SSL> ssl(SSL_new(context_->ssl.get()));
  SSL_set_fd(ssl.get(), fd);
  const timeval patience{20, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (SSL_accept(ssl.get()) != 1) return;
  const std::size_t cut = index < options_.cuts.size() ? options_.cuts[index] : SIZE_MAX;
  Connection connection(ssl.get(), fd, options_, cut, stopping_);
  const std::string head = connection.read_head();
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(head);
  }
  if (options_.status != 101) {
    connection.write("HTTP/1.1 " + std::to_string(options_.status) + " No\r\nContent-Length: 0\r\n\r\n");
    return;
  }
  connection.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      accept_for(between(head, "Sec-WebSocket-Key: ", "\r")) +
      "\r\nSec-WebSocket-Protocol: relay.tunnel.cloudproxy.app\r\n\r\n");
  std::string sid = between(head, "/v4/reconnect?sid=", "&");
  const bool again = !sid.empty();
  const std::shared_ptr<Stream> stream = again ? find_stream(sid) : open_stream(sid);
  if (!options_.rubbish.empty()) {
    connection.write(options_.rubbish);
    connection.until_client_leaves();
    return;
  }
  if (options_.close_code != 0 || !stream) {
    connection.send(
        8, number(static_cast<std::uint64_t>(options_.close_code != 0 ? options_.close_code : 4003), 2));
    return;
  }
  const std::lock_guard lock(stream->in_use);
  if (again) {
    ++reconnections_;
    const std::uint64_t have = std::stoull(between(head, "&ack=", "&"));
    stream->unconfirmed.erase(0, have - stream->confirmed);
    stream->confirmed = have;
    connection.send(2, number(2, 2) + number(stream->received, 8));
  } else {
    connection.send(2, number(1, 2) + number(sid.size(), 4) + sid);
  }
  connection.carry(*stream);
}

}  // namespace slipway::test
