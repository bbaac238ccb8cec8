#include "tunnel/relay_stream.h"

#include <algorithm>

#include "slipway/core/format.h"

namespace slipway::tunnel {
namespace {

constexpr unsigned kConnected = 0x0001;    ///< CONNECT_SUCCESS_SID
constexpr unsigned kReconnected = 0x0002;  ///< RECONNECT_SUCCESS_ACK
constexpr unsigned kData = 0x0004;
constexpr unsigned kAck = 0x0007;

constexpr std::size_t kLargestData = 16384;
constexpr std::uint64_t kConfirmAfter = 2 * kLargestData;
constexpr std::size_t kMostUnconfirmed = std::size_t{256} << 10;
constexpr std::size_t kLongestSid = 4096;

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xff);
  return text;
}

/// Takes a big-endian number of `bytes` from the front; nothing when there is less.
std::optional<std::uint64_t> take_number(std::string_view& text, std::size_t bytes) {
  if (text.size() < bytes) return std::nullopt;
  std::uint64_t value = 0;
  for (const char byte : text.substr(0, bytes)) value = value << 8 | static_cast<unsigned char>(byte);
  text.remove_prefix(bytes);
  return value;
}

/// The same for bytes with their length before them; anything may follow them.
std::optional<std::string_view> take_bytes(std::string_view& text) {
  const auto size = take_number(text, 4);
  if (!size || *size > text.size()) return std::nullopt;
  const std::string_view bytes = text.substr(0, *size);
  text.remove_prefix(*size);
  return bytes;
}

Error broken(const char* what) {
  return Error(ErrorCode::kFailed, fmt::format("the relay breaks its protocol: {}", what));
}

}  // namespace

std::size_t RelayStream::write(std::string_view bytes) {
  const std::size_t room = kMostUnconfirmed - std::min(kMostUnconfirmed, unconfirmed_.size());
  const std::size_t taken = std::min(room, bytes.size());
  unconfirmed_ += bytes.substr(0, taken);
  return taken;
}

Result<void> RelayStream::receive(std::string_view message) {
  const auto tag = take_number(message, 2);
  if (!tag) return broken("a message without a tag");
  if (*tag == kConnected) {
    const auto sid = take_bytes(message);
    if (!sid || sid->empty() || sid->size() > kLongestSid || established())
      return broken("its name for the stream");
    sid_ = *sid;
    ready_ = true;
  } else if (*tag == kReconnected) {
    const auto total = take_number(message, 8);
    if (!total || !established()) return broken("a reconnection out of place");
    sent_ = unconfirmed_.size();  // whatever of it may have arrived
    TRY(confirm(*total));
    sent_ = 0;
    confirmed_received_ = received_;  // our reconnection has said it
    ready_ = true;
  } else if (*tag == kData) {
    const auto bytes = take_bytes(message);
    if (!bytes || !ready_) return broken("data out of place");
    input_ += *bytes;
    received_ += bytes->size();
  } else if (*tag == kAck) {
    const auto total = take_number(message, 8);
    if (!total || !ready_) return broken("a confirmation out of place");
    return confirm(*total);
  }
  return {};  // tags that we do not know are for others
}

Result<void> RelayStream::confirm(std::uint64_t total) {
  if (total < confirmed_ || total - confirmed_ > sent_) return broken("it confirms what was never sent");
  const auto count = static_cast<std::size_t>(total - confirmed_);
  unconfirmed_.erase(0, count);
  sent_ -= count;
  confirmed_ = total;
  return {};
}

std::optional<std::string> RelayStream::next_message(bool idle) {
  if (!ready_) return std::nullopt;
  const std::uint64_t owed = received_ - confirmed_received_;
  if (owed > kConfirmAfter || (idle && owed > 0)) {
    confirmed_received_ = received_;
    return number(kAck, 2) + number(received_, 8);
  }
  const std::size_t size = std::min(kLargestData, unconfirmed_.size() - sent_);
  if (size == 0) return std::nullopt;
  std::string message = number(kData, 2) + number(size, 4) + unconfirmed_.substr(sent_, size);
  sent_ += size;
  return message;
}

}  // namespace slipway::tunnel
