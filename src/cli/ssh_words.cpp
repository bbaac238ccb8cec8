#include "cli/ssh_words.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// A path as ssh's options take it: they cut at blanks and read tokens behind a percent sign.
std::string option_path(const std::string& path) {
  std::string escaped;
  for (const char c : path) escaped += c == '%' ? "%%" : std::string(1, c);
  return escaped.find(' ') == std::string::npos ? escaped : '"' + escaped + '"';
}

std::string algorithms(const ssh::HostKeyPins& pins) {
  std::string names;
  for (const ssh::HostKey& pin : pins) {
    names += names.empty() ? "" : ",";
    names += pin.type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256" : pin.type;
  }
  return names;
}

}  // namespace

std::vector<std::string> to_words(const SshWords& call) {
  std::vector<std::string> words{"ssh"};
  const auto option = [&words](const std::string& name, const std::string& value) {
    words.insert(words.end(), {"-o", name + "=" + value});
  };
  if (!call.key_path.empty()) {
    words.insert(words.end(), {"-i", call.key_path});
    option("IdentitiesOnly", "yes");
  }
  if (call.has_passphrase_file) {  // a question of the worker's gets no answer, that one least of all
    option("PasswordAuthentication", "no");
    option("KbdInteractiveAuthentication", "no");
  }
  option("HostKeyAlias", call.alias);
  option("UserKnownHostsFile", option_path(call.known_hosts));
  option("GlobalKnownHostsFile", "/dev/null");
  option("StrictHostKeyChecking", call.pins.empty() && call.accept_new ? "accept-new" : "yes");
  if (!call.pins.empty()) option("HostKeyAlgorithms", algorithms(call.pins));
  option("CheckHostIP", "no");
  option("HashKnownHosts", "no");
  option("UpdateHostKeys", "no");
  option("ServerAliveInterval", "30");
  if (!call.proxy_command.empty()) option("ProxyCommand", call.proxy_command);
  words.insert(words.end(), {"-p", std::to_string(call.port), call.user + "@" + call.address});
  words.insert(words.end(), call.more.begin(), call.more.end());
  return words;
}

std::string known_hosts_text(const std::string& alias, const ssh::HostKeyPins& pins) {
  std::string text;
  for (const ssh::HostKey& pin : pins)
    text += fmt::format("{} {} {}\n", alias, pin.type, base64_encode(pin.blob));
  return text;
}

}  // namespace slipway::cli
