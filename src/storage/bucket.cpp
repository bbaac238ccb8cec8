#include "slipway/storage/bucket.h"

#include <set>

#include "slipway/core/crc32c.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/http/trusted_hosts.h"
#include "slipway/http/url.h"
#include "storage/object_json.h"

namespace slipway::storage {
namespace {

constexpr const char* kGoogle = "https://storage.googleapis.com";
constexpr int kUnauthorized = 401;
/// update() gives up after so many others were faster: with full jitter over a growing ceiling, a hundred
/// writers that begin at once have all written long before.
constexpr int kMostRounds = 30;
constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kLongestPause{5'000};

std::string list_query(const ListOptions& options, const std::string& page_token) {
  std::vector<std::pair<std::string, std::string>> query = {
      {"fields", "prefixes,items(name,generation,size,crc32c,updated),nextPageToken"}};
  const auto add = [&query](const char* key, const std::string& value) {
    if (!value.empty()) query.emplace_back(key, value);
  };
  add("prefix", options.prefix);
  add("delimiter", options.delimiter);
  add("startOffset", options.start_offset);
  add("pageToken", page_token);
  return http::encode_form(query);
}

http::Request get_request(std::string url) {
  http::Request request;
  request.url = std::move(url);
  request.headers = {{"Accept", "application/json"}};
  return request;
}

}  // namespace

std::string endpoint_from_environment() {
  std::string host = env("STORAGE_EMULATOR_HOST");
  while (!host.empty() && host.back() == '/') host.pop_back();
  if (host.empty()) return kGoogle;
  return host.find("://") == std::string::npos ? "http://" + host : host;
}

Bucket::Bucket(http::Transport& transport, Clock& clock, Tokens tokens, std::string name,
               BucketOptions options, RandomUnit random)
    : transport_(transport),
      clock_(clock),
      tokens_(std::move(tokens)),
      name_(std::move(name)),
      options_(std::move(options)),
      random_(std::move(random)) {}

std::string Bucket::object_url(const std::string& name) const {
  return fmt::format("{}/storage/v1/b/{}/o/{}", options_.endpoint, http::percent_encode(name_),
                     http::percent_encode(name));
}

http::AttemptLimits Bucket::limits() const {
  http::AttemptLimits limits;
  limits.deadline = options_.call_deadline;
  limits.on_wait = options_.on_wait;
  return limits;
}

http::Outcome Bucket::send_with_token(const http::Request& request) {
  const Result<void> trusted = http::check_trusted(request.url, options_.allowed_hosts);
  if (!trusted.ok()) return {trusted.error()};
  const Result<Secret> token = tokens_.get();
  if (!token.ok()) return {token.error()};
  http::Request complete = request;
  complete.bearer = token.value();
  if (!tokens_.quota_project.empty())
    complete.headers.emplace_back("X-Goog-User-Project", tokens_.quota_project);
  return std::move(http::Attempts(transport_, clock_, limits(), random_).run({std::move(complete)}).front());
}

http::Outcome Bucket::send(http::Request request) {
  http::Outcome first = send_with_token(request);
  const bool refused = first.response.ok() && first.response->status == kUnauthorized;
  if (!refused || !tokens_.renew || !tokens_.renew()) return first;
  http::Outcome second = send_with_token(request);
  second.earlier_try_may_have_acted |= first.earlier_try_may_have_acted;
  return second;
}

Result<http::Response> Bucket::accepted(http::Outcome outcome, const std::string& name) const {
  const std::string what = fmt::format("gs://{}/{}", name_, printable(name));
  if (!outcome.response.ok()) return std::move(outcome.response).error().within(what);
  if (outcome.response->status / 100 == 2) return std::move(outcome.response);
  return to_error(*outcome.response, what);
}

Result<Object> Bucket::get(const std::string& name) {
  TRY(const http::Response response, accepted(send(get_request(object_url(name) + "?alt=media")), name));
  Object object;
  const Json generation{{"is", response.header("x-goog-generation")}};
  object.generation = int_member(generation, "is").value_or(0);
  const auto sum = crc32c_of_hash_header(response.header("x-goog-hash"));
  if (object.generation == 0 || !sum || *sum != crc32c(response.body)) {
    return Error(ErrorCode::kFailed, fmt::format("gs://{}/{} did not arrive whole", name_, printable(name)))
        .why("its bytes do not have the CRC-32C that Cloud Storage has for them");
  }
  object.bytes = response.body;
  return object;
}

Result<std::optional<Object>> Bucket::find(const std::string& name) {
  Result<Object> object = get(name);
  if (object.ok()) return std::optional(std::move(object).value());
  if (object.error().code() == ErrorCode::kNotFound) return std::optional<Object>();
  return std::move(object).error();
}

Result<ObjectInfo> Bucket::stat(const std::string& name) {
  TRY(const http::Response response, accepted(send(get_request(object_url(name))), name));
  return decode_object(response);
}

Result<Listing> Bucket::list(const ListOptions& options) {
  Listing listing;
  std::set<std::string> tokens;
  std::string token;
  const std::string url = fmt::format("{}/storage/v1/b/{}/o", options_.endpoint, http::percent_encode(name_));
  do {
    TRY(const http::Response response,
        accepted(send(get_request(url + "?" + list_query(options, token))), options.prefix));
    TRY(const Json page, parse_json(response.body));
    for (const Json& prefix : page.value("prefixes", Json::array()))
      if (prefix.is_string()) listing.prefixes.push_back(prefix.get<std::string>());
    for (const Json& item : page.value("items", Json::array())) {
      TRY(ObjectInfo info, decode_object(item));
      listing.objects.push_back(std::move(info));
      if (options.limit > 0 && listing.objects.size() >= options.limit) return listing;
    }
    token = string_member(page, "nextPageToken");
  } while (!token.empty() && tokens.insert(token).second);
  return listing;
}

Result<bool> Bucket::remove(const std::string& name, const Condition& condition) {
  http::Request request;
  request.method = "DELETE";
  request.url = object_url(name);
  request.idempotent = true;
  if (condition.generation()) request.url += fmt::format("?ifGenerationMatch={}", *condition.generation());
  http::Outcome outcome = send(std::move(request));
  const bool acted_before = outcome.earlier_try_may_have_acted;
  const Result<http::Response> response = accepted(std::move(outcome), name);
  if (response.ok()) return true;
  if (response.error().code() == ErrorCode::kNotFound) return acted_before;
  return response.error();
}

Result<bool> Bucket::update(const std::string& name, const Change& change) {
  const http::Backoff backoff({kFirstPause, kLongestPause}, random_);
  for (int round = 1;; ++round) {
    TRY(const std::optional<Object> now, find(name));
    TRY(const std::optional<std::string> wanted, change(now));
    if (!wanted) return false;
    const Condition condition = now ? Condition::unchanged(now->generation) : Condition::absent();
    const Result<ObjectInfo> written = put(name, *wanted, condition, "application/json");
    if (written.ok()) return true;
    const ErrorCode code = written.error().code();
    if (code != ErrorCode::kConflict || round == kMostRounds) return written.error();
    if (!clock_.sleep_until(clock_.now() + backoff.delay(round, std::nullopt)))
      return Error(ErrorCode::kInterrupted, fmt::format("gs://{}/{}: interrupted", name_, printable(name)));
  }
}

}  // namespace slipway::storage
