#include "cli/ssh_key.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

bool is_user_name(const std::string& name) {
  constexpr std::string_view kTaken = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !name.empty() && name.size() <= 64 && name.front() != '-' &&
         name.find_first_not_of(kTaken) == std::string::npos;
}

std::string login_name() {
  const passwd* entry = ::getpwuid(::getuid());
  if (entry != nullptr && entry->pw_name != nullptr) return entry->pw_name;
  return env("USER");
}

}  // namespace

std::string ssh_key_path(const std::string& given) {
  if (!given.empty()) return given;
  return home_directory() + "/.ssh/google_compute_engine";
}

Result<std::string> ssh_user(const std::string& given) {
  const std::string user = given.empty() ? login_name() : given;
  if (is_user_name(user)) return user;
  return Error(ErrorCode::kUsage, fmt::format("'{}' is no user name to log in with", printable(user)))
      .next("add --user NAME");
}

std::string metadata_key_line(const std::string& user, const ssh::Identity& identity) {
  return fmt::format("{}:{} {}", user, identity.public_line(), user);
}

bool has_metadata_key(const std::string& ssh_keys, const std::string& user, const ssh::Identity& identity) {
  const std::string wanted = fmt::format("{}:{}", user, identity.public_line());
  const std::vector<std::string> lines = split(ssh_keys, '\n');
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line == wanted || line.compare(0, wanted.size() + 1, wanted + " ") == 0;
  });
}

}  // namespace slipway::cli
