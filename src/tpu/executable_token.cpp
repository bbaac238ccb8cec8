#include "tpu/executable_token.h"

#include <unistd.h>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "tpu/child_process.h"
#include "tpu/impersonation.h"

namespace slipway::tpu {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDefaultTimeout{30'000};
constexpr milliseconds kLeastTimeout{5'000};
constexpr milliseconds kMostTimeout{120'000};
constexpr std::size_t kMaxAnswer = std::size_t{1} << 20;
constexpr int kAnswerVersion = 1;

Error unusable(const std::string& what, const std::string& why) {
  return Error(ErrorCode::kDenied, what).why(why).next("slipway help auth");
}

struct Executable {
  std::vector<std::string> words;
  std::vector<std::string> environment;
  std::string output_file;
  milliseconds timeout = kDefaultTimeout;
};

/// As google-auth cuts it: at blanks, and quotes mean nothing.
std::vector<std::string> cut(const std::string& command) {
  std::vector<std::string> words;
  for (const std::string& word : split(command, ' ')) {
    if (!trim(word).empty()) words.emplace_back(trim(word));
  }
  return words;
}

/// All that the user has, but no token of ours: what it is told of us is in GOOGLE_EXTERNAL_ACCOUNT_*.
std::vector<std::string> environment_without_secrets() {
  std::vector<std::string> list;
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string assignment = *entry;
    const std::string name = assignment.substr(0, assignment.find('='));
    if (name == "CLOUDSDK_AUTH_ACCESS_TOKEN" || name == "CLOUDSDK_PROXY_PASSWORD") continue;
    if (redact(assignment) == assignment) list.push_back(assignment);
  }
  return list;
}

std::vector<std::string> environment_for(const Json& file, const std::string& output_file) {
  std::vector<std::string> list = environment_without_secrets();
  const auto add = [&](const std::string& name, const std::string& value) {
    list.push_back(fmt::format("GOOGLE_EXTERNAL_ACCOUNT_{}={}", name, value));
  };
  add("AUDIENCE", string_member(file, "audience"));
  add("TOKEN_TYPE", string_member(file, "subject_token_type"));
  add("INTERACTIVE", "0");
  add("REVOKE", "0");
  const std::string email = impersonated_account(string_member(file, "service_account_impersonation_url"));
  if (!email.empty()) add("ID", email);
  if (!email.empty()) add("IMPERSONATED_EMAIL", email);
  if (!output_file.empty()) add("OUTPUT_FILE", output_file);
  return list;
}

/// What went wrong with one answer; nothing was wrong when `token` is there.
struct ParsedAnswer {
  Secret token;
  std::string problem;
  bool has_expiry = false;
};

ParsedAnswer problem(std::string words) { return {Secret(), std::move(words), false}; }

ParsedAnswer parse_answer(const std::string& text, std::chrono::system_clock::time_point now) {
  const Result<Json> parsed = parse_json(text);
  if (!parsed.ok() || !parsed.value().is_object()) return problem("its answer is not a JSON object");
  const Json& answer = parsed.value();
  const auto version = int_member(answer, "version");
  if (!version) return problem("its answer has no version");
  if (*version > kAnswerVersion) return problem(fmt::format("its answer has version {}", *version));
  const Json* success = find_member(answer, "success");
  if (success == nullptr || !success->is_boolean()) return problem("its answer does not say 'success'");
  if (!success->get<bool>()) {
    return problem(
        fmt::format("it says: {}: {}", string_member(answer, "code"), string_member(answer, "message")));
  }
  const auto expires = int_member(answer, "expiration_time");
  if (expires && std::chrono::system_clock::from_time_t(*expires) < now)
    return problem("its token has expired");
  const std::string type = string_member(answer, "token_type");
  const bool is_oidc =
      type == "urn:ietf:params:oauth:token-type:jwt" || type == "urn:ietf:params:oauth:token-type:id_token";
  const bool is_saml = type == "urn:ietf:params:oauth:token-type:saml2";
  if (!is_oidc && !is_saml) return problem(fmt::format("its token is of type '{}'", printable(type)));
  Secret token(string_member(answer, is_oidc ? "id_token" : "saml_response"));
  if (token.empty()) return problem("its answer holds no token");
  return {std::move(token), "", expires.has_value()};
}

/// The answer that the program left in its file, if it is one with an end and that is still to come.
std::optional<Secret> take_cached(const Executable& executable, const Clock& clock) {
  if (executable.output_file.empty() || !file_exists(executable.output_file)) return std::nullopt;
  const Result<std::string> content = read_file(executable.output_file, kMaxAnswer);
  if (!content.ok()) return std::nullopt;
  ParsedAnswer answer = parse_answer(*content, clock.wall_now());
  if (!answer.problem.empty() || !answer.has_expiry) return std::nullopt;
  return std::move(answer.token);
}

Result<Secret> run(const Executable& executable, Clock& clock) {
  const std::string what = fmt::format("no identity token from '{}'", executable.words.front());
  TRY(const ChildOutput output,
      run_child({executable.words, executable.environment, executable.timeout, kMaxAnswer}, clock));
  if (output.timed_out)
    return unusable(what, fmt::format("it did not end within {}", format_duration(executable.timeout)));
  if (output.exit_code != 0) {
    return unusable(what,
                    fmt::format("it ended with {}: {}", output.exit_code, printable(output.last_error_line)));
  }
  std::string text = output.out;
  if (trim(text).empty() && !executable.output_file.empty()) {
    TRY(text, read_file(executable.output_file, kMaxAnswer));
  }
  ParsedAnswer answer = parse_answer(text, clock.wall_now());
  if (!answer.problem.empty()) return unusable(what, printable(answer.problem));
  return std::move(answer.token);
}

}  // namespace

Result<SubjectToken> executable_token(const Json& file, Clock& clock) {
  const Json& source = *find_path(file, {"credential_source", "executable"});
  Executable executable;
  executable.words = cut(string_member(source, "command"));
  if (executable.words.empty())
    return unusable("the credentials file cannot be used", "its executable has no 'command'");
  if (env("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES") != "1") {
    return Error(ErrorCode::kDenied, fmt::format("will not start '{}' for a token", executable.words.front()))
        .why("a credentials file may only name a program when GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES is 1")
        .next("export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1");
  }
  executable.timeout = milliseconds(int_member(source, "timeout_millis").value_or(kDefaultTimeout.count()));
  if (executable.timeout < kLeastTimeout || executable.timeout > kMostTimeout)
    return unusable("the credentials file cannot be used",
                    "its timeout_millis is not between 5000 and 120000");
  executable.output_file = string_member(source, "output_file");
  executable.environment = environment_for(file, executable.output_file);
  return SubjectToken([executable = std::move(executable), &clock]() -> Result<Secret> {
    if (std::optional<Secret> cached = take_cached(executable, clock)) return std::move(*cached);
    return run(executable, clock);
  });
}

}  // namespace slipway::tpu
