#include "cli/way.h"

#include <algorithm>
#include <filesystem>

#include "cli/version.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"
#include "slipway/ssh/proxy_command.h"

namespace slipway::cli {
namespace {

/// A person with a slow bastion still gets through; nobody waits forever for one that is gone.
constexpr std::chrono::seconds kJumpLimit{60};

/// Where the keys of jump hosts are kept that were accepted at first contact.
std::string jump_known_hosts() {
  const std::string state = state_directory();
  return state.empty() || !make_directories(state, 0700).ok() ? "" : state + "/jump_known_hosts";
}

Result<std::vector<std::string>> jump_line(const ReachOptions& options, const std::string& key_path) {
  TRY(const ssh::JumpAddress address, ssh::parse_jump_address(options.jump));
  const auto unknown = options.host_keys == "strict" ? ssh::UnknownHost::kRefuse : ssh::UnknownHost::kAccept;
  return ssh::jump_words(address, file_exists(key_path) ? key_path : "", jump_known_hosts(), unknown);
}

/// This program, for a line that ssh runs later.
std::string own_program() {
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? "slipway" : path.string();
}

/// The token goes to Google's relay, to loopback, and to a host that the user named.
Result<void> check_relay(const std::string& host, const Settings& settings) {
  const std::vector<std::string>& allowed = settings.credentials.allowed_hosts;
  const bool trusted = host == "tunnel.cloudproxy.app" || http::is_loopback_host(host) ||
                       std::find(allowed.begin(), allowed.end(), host) != allowed.end();
  if (trusted) return {};
  return Error(ErrorCode::kUsage, fmt::format("will not send the access token to '{}'", host))
      .next("add --allow-host " + host);
}

Result<std::shared_ptr<const tunnel::IapGateway>> find_relay(const ReachOptions& options,
                                                             const Settings& settings, Api& api) {
  TRY(tunnel::IapGateway gateway, tunnel::find_iap_gateway(options.iap_url, settings.ca_file));
  TRY(check_relay(gateway.host, settings));
  gateway.project = settings.location.project;
  gateway.zone = settings.location.zone;
  gateway.user_agent = user_agent();
  gateway.token = [&api] { return api.token(); };
  return std::shared_ptr<const tunnel::IapGateway>(std::make_shared<tunnel::IapGateway>(std::move(gateway)));
}

/// The flags about who we are and whom we trust, as they were given to us.
void add_sign_in(std::vector<std::string>& line, const GlobalOptions& global) {
  const std::pair<const char*, const std::string&> flags[] = {
      {"--account", global.account},
      {"--access-token-file", global.access_token_file},
      {"--impersonate-service-account", global.impersonate_service_account},
      {"--billing-project", global.billing_project},
      {"--ca-file", global.ca_file},
      {"--endpoint", global.endpoint},
      {"--config", global.config}};
  for (const auto& [flag, value] : flags) {
    if (!value.empty()) line.insert(line.end(), {flag, value});
  }
  for (const std::string& host : global.allow_hosts) line.insert(line.end(), {"--allow-host", host});
}

/// What comes from the API reaches no shell and no resolver.
Error no_address(const Worker& worker, const std::string& said) {
  return Error(ErrorCode::kFailed,
               fmt::format("the API gives {} the address '{}'", worker.label(), printable(said)));
}

}  // namespace

Result<void> check_way(const ReachOptions& options) {
  const int said = int{!options.jump.empty()} + int{!options.proxy_command.empty()} + int{options.iap};
  if (said > 1)
    return Error(ErrorCode::kUsage, "--jump, --proxy-command and --tunnel-through-iap exclude each other");
  if (options.iap && options.internal_ip) {
    return Error(ErrorCode::kUsage, "--tunnel-through-iap and --internal-ip exclude each other")
        .why("the tunnel leads to the machine, whatever its addresses are");
  }
  if (!options.jump.empty()) TRY(ssh::parse_jump_address(options.jump));
  if (!options.proxy_command.empty())
    TRY(ssh::expand_proxy_command(options.proxy_command, "127.0.0.1", 22, ""));
  return {};
}

std::size_t descriptors_a_worker(const ReachOptions& options) {
  if (!options.jump.empty()) return 3;
  return options.iap ? 2 : 1;
}

Result<Way> Way::open(const ReachOptions& options, const std::string& key_path, const Settings& settings,
                      Api& api, Services& services) {
  Way way;
  way.proxy_command_ = options.proxy_command;
  if (!options.jump.empty()) {
    TRY(const std::vector<std::string> words, jump_line(options, key_path));
    TRY(way.jump_, ssh::JumpHost::open(words, kJumpLimit, services.clock, services.interrupt));
  }
  if (options.iap) {
    TRY(way.iap_, find_relay(options, settings, api));
  }
  return way;
}

Result<void> Way::check(const std::vector<fleet::Target>& targets, const std::vector<Worker>& workers) const {
  const bool by_address = jump_ || !proxy_command_.empty();
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (iap_ && workers[i].hostname.empty()) {
      return Error(ErrorCode::kConflict, fmt::format("IAP cannot be told who {} is", workers[i].label()))
          .why(
              "it has not published its hostname: guest attributes may be switched off by policy "
              "(compute.disableGuestAttributesAccess), or it still boots");
    }
    if (by_address && !ssh::is_literal_address(targets[i].address))
      return no_address(workers[i], targets[i].address);
  }
  return {};
}

std::function<std::unique_ptr<ssh::Socket>(std::size_t)> Way::sockets(
    const std::vector<fleet::Target>& targets, const std::vector<Worker>& workers,
    const std::string& user) const {
  if (jump_) {
    return [jump = jump_.get(), &targets](std::size_t i) {
      return jump->socket_to(targets[i].address, targets[i].port);
    };
  }
  if (iap_) {
    return [relay = iap_, &targets, &workers](std::size_t i) {
      return tunnel::make_iap_socket(relay, workers[i].hostname, targets[i].port);
    };
  }
  if (proxy_command_.empty()) return nullptr;
  return [command = proxy_command_, &targets, user](std::size_t i) {
    const fleet::Target& target = targets[i];
    // Judged before: check_way().
    const auto line = ssh::expand_proxy_command(command, target.address, target.port,
                                                target.user.empty() ? user : target.user);
    return ssh::make_proxy_command_socket(line.ok() ? *line : "false");
  };
}

Result<std::string> proxy_command_for_ssh(const ReachOptions& options, const std::string& key_path,
                                          const Worker& worker, const Location& location,
                                          const std::string& user, const GlobalOptions& global) {
  const std::string address = ssh_address(worker, options);
  if (!ssh::is_literal_address(address)) return no_address(worker, address);
  const auto without_tokens = [](const std::string& line) {  // ssh reads percent signs once more
    std::string text;
    for (const char c : line) text += c == '%' ? "%%" : std::string(1, c);
    return text;
  };
  if (!options.jump.empty()) {
    TRY(std::vector<std::string> words, jump_line(options, key_path));
    words.insert(words.end(), {"-W", "[%h]:%p"});
    for (std::string& word : words) word = word == "[%h]:%p" ? word : without_tokens(shell_quote(word));
    return fmt::format("{}", fmt::join(words, " "));
  }
  if (options.iap) {
    std::vector<std::string> line{own_program(),
                                  "tunnel",
                                  "node:" + worker.slice,
                                  "--worker",
                                  std::to_string(worker.index),
                                  "--project",
                                  location.project,
                                  "--zone",
                                  location.zone};
    add_sign_in(line, global);
    if (options.iap_url != tunnel::kIapUrl) line.insert(line.end(), {"--iap-url", options.iap_url});
    return without_tokens(shell_join(line)) + " --port %p";
  }
  if (options.proxy_command.empty()) return std::string();
  TRY(const std::string line,
      ssh::expand_proxy_command(options.proxy_command, address, options.ssh_port, user));
  return without_tokens(line);
}

}  // namespace slipway::cli
