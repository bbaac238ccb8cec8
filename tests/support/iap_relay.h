#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "slipway/core/fd.h"
#include "support/temp_folder.h"
#include "support/tls_server.h"

namespace slipway::test {

/// A relay as Identity-Aware Proxy is one, on a port of 127.0.0.1: TLS, a websocket, the relay's messages,
/// and one TCP connection to `target` for each stream, which outlives the connections that carry it. Written
/// from the protocol's description; it shares nothing with the client.
class IapRelay {
 public:
  struct Options {
    std::string target = "127.0.0.1";
    int target_port = 22;
    /// The n-th connection is reset after it has carried so many bytes of data; later ones live.
    std::vector<std::size_t> cuts;
    int cut_code =
        0;  ///< closes such a connection with this code instead, as one that is to be taken up again
    int status = 101;        ///< of the answer to the upgrade
    int close_code = 0;      ///< sent in place of a stream's name
    std::string rubbish;     ///< the same: bytes that are no frame
    bool fragments = false;  ///< its messages come in pieces, with pings in between
  };
  explicit IapRelay(Options options);
  ~IapRelay();
  IapRelay(const IapRelay&) = delete;
  IapRelay& operator=(const IapRelay&) = delete;

  std::string url() const { return "wss://127.0.0.1:" + std::to_string(port_) + "/v4"; }
  /// The certificate to trust.
  std::string ca_file() const { return folder_ / "ca.pem"; }
  /// The heads of all requests so far.
  std::vector<std::string> requests() const;
  std::size_t reconnections() const { return reconnections_; }

 private:
  struct Stream {
    Fd target;
    std::uint64_t received = 0;   ///< from the client
    std::uint64_t confirmed = 0;  ///< by the client, of what the target said
    std::string unconfirmed;      ///< what the target said behind that
    std::mutex in_use;            ///< one connection carries it at a time
  };
  struct Context;
  class Connection;

  void serve();
  void serve_one(int fd, std::size_t number);
  std::shared_ptr<Stream> open_stream(std::string& sid);
  std::shared_ptr<Stream> find_stream(const std::string& sid);

  Options options_;
  TempFolder folder_;
  std::unique_ptr<Context> context_;
  Fd listener_;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> reconnections_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::map<std::string, std::shared_ptr<Stream>> streams_;
  std::vector<std::thread> connections_;
  std::thread thread_;
};

}  // namespace slipway::test
