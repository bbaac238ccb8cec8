#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "slipway/core/fd.h"

namespace slipway::test {

/// What the server does with one request: these bytes, exactly, and then this.
struct RawReply {
  enum class Then {
    kKeep,    ///< waits for the next request on the connection
    kClose,   ///< closes in order (FIN)
    kReset,   ///< resets the connection (RST)
    kHang,    ///< says nothing more until the client leaves
    kRepeat,  ///< sends the bytes again and again until the client leaves
    kDrip,    ///< sends the bytes, then a blank each 20 ms until the client leaves
  };
  std::string bytes;
  Then then = Then::kKeep;
};

/// A whole answer with a right Content-Length. `headers` are lines, each with its "\r\n".
RawReply reply(int status, const std::string& body,
               const std::string& headers = "Content-Type: application/json\r\n");

struct RawRequest {
  std::string head;  ///< request line and headers, as they came
  std::string body;
  std::string line() const { return head.substr(0, head.find("\r\n")); }
  /// The value of a header; empty without one.
  std::string header(const std::string& name) const;
};

/// An HTTP server that does exactly what its script says, one reply a request in the order of arrival (the
/// last one is repeated), on a port of its own of 127.0.0.1. It ends, with its connections, when the object
/// does.
class RawHttpServer {
 public:
  explicit RawHttpServer(std::vector<RawReply> script);
  ~RawHttpServer();
  RawHttpServer(const RawHttpServer&) = delete;
  RawHttpServer& operator=(const RawHttpServer&) = delete;

  int port() const { return port_; }
  std::string url(const std::string& path = "") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<RawRequest> requests() const;
  std::size_t connections() const;
  /// Waits until so many requests were read.
  void wait_for_requests(std::size_t count) const;

 private:
  void accept_all();
  void serve(int fd);
  bool read_request(int fd, std::string& buffer, RawRequest& request);
  RawReply next_reply(RawRequest request);
  void act(int fd, const RawReply& reply);

  Fd listener_;
  int port_ = 0;
  std::vector<RawReply> script_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<RawRequest> requests_;
  std::vector<int> open_;  ///< connections that are being served
  std::size_t connections_ = 0;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> servers_;
  std::thread acceptor_;
};

}  // namespace slipway::test
