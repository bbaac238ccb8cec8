#include "cli/key_propagation.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>

#include "cli/ssh_key.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/login.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

using Metadata = std::map<std::string, std::string>;

constexpr const char* kSshKeys = "ssh-keys";
constexpr const char* kOsLogin = "enable-oslogin";
constexpr int kTries = 6;
constexpr std::chrono::minutes kLongestUpdate{10};

std::string value_of(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

/// The guest agent takes these words for true, in any case.
bool is_true(const std::string& word) {
  const std::string lower = to_lower(trim(word));
  return lower == "true" || lower == "y" || lower == "yes" || lower == "1";
}

/// The project's metadata, asked for once and only if some node does not say all by itself. Where they cannot
/// be read, nothing is said there: permission to read them is not everybody's.
Metadata common_metadata(const LoginApis& apis, const std::vector<Node>& nodes) {
  const bool needed = std::any_of(nodes.begin(), nodes.end(),
                                  [](const Node& node) { return node.metadata.count(kOsLogin) == 0; });
  if (!needed || apis.compute == nullptr) return {};
  const auto metadata = tpu::project_metadata(*apis.compute, nodes.front().name.location.project);
  return metadata.ok() ? *metadata : Metadata();
}

bool has_os_login(const Node& node, const Metadata& project) {
  const std::string own = value_of(node.metadata, kOsLogin);
  return is_true(own.empty() ? value_of(project, kOsLogin) : own);
}

Metadata with_key(Metadata metadata, const std::string& line) {
  std::string& keys = metadata[kSshKeys];
  if (!keys.empty() && keys.back() != '\n') keys += '\n';
  keys += line;
  return metadata;
}

/// Adds the key to one account; the user name that it has on the machines.
Result<std::string> import_key(const LoginApis& apis, const std::string& project,
                               const std::string& public_line, bool& just_told, Services& services) {
  if (apis.account.empty()) {
    return Error(ErrorCode::kUsage, "the workers use OS Login, and the account to log in with is not known")
        .next("gcloud config set account EMAIL   (or: slipway ... --account EMAIL)");
  }
  const std::string& line = public_line;
  TRY(tpu::LoginProfile profile, tpu::login_profile(*apis.os_login, apis.account, project));
  const bool known = std::any_of(profile.keys.begin(), profile.keys.end(), [&](const std::string& key) {
    return key.compare(0, line.size(), line) == 0 && (key.size() == line.size() || key[line.size()] == ' ');
  });
  if (!known || profile.user.empty()) {
    services.say(fmt::format("adding your ssh key to the OS Login profile of {}", apis.account));
    TRY(profile, tpu::import_ssh_key(*apis.os_login, apis.account, project, line));
    just_told = true;
  }
  if (!profile.user.empty()) return ssh_user(profile.user);
  return Error(ErrorCode::kDenied, fmt::format("{} has no user name on machines with OS Login", apis.account))
      .why("its login profile has no POSIX account");
}

/// One round for the nodes that still lack the key: read, add, wait. Whom another change came in the way of
/// is left as it is. `line` is what `lacks` looks for.
Result<void> add_key_once(tpu::Client& client, const std::vector<NodeName>& names,
                          const std::function<bool(const Node&)>& lacks, const std::string& line) {
  std::vector<NodeName> told;
  std::vector<Metadata> metadata;
  for (Result<Node>& node : client.get_nodes(names)) {
    if (!node.ok()) return std::move(node).error();
    if (!lacks(*node)) continue;
    told.push_back(node->name);
    metadata.push_back(with_key(std::move(node->metadata), line));
  }
  for (Result<Operation>& operation : client.set_metadata(told, metadata)) {
    Result<Operation> done =
        operation.ok() ? tpu::wait_for_operation(client, *operation, kLongestUpdate) : std::move(operation);
    // Whether it was done is looked at afterwards: an answer that was lost is no reason to give up either.
    const bool look = done.ok() || done.error().code() == ErrorCode::kConflict ||
                      done.error().code() == ErrorCode::kUnavailable;
    if (!look) return std::move(done).error();
  }
  return {};
}

/// Those of `names` that lack the key now.
Result<std::vector<NodeName>> still_without(tpu::Client& client, const std::vector<NodeName>& names,
                                            const std::function<bool(const Node&)>& lacks) {
  std::vector<NodeName> without;
  for (Result<Node>& node : client.get_nodes(names)) {
    if (!node.ok()) return std::move(node).error();
    if (lacks(*node)) without.push_back(node->name);
  }
  return without;
}

Result<void> add_key(tpu::Client& client, std::vector<NodeName> names, const std::string& user,
                     const std::string& public_line, const Services& services) {
  const auto lacks = [&](const Node& node) {
    return !has_metadata_key(value_of(node.metadata, kSshKeys), user, public_line);
  };
  for (int tried = 0; tried < kTries; ++tried) {
    const auto pause =
        tried == 0 ? std::chrono::milliseconds(0) : std::chrono::milliseconds(500) * (1 << tried);
    if (!client.clock().sleep_until(client.clock().now() + pause))
      return Error::interrupted(services.interrupt.signal_number(),
                                "interrupted while your ssh key was being added");
    TRY(add_key_once(client, names, lacks, metadata_key_line(user, public_line)));
    TRY(names, still_without(client, names, lacks));
    if (names.empty()) return {};
  }
  return Error(ErrorCode::kConflict,
               fmt::format("your ssh key could not be added to {}", counted(names.size(), "slice")))
      .why(fmt::format("somebody else changes the metadata of '{}' all the time", names.front().id));
}

}  // namespace

Result<Admission> let_in(const LoginApis& apis, const std::vector<Node>& nodes, const std::string& user,
                         const std::string& public_line, Services& services) {
  Admission admission;
  admission.user = user;
  if (nodes.empty()) return admission;
  const Metadata project = common_metadata(apis, nodes);
  const bool known_to_project = has_metadata_key(value_of(project, kSshKeys), user, public_line);
  std::vector<NodeName> without;
  for (const Node& node : nodes) {
    if (has_os_login(node, project) && apis.os_login != nullptr) {
      admission.os_login.insert(node.name.id);
    } else if (!has_metadata_key(value_of(node.metadata, kSshKeys), user, public_line) &&
               (!known_to_project || is_true(value_of(node.metadata, "block-project-ssh-keys")))) {
      without.push_back(node.name);
    }
  }
  if (!admission.os_login.empty()) {
    TRY(admission.os_login_user,
        import_key(apis, nodes.front().name.location.project, public_line, admission.just_told, services));
  }
  if (!without.empty()) {
    services.say(fmt::format("adding your ssh key for '{}' to {}", user, counted(without.size(), "slice")));
    TRY(add_key(apis.tpu, std::move(without), user, public_line, services));
    admission.just_told = true;
  }
  return admission;
}

}  // namespace slipway::cli
