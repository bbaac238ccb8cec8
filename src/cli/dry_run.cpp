#include "cli/dry_run.h"

#include "cli/api.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "slipway/storage/bucket.h"

namespace slipway::cli {
namespace {

std::string pretty(const std::string& body) {
  const Result<Json> json = parse_json(body);
  return json.ok() ? dump_json(*json, 2) : body;
}

/// Longer than this is no word of a command line: Linux takes 128 KiB in one.
constexpr std::size_t kLongestWord = 64 * 1024;
constexpr const char* kEndOfBody = "END_OF_BODY";

/// The token is read by curl from a pipe: neither the line nor any program's arguments ever have it in them.
/// A body too long for a word comes on descriptor 3; it is one line of JSON, so no line of it can be its end.
std::string as_curl(const tpu::Call& call, const Settings& settings, Services& services) {
  std::string token_command = "gcloud auth print-access-token";
  std::string headers;
  if (const auto api = Api::open(settings, services); api.ok()) {
    token_command = (*api)->tokens().shell_command();
    for (const auto& [name, value] : (*api)->client().request_for(call).headers)
      headers += fmt::format(" -H {}", shell_quote(name + ": " + value));
  }
  std::string line = fmt::format("printf 'Authorization: Bearer %s\\n' \"$({})\" | curl -sS -X {} -H @-{}",
                                 token_command, call.method, headers);
  const bool is_long = call.body.size() > kLongestWord;
  if (is_long) line += " --data-binary @/dev/fd/3";
  if (!is_long && !call.body.empty()) line += " --data-raw " + shell_quote(call.body);
  line += ' ' + shell_quote(settings.endpoint + call.target());
  if (is_long) line += fmt::format(" 3<<'{}'\n{}\n{}", kEndOfBody, call.body, kEndOfBody);
  return line + '\n';
}

}  // namespace

Result<bool> is_dry_run(const GlobalOptions& options) {
  if (options.dry_run.empty()) return false;
  if (options.dry_run == "request" || options.dry_run == "curl") return true;
  return Error(ErrorCode::kUsage,
               fmt::format("--dry-run: '{}' is neither request nor curl", printable(options.dry_run)));
}

Result<void> refuse_dry_run(const GlobalOptions& options, const std::string& command) {
  TRY(const bool dry_run, is_dry_run(options));
  if (!dry_run) return {};
  return Error(ErrorCode::kUsage, fmt::format("slipway {} has no --dry-run", command))
      .why("it acts on this machine, and there is no request to show");
}

void show_call(const tpu::Call& call, const Settings& settings, const GlobalOptions& options,
               Services& services) {
  if (options.dry_run == "curl") {
    services.streams.out->write(as_curl(call, settings, services));
    return;
  }
  std::string text = fmt::format("{} {}{}\n", call.method, settings.endpoint, call.target());
  if (!call.body.empty()) text += pretty(call.body) + "\n";
  services.streams.out->write(text);
}

void show_new_object(const std::string& bucket, const std::string& name, const std::string& content,
                     const Settings& settings, const GlobalOptions& options, Services& services) {
  tpu::Call call;
  call.method = "POST";
  call.path = fmt::format("/upload/storage/v1/b/{}/o", http::percent_encode(bucket));
  call.query = {{"uploadType", "media"}, {"name", name}, {"ifGenerationMatch", "0"}};
  call.body = content;
  Settings to_storage = settings;
  to_storage.endpoint = storage::endpoint_from_environment();
  show_call(call, to_storage, options, services);
}

}  // namespace slipway::cli
