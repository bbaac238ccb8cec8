#include "emulator/faults.h"

#include <fnmatch.h>

#include <algorithm>

#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr int kLongestDelaySeconds = 3'600;

bool matches(const Fault& fault, const std::string& method, const std::string& path) {
  if (!fault.method.empty() && fault.method != method) return false;
  if (fault.path.find_first_of("*?") == std::string::npos)
    return path.find(fault.path) != std::string::npos;  // an empty part is in every path
  return ::fnmatch(fault.path.c_str(), path.c_str(), 0) == 0;
}

std::optional<ApiError> check(const Fault& fault) {
  const bool cuts = fault.cut != Fault::Cut::kNone;
  if (fault.status == 0 && !cuts && fault.delay.count() == 0)
    return bad_field("fault", "a fault has a status, a delay, or cuts the connection");
  if (fault.status != 0 && cuts) return bad_field("fault", "a lost answer has no status");
  if (fault.status != 0 && (fault.status < 200 || fault.status > 599))
    return bad_field("status", fmt::format("{} is no status of an answer", fault.status));
  if (fault.status == 0 && (!fault.body.empty() || !fault.headers.empty() || fault.carry_out))
    return bad_field("status", "a body and headers need a status");
  if (fault.times < 0 || fault.skip < 0) return bad_field("times", "times and skip are not negative");
  if (fault.delay < std::chrono::seconds(0) || fault.delay > std::chrono::seconds(kLongestDelaySeconds))
    return bad_field("delay", fmt::format("a delay is at most {} s", kLongestDelaySeconds));
  return std::nullopt;
}

const char* rpc_name(int http) {
  switch (http) {
    case 400:
      return "INVALID_ARGUMENT";
    case 401:
      return "UNAUTHENTICATED";
    case 403:
      return "PERMISSION_DENIED";
    case 404:
      return "NOT_FOUND";
    case 409:
      return "ALREADY_EXISTS";
    case 412:
      return "FAILED_PRECONDITION";
    case 429:
      return "RESOURCE_EXHAUSTED";
    case 500:
      return "INTERNAL";
    case 503:
      return "UNAVAILABLE";
    case 504:
      return "DEADLINE_EXCEEDED";
    default:
      return "UNKNOWN";
  }
}

const char* word(Fault::Cut cut) {
  if (cut == Fault::Cut::kNone) return "";
  return cut == Fault::Cut::kBefore ? "before" : "after";
}

}  // namespace

std::variant<std::string, ApiError> Faults::add(Fault fault) {
  if (auto error = check(fault)) return *error;
  const std::lock_guard lock(mutex_);
  fault.id = fmt::format("f{}", ++made_);
  fault.hits = 0;
  faults_.push_back(std::move(fault));
  return faults_.back().id;
}

std::vector<Fault> Faults::list() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

bool Faults::clear(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const std::size_t before = faults_.size();
  faults_.erase(std::remove_if(faults_.begin(), faults_.end(),
                               [&](const Fault& one) { return id.empty() || one.id == id; }),
                faults_.end());
  return id.empty() || faults_.size() < before;
}

std::optional<Fault> Faults::meet(const std::string& method, const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (Fault& fault : faults_) {
    if (!matches(fault, method, path)) continue;
    if (fault.skip > 0) {
      --fault.skip;
      continue;
    }
    if (fault.times > 0 && fault.hits >= fault.times) continue;
    ++fault.hits;
    return fault;
  }
  return std::nullopt;
}

Answer answer_of(const Fault& fault) {
  if (fault.status < 300) return {fault.status, Json::object()};
  Json error{{"code", fault.status},
             {"message", fmt::format("fault {} of this emulator", fault.id)},
             {"status", rpc_name(fault.status)}};
  return {fault.status, Json{{"error", std::move(error)}}};
}

Json to_json(const Fault& fault) {
  Json document{{"id", fault.id},         {"method", fault.method}, {"path", fault.path},
                {"skip", fault.skip},     {"times", fault.times},   {"delayMs", fault.delay.count()},
                {"cut", word(fault.cut)}, {"status", fault.status}, {"carryOut", fault.carry_out},
                {"body", fault.body},     {"hits", fault.hits}};
  document["headers"] = Json::array();
  for (const auto& [name, value] : fault.headers) document["headers"].push_back(Json::array({name, value}));
  return document;
}

Fault fault_from(const Json& document) {
  const auto number = [&](const char* key) {
    return static_cast<int>(int_member(document, key).value_or(0));
  };
  Fault fault;
  fault.id = string_member(document, "id");
  fault.method = string_member(document, "method");
  fault.path = string_member(document, "path");
  fault.skip = number("skip");
  fault.times = number("times");
  fault.delay = std::chrono::milliseconds(number("delayMs"));
  const std::string cut = string_member(document, "cut");
  fault.cut = cut.empty() ? Fault::Cut::kNone : cut == "before" ? Fault::Cut::kBefore : Fault::Cut::kAfter;
  fault.status = number("status");
  fault.carry_out = document.value("carryOut", false);
  fault.body = string_member(document, "body");
  fault.hits = number("hits");
  const Json* headers = find_member(document, "headers");
  if (headers == nullptr || !headers->is_array()) return fault;
  for (const Json& pair : *headers) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) continue;
    fault.headers.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
  }
  return fault;
}

}  // namespace slipway::emulator
