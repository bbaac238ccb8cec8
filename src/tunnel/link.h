#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/ssh/socket.h"
#include "slipway/tunnel/iap.h"
#include "tunnel/tls_client.h"
#include "tunnel/websocket.h"

namespace slipway::tunnel {

/// One connection to the relay: TCP, TLS, then a websocket. Nothing here waits. Errors of all of it:
/// kUnavailable for what may go better with another connection, kDenied and kFailed for what will not.
class Link {
 public:
  Link(const IapGateway& gateway, const std::string& address);

  /// 0 or an errno.
  int connect() { return tcp_.connect(); }
  int fd() const { return tcp_.fd(); }

  /// Takes what has come, a bounded piece of it. True when there may be more to do at once.
  Result<bool> read();
  /// TLS stands, and nobody has asked for the websocket yet.
  bool awaits_request() const { return stage_ == Stage::kSecure; }
  /// Asks for it; the token in `request` is wiped from memory here.
  void ask(UpgradeRequest request);
  /// The next whole message that read() has taken.
  Result<std::optional<Message>> next_message();
  /// The other side has ended it: nothing comes behind what read() has taken.
  bool closed() const { return closed_; }

  bool is_open() const { return stage_ == Stage::kOpen; }
  /// A message for the relay; it goes out with flush().
  void send(Opcode opcode, std::string_view payload);
  Result<void> flush();
  /// So much waits for the kernel to take it that nothing should be added.
  bool is_full() const;
  bool waits_to_write() const { return stage_ == Stage::kTcp || !outgoing_.empty(); }

 private:
  enum class Stage { kTcp, kTls, kSecure, kUpgrade, kOpen };
  Result<bool> finish_tcp();
  bool receive();
  Result<void> take_head(std::string_view plain);

  ssh::TcpSocket tcp_;
  TlsClient tls_;
  std::string key_;
  std::string outgoing_;  ///< encrypted
  std::string head_;      ///< of the answer to the request
  std::string protocol_;
  MessageReader messages_;
  Stage stage_ = Stage::kTcp;
  bool closed_ = false;
};

}  // namespace slipway::tunnel
