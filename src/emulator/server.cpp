#include "emulator/server.h"

#include <httplib.h>

#include <thread>

#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr int kBacklog = 1'024;
// A connection that is kept alive keeps its thread, so there are many; they are idle.
constexpr std::size_t kThreads = 64;
constexpr int kKeepAliveSeconds = 1;
constexpr std::size_t kLargestBody = std::size_t{8} << 20;
constexpr const char* kJson = "application/json; charset=UTF-8";

class Listener : public httplib::Server {
 public:
  // cpp-httplib 0.11 listens with a backlog of 5: of 64 connections at once most would wait a second for
  // their SYN to be sent again. To listen again on a listening socket only changes the backlog.
  void widen_backlog() { ::listen(svr_sock_, kBacklog); }
};

ApiRequest read(const httplib::Request& request) {
  ApiRequest read;
  read.method = request.method;
  read.path = request.path;
  for (const auto& [name, value] : request.params) read.query.emplace(name, value);
  read.host = request.get_header_value("Host");
  read.authorization = request.get_header_value("Authorization");
  read.body = request.body;
  return read;
}

class HttpServer final : public Server {
 public:
  HttpServer(Service& service, RequestLog& log) : service_(service), log_(log) { configure(); }

  ~HttpServer() override {
    listener_.stop();
    if (thread_.joinable()) thread_.join();
  }

  bool listen(int port) {
    port_ = port == 0 ? listener_.bind_to_any_port("127.0.0.1") : port;
    if (port != 0 && !listener_.bind_to_port("127.0.0.1", port)) return false;
    if (port_ <= 0) return false;
    listener_.widen_backlog();
    thread_ = std::thread([this] { listener_.listen_after_bind(); });
    // stop() does nothing to a server whose thread has not come so far, and joining it would then never end.
    while (!listener_.is_running()) std::this_thread::yield();
    return true;
  }

  int port() const override { return port_; }

 private:
  void configure() {
    // The default also sets SO_REUSEPORT: two emulators on one port would then share the connections.
    listener_.set_socket_options([](socket_t socket) {
      const int on = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    listener_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };  // the library deletes it
    listener_.set_keep_alive_timeout(kKeepAliveSeconds);
    listener_.set_keep_alive_max_count(100);
    listener_.set_tcp_nodelay(true);
    listener_.set_payload_max_length(kLargestBody);
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      respond(request, response);
    };
    listener_.Get(".*", answer);
    listener_.Post(".*", answer);
    listener_.Patch(".*", answer);
    listener_.Put(".*", answer);
    listener_.Delete(".*", answer);
    listener_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) {
        const ApiError error{Status::kInvalidArgument,
                             fmt::format("HTTP {}: the request could not be read", response.status)};
        response.set_content(dump_json(error.answer().body, 2), kJson);
      }
    });
  }

  void respond(const httplib::Request& http, httplib::Response& response) {
    const ApiRequest request = read(http);
    const Answer answer = service_.handle(request);
    log_.add(request, answer);
    response.status = answer.status;
    response.set_content(dump_json(answer.body, 2) + "\n", kJson);
  }

  Service& service_;
  RequestLog& log_;
  Listener listener_;
  std::thread thread_;
  int port_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(int port, Service& service, RequestLog& log) {
  auto server = std::make_unique<HttpServer>(service, log);
  if (!server->listen(port)) {
    return Error(ErrorCode::kLocal, fmt::format("cannot listen on 127.0.0.1 port {}", port))
        .why("it is taken, or not allowed");
  }
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace slipway::emulator
