#include "emulator/request_log.h"

#include <fcntl.h>
#include <unistd.h>

#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

bool is_secret(const std::string& parameter) {
  return parameter == "access_token" || parameter == "oauth_token" || parameter == "key";
}

Json query_of(const ApiRequest& request) {
  Json query = Json::object();
  for (const auto& [name, value] : request.query) query[name] = is_secret(name) ? "[redacted]" : value;
  return query;
}

// An object's bytes are no part of a log.
bool carries_bytes(const ApiRequest& request) {
  if (request.path.find("/upload/storage/") == std::string::npos) return false;
  return request.method == "PUT" || query_value(request, "uploadType") != "resumable";
}

Json body_of(const ApiRequest& request) {
  Result<Json> body = parse_json(request.body);
  return body.ok() ? std::move(*body) : Json(request.body);
}

}  // namespace

RequestLog::RequestLog(const std::string& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600)) {}

void RequestLog::add(const ApiRequest& request, int status, const Mishap& mishap) {
  Json line{{"time", format_rfc3339(std::chrono::system_clock::now())},
            {"method", request.method},
            {"path", request.path}};
  if (!request.query.empty()) line["query"] = query_of(request);
  if (carries_bytes(request)) {
    line["bodyBytes"] = request.body.size();
  } else if (!request.body.empty()) {
    line["body"] = body_of(request);
  }
  if (status != 0) line["status"] = status;
  if (const std::string id = query_value(request, "requestId"); !id.empty()) line["requestId"] = id;
  if (!mishap.fault.empty()) line["fault"] = mishap.fault;
  if (mishap.lost) line["lost"] = true;
  const std::string text = dump_json(line) + "\n";
  const std::lock_guard lock(mutex_);
  // A log that cannot be written (a full disk) must not end the emulator; the file then simply ends early.
  if (::write(file_.get(), text.data(), text.size()) < 0) return;
}

}  // namespace slipway::emulator
