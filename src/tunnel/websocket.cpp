#include "tunnel/websocket.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::tunnel {
namespace {

constexpr std::size_t kLargestMessage = std::size_t{1} << 20;
constexpr std::size_t kLargestControl = 125;
constexpr int kNoCloseCode = 1005;
constexpr unsigned kFinal = 0x80, kReserved = 0x70, kOpcode = 0x0f, kMasked = 0x80, kLength = 0x7f;

Error broken(const char* what) { return Error(ErrorCode::kFailed, fmt::format("no websocket: {}", what)); }

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::string big_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(number >> shift & 0xff);
  return text;
}

/// The value of a header of an answer, whatever its name's case; empty when it is not there.
std::string header_of(std::string_view head, std::string_view lower_case_name) {
  for (const std::string& line : split(head, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos &&
        to_lower(trim(std::string_view(line).substr(0, colon))) == lower_case_name)
      return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return "";
}

/// 403 of "HTTP/1.1 403 Forbidden"; 0 for what is no HTTP.
int status_of(std::string_view head) {
  if (head.substr(0, 7) != "HTTP/1." || head.size() < 12) return 0;
  int status = 0;
  const auto [end, failure] = std::from_chars(head.data() + 9, head.data() + 12, status);
  return failure == std::errc() && end == head.data() + 12 ? status : 0;
}

}  // namespace

std::string upgrade_request(const UpgradeRequest& request, const std::string& key) {
  std::string text =
      fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
                  request.target, request.host);
  text += fmt::format("Sec-WebSocket-Key: {}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {}\r\n",
                      key, request.protocol);
  for (const auto& [name, value] : request.headers) text += fmt::format("{}: {}\r\n", name, value);
  return text + "\r\n";
}

std::string accept_of(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

Result<void> check_upgrade(std::string_view head, const std::string& key, const std::string& protocol) {
  const int status = status_of(head);
  if (status == 0) return broken("the answer is no HTTP");
  if (status != 101) {
    const std::string_view line = trim(head.substr(0, head.find('\n')));
    const bool denied = status == 401 || status == 403;
    return Error(denied ? ErrorCode::kDenied : ErrorCode::kUnavailable,
                 "the relay answers " + printable(line));
  }
  if (to_lower(header_of(head, "upgrade")) != "websocket") return broken("101 without Upgrade");
  if (header_of(head, "sec-websocket-accept") != accept_of(key))
    return broken("the answer is to another key");
  if (header_of(head, "sec-websocket-protocol") != protocol) return broken("another subprotocol");
  return {};
}

std::string masked_frame(Opcode opcode, std::string_view payload, std::uint32_t mask) {
  std::string frame(1, static_cast<char>(kFinal | static_cast<unsigned>(opcode)));
  if (payload.size() < 126) {
    frame += static_cast<char>(kMasked | payload.size());
  } else if (payload.size() < 65536) {
    frame += static_cast<char>(kMasked | 126U) + big_endian(payload.size(), 2);
  } else {
    frame += static_cast<char>(kMasked | 127U) + big_endian(payload.size(), 8);
  }
  const std::string key = big_endian(mask, 4);
  frame += key;
  for (std::size_t i = 0; i < payload.size(); ++i) frame += static_cast<char>(payload[i] ^ key[i % 4]);
  return frame;
}

int Message::close_code() const {
  return payload.size() < 2 ? kNoCloseCode
                            : static_cast<int>(big_endian(std::string_view(payload).substr(0, 2)));
}

std::string Message::close_reason() const { return payload.size() < 2 ? "" : printable(payload.substr(2)); }

Result<std::optional<MessageReader::Frame>> MessageReader::next_frame() {
  const std::string_view bytes = buffer_;
  if (bytes.size() < 2) return std::optional<Frame>();
  const unsigned first = byte_at(bytes, 0), second = byte_at(bytes, 1);
  if ((first & kReserved) != 0) return broken("reserved bits");
  if ((second & kMasked) != 0) return broken("a masked frame from a server");
  std::size_t header = 2;
  std::uint64_t size = second & kLength;
  if (size >= 126) {
    const std::size_t width = size == 126 ? 2 : 8;
    if (bytes.size() < header + width) return std::optional<Frame>();
    size = big_endian(bytes.substr(header, width));
    header += width;
  }
  Frame frame;
  frame.opcode = static_cast<Opcode>(first & kOpcode);
  frame.final = (first & kFinal) != 0;
  const bool control = (first & 8U) != 0;
  if (size > (control ? kLargestControl : kLargestMessage)) return broken("a frame that is too large");
  if (control && !frame.final) return broken("a control frame in parts");
  if (bytes.size() < header + size) return std::optional<Frame>();
  frame.payload = bytes.substr(header, size);
  buffer_.erase(0, header + size);
  return std::optional(std::move(frame));
}

Result<std::optional<Message>> MessageReader::next() {
  while (true) {
    TRY(std::optional<Frame> frame, next_frame());
    if (!frame) return std::optional<Message>();
    if (static_cast<unsigned>(frame->opcode) >= 8)
      return std::optional(Message{frame->opcode, std::move(frame->payload)});
    const bool continues = frame->opcode == Opcode::kContinuation;
    if (continues != partial_.has_value()) return broken("a fragment out of place");
    if (!continues) partial_ = Message{frame->opcode, ""};
    partial_->payload += frame->payload;
    if (partial_->payload.size() > kLargestMessage) return broken("a message that is too large");
    if (frame->final) return std::exchange(partial_, std::nullopt);
  }
}

}  // namespace slipway::tunnel
