#include <limits>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/dry_run.h"
#include "cli/emulator_state.h"
#include "cli/exit_code.h"
#include "slipway/core/text.h"
#include "slipway/emulator/emulator.h"

namespace slipway::cli {
namespace {

constexpr const char* kStartDetails =
    R"help(It prints shell exports when it is ready; with them slipway and gcloud use it instead of Google Cloud.
It has a bucket too, gs://emulator-bucket, for gcloud storage and client libraries.

Examples:
  eval "$(slipway emulator start --detach)"
  slipway emulator start --state-dir /tmp/emu --provision-delay 200ms --capacity 256)help";

constexpr const char* kGroupDetails = R"help(Examples:
  eval "$(slipway emulator start --detach)"
  slipway emulator stop)help";

struct EmulatorWords {
  std::string state_dir;
  int port = 0;
  int ssh_port = 0;
  std::string provision_delay = "1s";
  int capacity = 4096;
  std::vector<std::string> unreachable;
  bool detach = false;
};

Result<emulator::EmulatorOptions> options_of(const EmulatorWords& words) {
  emulator::EmulatorOptions options;
  TRY(options.state_dir, emulator_state_dir(words.state_dir));
  TRY(options.provision_delay, parse_duration(words.provision_delay));
  options.port = words.port;
  options.ssh_port = words.ssh_port;
  options.capacity = words.capacity;
  options.unreachable = words.unreachable;
  return options;
}

Result<int> run_start(const EmulatorWords& words, Services& services) {
  TRY(const emulator::EmulatorOptions options, options_of(words));
  const auto show = [&](const emulator::Exports& exports) {
    services.streams.out->write(emulator::to_shell(exports));
    const Result<std::vector<std::string>> notes = emulator::notes_of(options.state_dir);
    if (!notes.ok()) return;
    for (const std::string& note : *notes) services.say("note: " + note);
  };
  if (words.detach) {
    TRY(const emulator::Exports exports, emulator::start_detached(options));
    show(exports);
    return kOk;
  }
  TRY(emulator::serve(options, services.interrupt, show));
  return kOk;
}

Result<int> run_env(const EmulatorWords& words, Services& services) {
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(const emulator::Exports exports, emulator::exports_of(state_dir));
  services.streams.out->write(emulator::to_shell(exports));
  return kOk;
}

Result<int> run_stop(const EmulatorWords& words, Services& services) {
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(emulator::stop(state_dir));
  services.say("the emulator is stopped");
  return kOk;
}

Result<int> run_log(const EmulatorWords& words, Services& services) {
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(const std::string log, emulator::request_log(state_dir));
  services.streams.out->write(log);
  return kOk;
}

using Run = Result<int> (*)(const EmulatorWords&, Services&);

}  // namespace

void add_emulator(CommandLine& line) {
  line.add_group("emulator", "the TPU API and real workers on this machine", kGroupDetails);
  // Each command has words of its own: CLI11 reads the environment for those that were not typed as well, and
  // would write over the flag of the one that was.
  const auto add = [&](const std::string& name, const char* summary, const char* details, Run run) {
    auto words = std::make_shared<EmulatorWords>();  // filled by the parser, read by the action after it
    Flags flags =
        line.add("emulator " + name, summary, details,
                 [words, run, name](Services& services, const GlobalOptions& global) -> Result<int> {
                   if (name == "start" || name == "stop") TRY(refuse_dry_run(global, "emulator " + name));
                   return run(*words, services);
                 });
    flags.text("state-dir", words->state_dir, "FOLDER", "the emulator's folder", "SLIPWAY_EMULATOR_STATE");
    return std::pair<Flags, EmulatorWords&>(flags, *words);
  };
  auto [flags, start] =
      add("start", "serve the API and start workers as they are asked for", kStartDetails, run_start);
  flags
      .number("port", start.port, "PORT", "of the API, on 127.0.0.1 (default: a free one)", 0, 65535)
      // Not SLIPWAY_SSH_PORT: the exports of another emulator set that one.
      .number("ssh-port", start.ssh_port, "PORT", "of the workers (default: a free one)", 0, 65535,
              "SLIPWAY_EMULATOR_SSH_PORT")
      .text("provision-delay", start.provision_delay, "TIME", "from the request to ACTIVE")
      .number("capacity", start.capacity, "CHIPS", "chips that can be in use at once", 1,
              std::numeric_limits<int>::max())
      .texts("unreachable", start.unreachable, "ZONE", "a zone that lists over all zones do not reach")
      .on("detach", start.detach, "serve in the background; end it with slipway emulator stop");
  add("env", "print the exports of the one that runs", "Examples:\n  eval \"$(slipway emulator env)\"",
      run_env);
  add("stop", "end it, and every process that it started", "Examples:\n  slipway emulator stop", run_stop);
  add("log", "print the requests that it got, as JSON lines",
      "Examples:\n  slipway emulator log | jq -r .path", run_log);
  add_emulator_incidents(line);
  add_emulator_fault(line);
}

}  // namespace slipway::cli
