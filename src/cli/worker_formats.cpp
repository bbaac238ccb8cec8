#include "cli/worker_formats.h"

#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/model/resource_name.h"
#include "slipway/report/document_text.h"
#include "slipway/ssh/host_key.h"

namespace slipway::cli {
namespace {

std::string alias_of(const Worker& worker) { return fmt::format("{}-w{}", worker.slice, worker.index); }

bool is_address(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos;
}

/// A '%' begins a token in ssh's configuration.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '%' ? "%%" : std::string(1, c);
  return safe;
}

/// ssh_config(5): an argument with blanks stands in double quotes; \ and " are escaped inside.
std::string quoted(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return safe + "\"";
}

/// The best key that a worker published: of ed25519, ECDSA and RSA the first that is there.
const ssh::HostKey* best_key(const ssh::HostKeyPins& pins) {
  const ssh::HostKey* best = nullptr;
  const auto rank = [](const ssh::HostKey& key) {
    return key.type == "ssh-ed25519" ? 0 : key.type.rfind("ecdsa", 0) == 0 ? 1 : 2;
  };
  for (const ssh::HostKey& key : pins) {
    if (best == nullptr || rank(key) < rank(*best)) best = &key;
  }
  return best;
}

std::string signatures_of(const std::string& key_type) {
  return key_type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256" : key_type;
}

/// Options that make ssh take this worker's published key and no other. Without one ssh is to refuse: it
/// would have nothing to hold the worker's key against.
std::vector<std::pair<std::string, std::string>> pin_options(const Worker& worker) {
  const ssh::HostKeyPins pins = ssh::to_pins(worker.host_keys);
  const ssh::HostKey* key = best_key(pins);
  std::vector<std::pair<std::string, std::string>> options = {{"HostKeyAlias", alias_of(worker)},
                                                              {"StrictHostKeyChecking", "yes"},
                                                              {"UserKnownHostsFile", "/dev/null"},
                                                              {"GlobalKnownHostsFile", "/dev/null"}};
  if (key == nullptr) return options;
  options.emplace_back("HostKeyAlgorithms", signatures_of(key->type));
  options.emplace_back("KnownHostsCommand", fmt::format("/bin/echo {} {} {}", escaped(alias_of(worker)),
                                                        key->type, base64_encode(key->blob)));
  return options;
}

/// Ansible's group names are Python identifiers.
std::string group_name(std::string_view kind, const std::string& name) {
  std::string group = fmt::format("{}_{}", kind, name);
  for (char& c : group) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return group;
}

Json ansible_host(const Worker& worker, const Login& login) {
  std::string options;
  for (const auto& [name, value] : pin_options(worker))
    options += fmt::format("{}-o {}", options.empty() ? "" : " ", shell_quote(name + "=" + value));
  return {{"ansible_host", address_of(worker, login.internal_ip)},
          {"ansible_port", login.port},
          {"ansible_user", login.user},
          {"ansible_ssh_private_key_file", login.key_file},
          {"ansible_ssh_common_args", options},
          {"slipway_slice", worker.slice_index},
          {"slipway_worker", worker.index}};
}

}  // namespace

const std::string& address_of(const Worker& worker, bool internal) {
  const NetworkEndpoint& endpoint = worker.endpoint;
  return internal || endpoint.external_address.empty() ? endpoint.address : endpoint.external_address;
}

Result<void> check_for_programs(const std::vector<Worker>& workers) {
  for (const Worker& worker : workers) {
    const bool addresses =
        is_address(worker.endpoint.address) &&
        (worker.endpoint.external_address.empty() || is_address(worker.endpoint.external_address));
    if (addresses && check_resource_id("slice", worker.slice).ok()) continue;
    return Error(ErrorCode::kFailed,
                 fmt::format("the API names the worker {} at '{}', which no program should read",
                             printable(worker.label()), printable(address_of(worker, false))));
  }
  return {};
}

std::string hosts_text(const std::vector<Worker>& workers, const Login& login) {
  std::string text;
  for (const Worker& worker : workers) text += address_of(worker, login.internal_ip) + "\n";
  return text;
}

std::string ssh_config_text(const std::vector<Worker>& workers, const Login& login) {
  std::string text;
  for (const Worker& worker : workers) {
    text +=
        fmt::format("Host {}\n  HostName {}\n  Port {}\n  User {}\n  IdentityFile {}\n  IdentitiesOnly yes\n",
                    alias_of(worker), address_of(worker, login.internal_ip), login.port, login.user,
                    quoted(escaped(login.key_file)));
    for (const auto& [name, value] : pin_options(worker)) text += fmt::format("  {} {}\n", name, value);
  }
  return text;
}

std::string ansible_text(const std::vector<Worker>& workers, const std::string& resource,
                         const Login& login) {
  Json slices = Json::object();
  for (const Worker& worker : workers)
    slices[group_name("slice", worker.slice)]["hosts"][alias_of(worker)] = ansible_host(worker, login);
  const Json inventory = {{"all", {{"children", {{group_name("qr", resource), {{"children", slices}}}}}}}};
  return report::to_yaml(inventory);
}

}  // namespace slipway::cli
