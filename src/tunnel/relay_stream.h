#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::tunnel {

/// The relay's protocol over websocket messages (reference: gcloud's own tunnel; sub-protocol
/// relay.tunnel.cloudproxy.app, version 4): one stream of bytes that outlives the connections that carry it.
/// Both sides count what came, and after a reconnect each sends again what the other has not confirmed. No
/// input or output.
class RelayStream {
 public:
  /// Takes as much of `bytes` as it has room for until the relay has confirmed more.
  std::size_t write(std::string_view bytes);
  /// Bytes for us, in order.
  std::string& input() { return input_; }
  const std::string& input() const { return input_; }

  /// A whole message of the relay. Errors (kFailed): one that breaks the protocol.
  Result<void> receive(std::string_view message);
  /// The next message to send; nothing when there is none. `idle` lets it confirm also little.
  std::optional<std::string> next_message(bool idle);
  /// We owe the relay a confirmation, and it is too little to be sent at once.
  bool owes_confirmation() const { return received_ != confirmed_received_; }

  /// The relay has given the stream a name, and it can be taken up again by it.
  bool established() const { return !sid_.empty(); }
  const std::string& sid() const { return sid_; }
  std::uint64_t received() const { return received_; }
  /// The connection is lost: nothing is sent before the relay has said where to go on.
  void interrupt() { ready_ = false; }
  /// Messages may go out.
  bool ready() const { return ready_; }

 private:
  Result<void> confirm(std::uint64_t total);

  std::string sid_;
  bool ready_ = false;
  std::string input_;
  std::uint64_t received_ = 0;
  std::uint64_t confirmed_received_ = 0;
  std::string unconfirmed_;      ///< sent or to be sent, and not confirmed
  std::uint64_t confirmed_ = 0;  ///< what lies before unconfirmed_
  std::size_t sent_ = 0;         ///< how much of unconfirmed_ has gone out on this connection
};

}  // namespace slipway::tunnel
