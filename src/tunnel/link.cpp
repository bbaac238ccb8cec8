#include "tunnel/link.h"

#include <openssl/rand.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "slipway/core/secret.h"
#include "slipway/core/text.h"

namespace slipway::tunnel {
namespace {

constexpr std::size_t kLargestHead = std::size_t{16} << 10;
constexpr std::size_t kReadPiece = std::size_t{16} << 10;
/// A relay that never pauses is read in pieces of this.
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;
constexpr std::size_t kMostOutgoing = std::size_t{128} << 10;

std::uint32_t random_mask() {
  std::uint32_t mask = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&mask), sizeof mask);
  return mask;
}

std::string random_key() {
  std::string bytes(16, '\0');
  RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  return base64_encode(bytes);
}

}  // namespace

Link::Link(const IapGateway& gateway, const std::string& address)
    : tcp_(address, gateway.port), tls_(*gateway.tls, gateway.host), key_(random_key()) {}

Result<bool> Link::read() {
  if (stage_ == Stage::kTcp) return finish_tcp();
  const bool heard = receive();
  if (stage_ == Stage::kTls) {
    if (closed_) return heard;
    TRY(const bool done, tls_.handshake());
    if (done) stage_ = Stage::kSecure;
    return done || heard;
  }
  Result<std::string> plain = tls_.read();
  if (!plain.ok()) {
    if (closed_) return heard;  // closed() says it
    return std::move(plain).error();
  }
  if (stage_ == Stage::kUpgrade) {
    TRY(take_head(*plain));
  } else {
    messages_.feed(*plain);
  }
  return heard;
}

Result<bool> Link::finish_tcp() {
  const int error = tcp_.connect_result();
  if (error == EINPROGRESS) return false;
  if (error != 0) return Error(ErrorCode::kUnavailable, std::string("the relay: ") + std::strerror(error));
  stage_ = Stage::kTls;
  return true;
}

/// True when anything came.
bool Link::receive() {
  std::array<char, kReadPiece> piece;
  std::size_t taken = 0;
  while (!closed_ && taken < kReadAtOnce) {
    const ssize_t count = tcp_.receive(piece.data(), piece.size());
    if (count == -EINTR) continue;
    if (count == -EAGAIN) break;
    closed_ = count <= 0;
    if (closed_) break;
    tls_.feed({piece.data(), static_cast<std::size_t>(count)});
    taken += static_cast<std::size_t>(count);
  }
  return taken > 0;
}

void Link::ask(UpgradeRequest request) {
  std::string text = upgrade_request(request, key_);
  tls_.write(text);
  wipe(text);
  for (auto& header : request.headers) wipe(header.second);
  protocol_ = request.protocol;
  stage_ = Stage::kUpgrade;
}

Result<void> Link::take_head(std::string_view plain) {
  head_ += plain;
  const std::size_t end = head_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (head_.size() > kLargestHead) return Error(ErrorCode::kFailed, "the relay's answer has no end");
    return {};
  }
  TRY(check_upgrade(std::string_view(head_).substr(0, end + 4), key_, protocol_));
  messages_.feed(std::string_view(head_).substr(end + 4));
  std::string().swap(head_);
  stage_ = Stage::kOpen;
  return {};
}

Result<std::optional<Message>> Link::next_message() {
  if (stage_ != Stage::kOpen) return std::optional<Message>();
  return messages_.next();
}

void Link::send(Opcode opcode, std::string_view payload) {
  tls_.write(masked_frame(opcode, payload, random_mask()));
  outgoing_ += tls_.take_encrypted();
}

bool Link::is_full() const { return outgoing_.size() >= kMostOutgoing; }

Result<void> Link::flush() {
  outgoing_ += tls_.take_encrypted();
  std::size_t sent = 0;
  while (sent < outgoing_.size()) {
    const ssize_t count = tcp_.send(outgoing_.data() + sent, outgoing_.size() - sent);
    if (count == -EINTR) continue;
    if (count == -EAGAIN) break;
    if (count < 0)
      return Error(ErrorCode::kUnavailable,
                   std::string("the relay: ") + std::strerror(static_cast<int>(-count)));
    sent += static_cast<std::size_t>(count);
  }
  outgoing_.erase(0, sent);
  return {};
}

}  // namespace slipway::tunnel
