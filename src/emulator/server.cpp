#include "emulator/server.h"

#include <httplib.h>

#include <condition_variable>
#include <thread>

#include "emulator/admin.h"
#include "emulator/listening.h"

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
  HttpServer(Service& service, RequestLog& log) : service_(service), log_(log), admin_(service, faults_) {
    configure();
  }

  ~HttpServer() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    stopped_.notify_all();
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
    if (Admin::serves(request.path)) return send(response, admin_.handle(request));
    if (const auto fault = faults_.meet(request.method, request.path))
      return respond_with(*fault, request, http, response);
    const Answer answer = service_.handle(request);
    log_.add(request, answer.status);
    send(response, answer);
  }

  void respond_with(const Fault& fault, const ApiRequest& request, const httplib::Request& http,
                    httplib::Response& response) {
    const bool acts = fault.cut != Fault::Cut::kBefore && (fault.status == 0 || fault.carry_out);
    std::optional<Answer> answer;
    if (acts) answer = service_.handle(request);
    pause(fault.delay);
    const bool lost = fault.cut != Fault::Cut::kNone;
    if (fault.status != 0) answer = answer_of(fault);
    log_.add(request, answer ? answer->status : 0, {fault.id, lost});
    if (lost) return end_connection(http.remote_port, port_);
    send(response, *answer);
    for (const auto& [name, value] : fault.headers) {
      response.headers.erase(name);  // an answer has one Content-Type
      response.set_header(name, value);
    }
    if (!fault.body.empty()) response.body = fault.body;
  }

  static void send(httplib::Response& response, const Answer& answer) {
    response.status = answer.status;
    response.set_content(dump_json(answer.body, 2) + "\n", kJson);
  }

  // Ends early when the server does.
  void pause(std::chrono::milliseconds length) {
    std::unique_lock lock(mutex_);
    stopped_.wait_for(lock, length, [this] { return stopping_; });
  }

  Service& service_;
  RequestLog& log_;
  Faults faults_;
  Admin admin_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
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
