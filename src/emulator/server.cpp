#include "emulator/server.h"

#include <httplib.h>

#include <condition_variable>
#include <thread>

#include "emulator/admin.h"
#include "emulator/listening.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr int kBacklog = 1'024;
// A connection that is kept alive keeps its thread, so there are many; they are idle.
constexpr std::size_t kThreads = 64;
constexpr int kKeepAliveSeconds = 1;
// An object; the API itself takes less (Service).
constexpr std::size_t kLargestBody = std::size_t{260} << 20;

class Listener : public httplib::Server {
 public:
  // cpp-httplib 0.11 listens with a backlog of 5: of 64 connections at once most would wait a second for
  // their SYN to be sent again. To listen again on a listening socket only changes the backlog.
  void widen_backlog() { ::listen(svr_sock_, kBacklog); }
};

ApiRequest read(const httplib::Request& request, std::string body) {
  ApiRequest read;
  read.method = request.method;
  read.path = request.path;
  read.target = request.target;
  for (const auto& [name, value] : request.params) read.query.emplace(name, value);
  for (const auto& [name, value] : request.headers) read.headers[to_lower(name)] = value;
  read.host = request.get_header_value("Host");
  read.authorization = request.get_header_value("Authorization");
  read.body = std::move(body);
  return read;
}

// cpp-httplib 0.11 would cut any answer to the request's Range, without a look at where the body ends, and
// compress whatever is text, although an object's bytes are to arrive as they are.
void send_as_it_is(httplib::Request& request) {
  request.ranges.clear();
  request.headers.erase("Accept-Encoding");
}

class HttpServer final : public Server {
 public:
  HttpServer(Service& service, Storage& storage, RequestLog& log)
      : service_(service), storage_(storage), log_(log), admin_(service, faults_) {
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
      respond(request, request.body, response);
    };
    // With a reader of our own the library leaves the bytes as they are; else it takes a form (which is what
    // curl calls a body that nobody named) apart, and refuses one of more than 8 KiB.
    const auto answer_upload = [this](const httplib::Request& request, httplib::Response& response,
                                      const httplib::ContentReader& reader) {
      std::string body;
      reader([&body](const char* data, std::size_t size) {
        body.append(data, size);
        return true;
      });
      respond(request, std::move(body), response);
    };
    listener_.Post("(/resumable)?/upload/.*", answer_upload);
    listener_.Put("(/resumable)?/upload/.*", answer_upload);
    listener_.Get(".*", answer);
    listener_.Post(".*", answer);
    listener_.Patch(".*", answer);
    listener_.Put(".*", answer);
    listener_.Delete(".*", answer);
    listener_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) {
        const ApiError error{Status::kInvalidArgument,
                             fmt::format("HTTP {}: the request could not be read", response.status)};
        response.set_content(dump_json(error.answer().body, 2), kJsonType);
      }
    });
  }

  void respond(const httplib::Request& http, std::string body, httplib::Response& response) {
    const ApiRequest request = read(http, std::move(body));
    send_as_it_is(const_cast<httplib::Request&>(http));
    if (Admin::serves(request.path)) return send(response, as_http(admin_.handle(request)));
    if (const auto fault = faults_.meet(request.method, request.path))
      return respond_with(*fault, request, http, response);
    HttpAnswer answer = carry_out(request);
    log_.add(request, answer.status);
    send(response, std::move(answer));
  }

  void respond_with(const Fault& fault, const ApiRequest& request, const httplib::Request& http,
                    httplib::Response& response) {
    const bool acts = fault.cut != Fault::Cut::kBefore && (fault.status == 0 || fault.carry_out);
    std::optional<HttpAnswer> answer;
    if (acts) answer = carry_out(request);
    pause(fault.delay);
    const bool lost = fault.cut != Fault::Cut::kNone;
    if (fault.status != 0) answer = faulty_answer(fault, request);
    log_.add(request, answer ? answer->status : 0, {fault.id, lost});
    if (lost) return end_connection(http.remote_port, port_);
    send(response, std::move(*answer));
    for (const auto& [name, value] : fault.headers) {
      response.headers.erase(name);  // an answer has one Content-Type
      response.set_header(name, value);
    }
    if (!fault.body.empty()) response.body = fault.body;
  }

  HttpAnswer carry_out(const ApiRequest& request) {
    if (!Storage::serves(request.path)) return as_http(service_.handle(request));
    if (const auto refused = service_.admit(request))
      return storage_error_of(refused->answer().status, refused->message).answer();
    return storage_.handle(request);
  }

  static HttpAnswer faulty_answer(const Fault& fault, const ApiRequest& request) {
    if (!Storage::serves(request.path)) return as_http(answer_of(fault));
    return storage_error_of(fault.status, fmt::format("fault {} of this emulator", fault.id)).answer();
  }

  static void send(httplib::Response& response, HttpAnswer answer) {
    response.status = answer.status;
    response.body = std::move(answer.body);
    response.set_header("Content-Type", answer.content_type);
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
  }

  // Ends early when the server does.
  void pause(std::chrono::milliseconds length) {
    std::unique_lock lock(mutex_);
    stopped_.wait_for(lock, length, [this] { return stopping_; });
  }

  Service& service_;
  Storage& storage_;
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

Result<std::unique_ptr<Server>> Server::start(int port, Service& service, Storage& storage, RequestLog& log) {
  auto server = std::make_unique<HttpServer>(service, storage, log);
  if (!server->listen(port)) {
    return Error(ErrorCode::kLocal, fmt::format("cannot listen on 127.0.0.1 port {}", port))
        .why("it is taken, or not allowed");
  }
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace slipway::emulator
