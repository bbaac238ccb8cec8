#include "tpu/subject_token.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "tpu/executable_token.h"

namespace slipway::tpu {
namespace {

constexpr std::size_t kMaxSubjectToken = std::size_t{1} << 20;

Error unusable(const std::string& what, const std::string& why) {
  return Error(ErrorCode::kDenied, what).why(why).next("slipway help auth");
}

/// How the token lies in what the source gives: as it is, or as one member of a JSON object.
struct TokenFormat {
  std::string member;  ///< empty for plain text

  Result<Secret> take(const std::string& content, const std::string& where) const {
    Secret token;
    if (member.empty()) {
      token = Secret(std::string(trim(content)));
    } else if (const Result<Json> document = parse_json(content); document.ok()) {
      token = Secret(string_member(*document, member));
    }
    if (!token.empty()) return token;
    return unusable(fmt::format("there is no identity token in {}", where),
                    member.empty() ? "it is empty" : fmt::format("it is not JSON with a text '{}'", member));
  }
};

Result<TokenFormat> read_format(const Json& source) {
  const Json* format = find_member(source, "format");
  if (format == nullptr) return TokenFormat{};
  const std::string type = string_member(*format, "type");
  if (type.empty() || type == "text") return TokenFormat{};
  std::string member = string_member(*format, "subject_token_field_name");
  if (type == "json" && !member.empty()) return TokenFormat{std::move(member)};
  return unusable("the credentials file's format of the identity token cannot be used",
                  type == "json" ? "'json' needs a subject_token_field_name"
                                 : fmt::format("'{}' is neither text nor json", printable(type)));
}

SubjectToken from_file(std::string path, TokenFormat format) {
  return [path = std::move(path), format = std::move(format)]() -> Result<Secret> {
    const Result<std::string> content = read_file(path, kMaxSubjectToken);
    if (!content.ok()) return unusable("there is no identity token", content.error().message());
    return format.take(*content, fmt::format("'{}'", path));
  };
}

SubjectToken from_url(const Json& source, TokenFormat format, const TokenClient& client) {
  http::Request request;
  request.url = string_member(source, "url");
  request.timeout = std::chrono::seconds(30);
  if (const Json* headers = find_member(source, "headers"); headers != nullptr && headers->is_object()) {
    for (const auto& [name, value] : headers->items()) {
      if (value.is_string()) request.headers.emplace_back(name, value.get<std::string>());
    }
  }
  // Nothing of Google's goes there: the headers are this file's own, for this URL.
  return [request = std::move(request), format = std::move(format), client]() -> Result<Secret> {
    const Result<http::Response> response = client.send_open(request);
    if (!response.ok()) return Error(response.error()).within("identity token");
    if (response.value().status == 200) return format.take(response.value().body, request.url);
    return unusable(fmt::format("there is no identity token at {}", request.url),
                    fmt::format("status {}", response.value().status));
  };
}

}  // namespace

Result<SubjectToken> find_subject_token(const Json& file, const TokenClient& client) {
  const Json* found = find_member(file, "credential_source");
  if (found == nullptr)
    return unusable("the credentials file cannot be used", "it has no 'credential_source'");
  const Json& source = *found;
  if (find_member(source, "environment_id") != nullptr) {
    return unusable("workload identity from AWS is not supported",
                    "sign in with 'gcloud auth login --cred-file', or give a token with --access-token-file");
  }
  if (find_member(source, "certificate") != nullptr) {
    return unusable("workload identity with a certificate is not supported",
                    "give a token with --access-token-file");
  }
  if (find_member(source, "executable") != nullptr) return executable_token(file, client.clock());
  TRY(TokenFormat format, read_format(source));
  if (std::string path = string_member(source, "file"); !path.empty())
    return from_file(std::move(path), std::move(format));
  if (!string_member(source, "url").empty()) return from_url(source, std::move(format), client);
  return unusable("the credentials file cannot be used",
                  "its 'credential_source' has neither 'file' nor 'url' nor 'executable'");
}

}  // namespace slipway::tpu
