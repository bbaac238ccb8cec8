#include "cli/ssh_key.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/passphrase.h"

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

std::string own_key_path() { return home_directory() + "/.ssh/slipway_ed25519"; }

bool has_key(const std::string& path) { return file_exists(path) || file_exists(path + ".pub"); }

/// The agent's key with this public half, or its only one where there is none to go by.
Result<ssh::Identity> agent_identity(const std::optional<std::string>& wanted, const std::string& path) {
  TRY(ssh::Agent connection, ssh::Agent::connect(env("SSH_AUTH_SOCK")));
  auto agent = std::make_shared<ssh::Agent>(std::move(connection));  // serves as long as the identity lives
  TRY(std::vector<ssh::AgentKey> keys, agent->keys());
  for (ssh::AgentKey& key : keys) {
    if (wanted ? key.blob == *wanted : keys.size() == 1)
      return ssh::Identity::in_agent(std::move(agent), std::move(key));
  }
  if (wanted) {
    return Error(ErrorCode::kUsage, fmt::format("your ssh agent does not hold the key '{}'", path))
        .next("ssh-add " + shell_quote(path));
  }
  if (keys.empty())
    return Error(ErrorCode::kUsage, "your ssh agent holds no key that can be used").next("ssh-add");
  return Error(ErrorCode::kUsage, fmt::format("your ssh agent holds {} keys", keys.size()))
      .why("say which: its public half in a file is enough")
      .next("ssh-add -L | grep COMMENT > key.pub; slipway ... --ssh-agent --ssh-key key.pub");
}

/// Whether the file at `path` needs somebody's help to be used.
bool needs_agent(const std::string& path) {
  const bool is_public = path.size() > 4 && path.compare(path.size() - 4, 4, ".pub") == 0;
  return is_public || !file_exists(path) || ssh::needs_passphrase(path);
}

}  // namespace

std::string ssh_key_path(const std::string& given) {
  if (!given.empty()) return given;
  const std::string own = own_key_path();
  const std::string gcloud = home_directory() + "/.ssh/google_compute_engine";
  return !has_key(gcloud) && has_key(own) ? own : gcloud;
}

Result<ssh::Identity> find_ssh_identity(const ReachOptions& options, Services& services) {
  const std::string path = ssh_key_path(options.ssh_key);
  const bool nothing = options.ssh_key.empty() && !has_key(path);
  if (options.ssh_agent) return agent_identity(nothing ? std::nullopt : ssh::public_half(path), path);
  if (nothing) {
    const std::string own = own_key_path();
    TRY(ssh::Identity made, ssh::Identity::create(own, login_name() + "@slipway"));
    services.say(fmt::format("made an ssh key, because there was none: {}", own));
    return made;
  }
  if (needs_agent(path)) {
    if (const auto half = ssh::public_half(path)) {
      Result<ssh::Identity> held = agent_identity(half, path);
      if (held.ok()) return held;
    }
  }
  return ssh::Identity::load(path, passphrase_from(options.ssh_key_passphrase_file, services));
}

bool opens_by_itself(const ReachOptions& options, const std::string& path) {
  if (options.ssh_agent || !options.ssh_key_passphrase_file.empty() || !ssh::needs_passphrase(path))
    return true;
  const auto half = ssh::public_half(path);
  return half && agent_identity(half, path).ok();
}

Result<std::string> ssh_user(const std::string& given) {
  const std::string user = given.empty() ? login_name() : given;
  if (is_user_name(user)) return user;
  return Error(ErrorCode::kUsage, fmt::format("'{}' is no user name to log in with", printable(user)))
      .next("add --user NAME");
}

Result<SshKey> find_ssh_key(const ReachOptions& options, bool dry_run, Services& services) {
  const std::string path = ssh_key_path(options.ssh_key);
  const bool nothing = options.ssh_key.empty() && !has_key(path);
  if (nothing && dry_run && !options.ssh_agent) return SshKey{own_key_path(), ""};
  const bool by_file = !nothing && (file_exists(path) || file_exists(path + ".pub"));
  if (const auto half = by_file ? ssh::public_half(path) : std::nullopt)
    return SshKey{path, ssh::public_line(*half)};
  TRY(const ssh::Identity identity, find_ssh_identity(options, services));
  return SshKey{identity.is_in_agent() ? "" : identity.path(), identity.public_line()};
}

void take_user_of(std::string& word, ReachOptions& options) {
  const std::size_t at = word.find('@');
  if (at == std::string::npos) return;
  if (options.user.empty()) options.user = word.substr(0, at);
  word.erase(0, at + 1);
}

std::string metadata_key_line(const std::string& user, const std::string& public_line) {
  return fmt::format("{}:{} {}", user, public_line, user);
}

bool has_metadata_key(const std::string& ssh_keys, const std::string& user, const std::string& public_line) {
  const std::string wanted = fmt::format("{}:{}", user, public_line);
  const std::vector<std::string> lines = split(ssh_keys, '\n');
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line == wanted || line.compare(0, wanted.size() + 1, wanted + " ") == 0;
  });
}

}  // namespace slipway::cli
