#include "emulator/os_login.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::string_view kUsers = "/v1/users/";
constexpr std::size_t kLongestUser = 32;

/// As OS Login does it: every character that a user name cannot have becomes an underscore.
std::string user_of(const std::string& email) {
  std::string user;
  for (const char c : to_lower(email)) user += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return user.substr(0, kLongestUser);
}

/// What names a key in a profile: any text that is another one for another key.
std::string fingerprint_of(const std::string& key) {
  return fmt::format("{:016x}", std::hash<std::string>()(key));
}

/// "EMAIL" and "loginProfile" or "importSshPublicKey" of a path.
std::pair<std::string, std::string> split_path(const std::string& path) {
  const std::string rest = path.substr(kUsers.size());
  const std::size_t end = rest.find_last_of(":/");
  if (end == std::string::npos) return {rest, ""};
  return {rest.substr(0, end), rest.substr(end)};
}

}  // namespace

bool OsLogin::owns(const std::string& path) { return path.compare(0, kUsers.size(), kUsers) == 0; }

OsLogin::Account& OsLogin::account(const std::string& email) {
  Account& account = accounts_[email];
  if (account.user.empty()) account.user = user_of(email);
  return account;
}

Answer OsLogin::handle(const ApiRequest& request) {
  const auto [email, verb] = split_path(request.path);
  if (email.find('@') == std::string::npos) return bad_field("name", "not an account").answer();
  if (const auto error = check_query(request, {"projectId", "systemId", "view", "regions"}))
    return error->answer();
  Account& found = account(email);
  if (request.method == "POST" && verb == ":importSshPublicKey") {
    if (const auto error = import_key(request, found); error.status != 200) return error;
  } else if (request.method != "GET" || verb != "/loginProfile") {
    return no_such(request.path).answer();
  }
  Json keys = Json::object();
  for (const auto& [fingerprint, key] : found.keys)
    keys[fingerprint] = Json{{"key", key},
                             {"fingerprint", fingerprint},
                             {"name", "users/" + email + "/sshPublicKeys/" + fingerprint}};
  const Json posix{{"primary", true},
                   {"username", found.user},
                   {"uid", "5000"},
                   {"gid", "5000"},
                   {"homeDirectory", "/home/" + found.user},
                   {"shell", "/bin/bash"},
                   {"operatingSystemType", "LINUX"}};
  Json profile{{"name", email}, {"posixAccounts", Json::array({posix})}, {"sshPublicKeys", std::move(keys)}};
  if (request.method == "GET") return {200, std::move(profile)};
  return {200, Json{{"loginProfile", std::move(profile)}}};
}

Answer OsLogin::import_key(const ApiRequest& request, Account& account) {
  const Result<Json> body = parse_json(request.body);
  if (!body.ok() || !body->is_object()) return bad_field("", "The body is not a JSON object").answer();
  const std::string key(trim(string_member(*body, "key")));
  if (parse_ssh_keys(account.user + ":" + key, {}).empty())
    return bad_field("key", "not an ssh public key").answer();
  if (account.keys.emplace(fingerprint_of(key), key).second) ++version_;
  return {};
}

std::vector<SshKey> OsLogin::keys() const {
  std::vector<SshKey> all;
  for (const auto& [email, account] : accounts_) {
    for (const auto& [fingerprint, key] : account.keys) all.push_back({account.user, key});
  }
  return all;
}

}  // namespace slipway::emulator
