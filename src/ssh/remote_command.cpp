#include "slipway/ssh/remote_command.h"

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/wrapper_text.h"

namespace slipway::ssh {
namespace {

/// The kernel takes 128 KiB for one argument (MAX_ARG_STRLEN), with its end.
constexpr std::size_t kLongestArgument = 120'000;
/// What OpenSSH's server says for a signal that ssh has no name for.
constexpr std::string_view kUnnamedSignal = "SIG@openssh.com";

/// How the wrapper is to run the text: see its head.
std::string_view mode(const RemoteCommand& command) {
  if (command.kind == RemoteCommand::Kind::kScript && command.text.substr(0, 2) == "#!") return "exec";
  if (command.kind == RemoteCommand::Kind::kScript || command.text.size() >= kLongestArgument) return "file";
  return "arg";
}

/// One export of quoted words: a name that is none is then refused by the remote shell, never run by it.
std::string exports(const RemoteCommand& command) {
  if (command.environment.empty()) return {};
  std::string line = "export";
  for (const auto& [name, value] : command.environment) line += " " + shell_quote(name + "=" + value);
  return line + "\n";
}

}  // namespace

WireCommand to_wire(const RemoteCommand& command) {
  const std::string prelude = exports(command);
  return {fmt::format("exec sh -c '{}' slipway {} {} {} {} {}", kWrapper, prelude.size(), command.text.size(),
                      mode(command), command.kill_on_disconnect ? 1 : 0, command.input.size()),
          prelude + command.text, command.input};
}

std::string signal_line(std::string_view signal) { return std::string(signal) + "\n"; }

std::string farewell_line() { return "BYE\n"; }

std::optional<RemoteExit> from_wire(int status, std::string_view signal) {
  if (signal == kUnnamedSignal) return RemoteExit{RemoteExit::Kind::kCode, 255, {}};
  if (!signal.empty()) return RemoteExit{RemoteExit::Kind::kSignal, 0, printable(signal)};
  if (status == 0) return std::nullopt;
  return RemoteExit{RemoteExit::Kind::kCode, status == 255 ? 0 : status, {}};
}

}  // namespace slipway::ssh
