#include "slipway/tpu/login.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "tpu/json_fields.h"

namespace slipway::tpu {
namespace {

Call read_call(std::string path) {
  Call call;
  call.method = "GET";
  call.path = std::move(path);
  call.idempotent = true;
  return call;
}

/// Reads the JSON of an answer with `read`.
template <typename Value>
Result<Value> read_answer(const http::Response& response, const std::string& what,
                          Value (*read)(const JsonFields&)) {
  const Result<Json> document = parse_json(response.body);
  if (!document.ok()) return Error(ErrorCode::kFailed, what + ": not an answer of a Google API");
  ShapeProblem problem;
  Value value = read(JsonFields(document.value(), "", problem));
  if (problem.text.empty()) return value;
  return Error(ErrorCode::kFailed, what + ": the API's answer has an unexpected shape")
      .why(printable(problem.text));
}

std::map<std::string, std::string> read_metadata(const JsonFields& fields) {
  std::map<std::string, std::string> items;
  for (const JsonFields& item : fields.object("commonInstanceMetadata").objects("items"))
    items[item.text("key")] = item.text("value");
  return items;
}

LoginProfile read_profile(const JsonFields& fields) {
  LoginProfile profile;
  for (const JsonFields& account : fields.objects("posixAccounts")) {
    if (profile.user.empty() || account.flag("primary")) profile.user = account.text("username");
  }
  const JsonFields keys = fields.object("sshPublicKeys");
  if (!keys.value().is_object()) return profile;
  for (const auto& [fingerprint, key] : keys.value().items())
    profile.keys.push_back(keys.object(fingerprint).text("key"));
  return profile;
}

LoginProfile read_imported(const JsonFields& fields) { return read_profile(fields.object("loginProfile")); }

std::string user_path(const std::string& account) { return "/v1/users/" + http::percent_encode(account); }

}  // namespace

Result<std::map<std::string, std::string>> project_metadata(Client& compute, const std::string& project) {
  const std::string what = fmt::format("project '{}'", project);
  TRY(const http::Response response,
      compute.call(read_call("/projects/" + http::percent_encode(project)), what));
  return read_answer(response, what, read_metadata);
}

Result<LoginProfile> login_profile(Client& os_login, const std::string& account, const std::string& project) {
  const std::string what = fmt::format("OS Login profile of {}", account);
  Call call = read_call(user_path(account) + "/loginProfile");
  call.query = {{"projectId", project}};
  TRY(const http::Response response, os_login.call(call, what));
  return read_answer(response, what, read_profile);
}

Result<LoginProfile> import_ssh_key(Client& os_login, const std::string& account, const std::string& project,
                                    const std::string& public_line) {
  const std::string what = fmt::format("OS Login keys of {}", account);
  Call call;
  call.method = "POST";
  call.path = user_path(account) + ":importSshPublicKey";
  call.query = {{"projectId", project}};
  call.body = dump_json(Json{{"key", public_line}});
  call.idempotent = true;  // the same key a second time changes nothing
  TRY(const http::Response response, os_login.call(call, what));
  return read_answer(response, what, read_imported);
}

}  // namespace slipway::tpu
