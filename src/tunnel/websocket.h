#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/core/result.h"

// The client's side of RFC 6455, without any input or output: bytes in, messages out.
namespace slipway::tunnel {

struct UpgradeRequest {
  std::string host;    ///< with its port where that is not 443
  std::string target;  ///< path and query
  std::vector<std::pair<std::string, std::string>> headers;
  std::string protocol;  ///< the subprotocol that is asked for
};

/// The bytes of the request; `key` is the base64 of 16 random bytes.
std::string upgrade_request(const UpgradeRequest& request, const std::string& key);

/// What the server has to answer to `key` (section 4.2.2).
std::string accept_of(const std::string& key);

/// Judges the answer's head, up to and with its empty line. Errors: kDenied (401, 403), kUnavailable (any
/// other answer that is not 101), kFailed (101, but no websocket of this key and subprotocol).
Result<void> check_upgrade(std::string_view head, const std::string& key, const std::string& protocol);

enum class Opcode : unsigned char {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10
};

/// One whole frame, masked with `mask` as a client's must be.
std::string masked_frame(Opcode opcode, std::string_view payload, std::uint32_t mask);

struct Message {
  Opcode opcode = Opcode::kBinary;
  std::string payload;

  /// Of a kClose: its code (1005 for none) and reason.
  int close_code() const;
  std::string close_reason() const;
};

/// Puts the server's frames together. Fragments become one message; control frames may come in between.
class MessageReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// The next whole message, or nothing yet. Errors (kFailed): what no server may send (a masked frame,
  /// reserved bits, a message of more than a megabyte).
  Result<std::optional<Message>> next();

 private:
  struct Frame {
    Opcode opcode = Opcode::kBinary;
    bool final = false;
    std::string payload;
  };
  Result<std::optional<Frame>> next_frame();

  std::string buffer_;
  std::optional<Message> partial_;
};

}  // namespace slipway::tunnel
