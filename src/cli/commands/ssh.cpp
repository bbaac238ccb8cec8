#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/dry_run.h"
#include "cli/exit_code.h"
#include "cli/first_contact.h"
#include "cli/host_key_book.h"
#include "cli/key_propagation.h"
#include "cli/reach.h"
#include "cli/resource_workers.h"
#include "cli/slice_source.h"
#include "cli/ssh_key.h"
#include "cli/ssh_words.h"
#include "cli/way.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(It becomes the system's own ssh, with the key, the host keys and the address that slipway knows: terminal, signals and exit code are
ssh's. Words behind -- go to ssh as they are: its flags, or a command. For more than one worker: slipway run.

Examples:
  slipway ssh train-1
  slipway ssh train-1 --node 2 --worker 3 -- tail -f /var/log/syslog
  slipway ssh node:my-tpu -- -L 6006:localhost:6006
  slipway ssh train-1 --dry-run)";

struct SshOptions {
  std::string id;
  std::string node = "0";
  std::string worker = "0";
  std::string command;
  std::vector<std::string> argv;  ///< behind "--"
  ReachOptions reach;
};

/// The one worker that the words select.
Result<Worker> only_worker(const ResourceWorkers& rows, const SliceSource& source) {
  if (!rows.missing.empty()) return rows.missing.front().error;
  for (const Node& node : rows.nodes) {
    if (node.ready()) continue;
    return Error(ErrorCode::kConflict, fmt::format("{} is {}", node.name.id, node.state))
        .next("slipway workers " + shell_quote(source.text()));
  }
  if (rows.workers.size() == 1) return rows.workers.front();
  return Error(ErrorCode::kUsage,
               fmt::format("a shell is for one worker, and these are {}", rows.workers.size()))
      .next(fmt::format("slipway run {} --command '...'", shell_quote(source.text())));
}

/// Becomes ssh. Only a failure comes back.
Error become(const std::vector<std::string>& words, const ReachOptions& reach, Services& services) {
  services.streams.out->flush();
  services.streams.err->flush();
  ::signal(SIGPIPE, SIG_DFL);
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);  // libcurl 7.88 does not mark its sockets
  if (!reach.iap) ::unsetenv("CLOUDSDK_AUTH_ACCESS_TOKEN");    // ssh needs it for nothing else
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  return system_error(ErrorCode::kLocal, "cannot start ssh", errno).next("install OpenSSH's client");
}

/// The folder of what ssh is given to read.
Result<std::string> folder_for_ssh() {
  const std::string state = state_directory();
  if (state.empty()) {
    return Error(ErrorCode::kLocal, "there is no home to write the worker's host keys to")
        .next("export HOME=...");
  }
  const std::string folder = state + "/ssh";
  TRY(make_directories(folder, 0700));
  return folder;
}

/// ssh asks a program for the passphrase: one that reads it out of the file.
Result<void> answer_with(const std::string& passphrase_file) {
  TRY(const std::string folder, folder_for_ssh());
  std::error_code failure;
  const std::string file = std::filesystem::absolute(passphrase_file, failure).string();
  const std::string program = folder + "/askpass";
  TRY(write_file_atomically(program, "#!/bin/sh\nexec cat -- \"$SLIPWAY_ASKPASS_FILE\"\n", 0700));
  ::setenv("SLIPWAY_ASKPASS_FILE", file.c_str(), 1);
  ::setenv("SSH_ASKPASS", program.c_str(), 1);
  ::setenv("SSH_ASKPASS_REQUIRE", "force", 1);
  return {};
}

/// Where ssh finds the pins: a file of the state folder that is this machine's alone.
Result<std::string> write_pins(const std::string& alias, const ssh::HostKeyPins& pins) {
  TRY(const std::string folder, folder_for_ssh());
  std::string name = alias.substr(alias.find('/', alias.find('/', alias.find('/') + 1) + 1) + 1);
  std::replace(name.begin(), name.end(), '/', '-');
  const std::string path = folder + "/known_hosts-" + name;
  TRY(write_file_atomically(path, known_hosts_text(alias, pins), 0600));
  return path;
}

/// Logs in once by ourselves where ssh alone would ask or fail: at first contact, and when the worker was
/// told of the key a moment ago. A key that only a person can open is left to ssh.
Result<void> prepare(const Worker& worker, const SshWords& call, bool just_told, const ReachOptions& reach,
                     const Settings& settings, Api& api, HostKeyBook& book, Services& services) {
  if (!just_told && !call.pins.empty()) return {};
  if (!call.key_path.empty() && !opens_by_itself(reach, call.key_path)) return {};
  TRY(const ssh::Identity identity, find_ssh_identity(reach, services));
  fleet::FanOutOptions options;
  options.user = call.user;
  options.identity = &identity;
  options.accept_host_key = book.accept();
  if (just_told) options.auth_patience = std::chrono::seconds(60);
  fleet::Target target;
  target.slice = worker.slice;
  target.worker = worker.index;
  target.address = call.address;
  target.port = call.port;
  target.pins = call.pins;
  TRY(const Way way, Way::open(reach, call.key_path, settings, api, services));
  const std::vector<fleet::Target> targets{target};
  const std::vector<Worker> workers{worker};
  TRY(way.check(targets, workers));
  options.make_socket = way.sockets(targets, workers, call.user);
  return first_contact(target, options, book, services);
}

/// Whether ssh would take a word for a command: one that is neither a flag of its own nor a flag's value
/// (ssh(1), OpenSSH 9).
bool has_command(const std::vector<std::string>& argv) {
  constexpr std::string_view kWithValue = "BbcDEeFIiJLlmOoPpQRSWw";
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (word.size() < 2 || word.front() != '-') return true;
    if (word == "--") return i + 1 < argv.size();
    const std::size_t with_value = word.find_first_of(kWithValue, 1);
    if (with_value == word.size() - 1) ++i;
  }
  return false;
}

/// Whether the node's own metadata let the key in already.
bool has_key(const Node& node, const std::string& user, const SshKey& key) {
  const auto keys = node.metadata.find("ssh-keys");
  return !key.public_line.empty() && keys != node.metadata.end() &&
         has_metadata_key(keys->second, user, key.public_line);
}

Result<int> run_ssh(SshOptions options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  if (!options.command.empty() && has_command(options.argv))
    return Error(ErrorCode::kUsage, "--command and a command behind -- exclude each other");
  TRY(check_way(options.reach));
  TRY(const HostKeyMode mode, parse_host_key_mode(options.reach.host_keys));
  TRY(const Selection slices, Selection::parse(options.node));
  TRY(const Selection workers, Selection::parse(options.worker));
  take_user_of(options.id, options.reach);
  TRY(const std::string user, ssh_user(options.reach.user));
  TRY(const SourceSettings wanted, resolve_settings_for_slices(global, options.id));
  TRY(const SshKey key, find_ssh_key(options.reach, dry_run, services));

  TRY(const std::unique_ptr<Api> api, Api::open(wanted.settings, services));
  TRY(const SliceSet found, find_slices(*api, wanted.source));
  TRY(require_active(found, "log in to"));
  TRY(const ResourceWorkers rows,
      find_workers(api->client(), found, slices, workers, attributes_for(mode, options.reach)));
  TRY(const Worker worker, only_worker(rows, wanted.source));
  TRY(HostKeyBook book, HostKeyBook::open(host_key_store(), mode, wanted.source.location));
  SshWords call;
  call.user = user;
  call.address = ssh_address(worker, options.reach);
  call.port = options.reach.ssh_port;
  call.key_path = key.path;
  call.pins = book.add(worker);
  call.alias = book.alias(0);
  call.has_passphrase_file = !options.reach.ssh_key_passphrase_file.empty();
  call.accept_new = mode != HostKeyMode::kStrict;
  call.known_hosts = host_key_store();
  call.more = options.argv;
  if (!options.command.empty()) call.more.insert(call.more.end(), {"--", options.command});
  if (!dry_run) {
    TRY(const Admission admission, let_in(api->login_apis(), rows.nodes, user, key.public_line, services));
    call.user = admission.user_on(worker.slice);
    TRY(prepare(worker, call, admission.just_told, options.reach, wanted.settings, *api, book, services));
    call.pins = book.pins(0);
  }
  TRY(call.proxy_command,
      proxy_command_for_ssh(options.reach, key.path, worker, wanted.source.location, call.user, global));
  // A dry run too: its line is there to be pasted.
  if (!call.pins.empty()) {
    TRY(call.known_hosts, write_pins(call.alias, call.pins));
  }
  if (!dry_run && call.has_passphrase_file) TRY(answer_with(options.reach.ssh_key_passphrase_file));
  if (!dry_run) return become(to_words(call), options.reach, services);
  services.streams.out->write(shell_join(to_words(call)) + "\n");
  if (!has_key(rows.nodes.front(), user, key)) services.say(kKeyWouldBeAdded);
  return kOk;
}

}  // namespace

void add_ssh(CommandLine& line) {
  auto options = std::make_shared<SshOptions>();  // filled by the parser, read by the action after it
  line.takes_remote_argv("ssh");
  Flags flags = line.add("ssh", "open a shell on one worker", kDetails,
                         [options, &line](Services& services, const GlobalOptions& global) {
                           options->argv = line.after_dashes();
                           return run_ssh(*options, services, global);
                         });
  flags.word("QR", options->id, "a queued resource, node:NAME, or prefix:P for all nodes P-<number>")
      .text("node", options->node, "SLICE", "a slice: 0, or a name")
      .text("worker", options->worker, "WORKER", "a worker of the slice: 0, 1, ..")
      .text("command", options->command, "TEXT", "run this instead of a shell");
  bind_reach_flags(flags, options->reach);
}

}  // namespace slipway::cli
