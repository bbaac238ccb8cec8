#include "cli/commands/run.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/api.h"
#include "cli/command_environment.h"
#include "cli/commands/commands.h"
#include "cli/dry_run.h"
#include "cli/exit_code.h"
#include "cli/fan_out_run.h"
#include "cli/flag_values.h"
#include "cli/host_key_book.h"
#include "cli/job_place.h"
#include "cli/key_propagation.h"
#include "cli/output_format.h"
#include "cli/rank_environment.h"
#include "cli/resource_workers.h"
#include "cli/slice_source.h"
#include "cli/ssh_key.h"
#include "cli/way.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(Every selected worker is connected to first, --batch-size at a time; then the command starts on all of them at once. The limit
is on starting, never on running commands: a program that waits for its peers cannot hang because of it.
--command S and --script F reach the remote shell byte for byte; words behind -- are quoted for it, one by one:
  slipway run train-1 --command 'echo "$HOME"'   the worker's home
  slipway run train-1 -- echo "$HOME"            yours: your own shell has replaced it already
--output prefix  each line behind its worker's name, as it comes
         fold    at the end; equal output once, behind the names of all who said it; the rest as a difference to it
         first   the first worker's as it comes, and of the others nothing (needs --output-dir)
         raw     the bytes of the only worker, untouched
         none    nothing of it
A terminal never gets a worker's control bytes, only marks in their place. The last line is always the sum. Exit code: 0 all ok, 3 the command failed somewhere, 4 a key was refused, 8 unreachable or lost.

Examples:
  slipway run train-1 --command 'python3 train.py' --rank-env --output-dir logs/run-1
  slipway run train-1 --node 0 --worker 0 -- df -h /
  slipway run train-1 --script setup.sh --require 90%
  slipway run prefix:my-tpu --jax-env --command 'python3 train.py')";

/// It is held in memory, once for all workers, and on each worker in a file.
constexpr std::size_t kMostInput = std::size_t{1} << 30;

/// Of --output-dir at once (report::OutputDirectory).
constexpr std::size_t kOpenFiles = 64;

struct Plan {
  ssh::RemoteCommand command;
  std::string input;  ///< of --stdin
  Selection slices;
  Selection workers;
  HostKeyMode host_keys = HostKeyMode::kPinned;
  fleet::FanOutOptions fan_out;
  report::OutputMode output = report::OutputMode::kPrefix;
};

Result<report::OutputMode> parse_output(const std::string& text, Format format) {
  using report::OutputMode;
  static const std::map<std::string, OutputMode> kModes = {{"prefix", OutputMode::kPrefix},
                                                           {"fold", OutputMode::kFold},
                                                           {"first", OutputMode::kFirst},
                                                           {"raw", OutputMode::kRaw},
                                                           {"none", OutputMode::kNone}};
  const auto mode = kModes.find(text);
  if (mode == kModes.end()) {
    const std::string near = nearest(text, {"prefix", "fold", "first", "raw", "none"});
    return Error(ErrorCode::kUsage, fmt::format("--output: there is no '{}'", printable(text)))
        .why(near.empty() ? "prefix, fold, first, raw and none are there"
                          : fmt::format("did you mean '{}'?", near));
  }
  // With --format json stdout is one object; what the workers say then goes to --output-dir only.
  return format == Format::kJson ? OutputMode::kNone : mode->second;
}

/// No worker's output is lost without a word: where only one is shown there must be one only, or files for
/// all.
Result<void> check_output(report::OutputMode mode, const std::string& output_dir, std::size_t workers) {
  if (workers == 1) return {};
  if (mode == report::OutputMode::kRaw) {
    return Error(ErrorCode::kUsage,
                 fmt::format("--output raw shows one worker, and {} are selected", workers))
        .next(
            "--node 0 --worker 0 selects one; --output-dir FOLDER keeps each worker's bytes in a file of its "
            "own");
  }
  if (mode == report::OutputMode::kFirst && output_dir.empty()) {
    return Error(ErrorCode::kUsage,
                 fmt::format("--output first shows one worker, and {} others would be lost", workers - 1))
        .next("add --output-dir FOLDER, where each worker has its files");
  }
  return {};
}

/// Everything that the words alone decide: whatever is wrong with them is said before anything is contacted.
Result<Plan> plan_of(const RunOptions& options, Format format) {
  Plan plan;
  TRY(plan.command, remote_command(options));
  TRY(plan.input, command_input(options));
  TRY(plan.slices, Selection::parse(options.node));
  TRY(plan.workers, Selection::parse(options.worker));
  TRY(plan.fan_out.require, Requirement::parse(options.require));
  TRY(apply(options.limits, plan.fan_out));
  TRY(plan.fan_out.user, ssh_user(options.reach.user));
  TRY(check_way(options.reach));
  TRY(plan.host_keys, parse_host_key_mode(options.reach.host_keys));
  TRY(plan.output, parse_output(options.output, format));
  TRY(check_reports(options.events, options.junit));
  return plan;
}

/// With --require all a slice that is missing or not READY ends it here; else it is only said, and its
/// workers fail one by one.
Result<void> check_slices(const ResourceWorkers& found, const SliceSource& source, bool all,
                          Services& services) {
  std::vector<std::string> troubles;
  for (const MissingSlice& missing : found.missing)
    troubles.push_back(fmt::format("{}: {}", missing.name, missing.error.message()));
  for (const Node& node : found.nodes) {
    if (!node.ready()) troubles.push_back(fmt::format("{} is {}", node.name.id, node.state));
    if (node.ready() && node.endpoints.empty())
      troubles.push_back(fmt::format("{} has no workers yet", node.name.id));
  }
  if (troubles.empty()) return {};
  if (all) {
    const std::string look = source.kind == SliceSource::Kind::kQueuedResource
                                 ? fmt::format("slipway wait {} --for READY", source.id)
                                 : "slipway workers " + shell_quote(source.text());
    return Error(ErrorCode::kConflict,
                 fmt::format("not every slice of '{}' can run, so nothing was started", source.text()))
        .why(fmt::format("{}", fmt::join(troubles, "\n")))
        .next(look + "   (or run on what is there: --require any)");
  }
  for (const std::string& trouble : troubles) services.say("not ready: " + trouble);
  return {};
}

Result<void> check_requirement(const Requirement& require, std::size_t selected) {
  if (require.of(selected) <= selected) return {};
  return Error(ErrorCode::kUsage, fmt::format("--require {} asks for more than the {} that are selected",
                                              require.text(), counted(selected, "worker")));
}

std::vector<fleet::Target> targets_of(const std::vector<Worker>& workers, const ReachOptions& reach,
                                      HostKeyBook& book) {
  std::vector<fleet::Target> targets;
  for (const Worker& worker : workers) targets.push_back(target_of(worker, reach, book));
  return targets;
}

fleet::CommandFor command_for(const ssh::RemoteCommand& command, const std::vector<fleet::Target>& targets,
                              RankNames names, const std::string& coordinator) {
  return [command, &targets, names, coordinator](std::size_t position) {
    ssh::RemoteCommand own = command;
    // Ours first, so that an --env of the same name wins.
    Environment environment = rank_environment(targets, position, coordinator, names);
    environment.insert(environment.end(), own.environment.begin(), own.environment.end());
    own.environment = std::move(environment);
    return own;
  };
}

void show_plan(const std::vector<fleet::Target>& targets, const Plan& plan, Services& services) {
  std::string text;
  for (const fleet::Target& target : targets) {
    text += fmt::format("{}\t{}@{}:{}\n", target.label(), plan.fan_out.user, target.address, target.port);
  }
  services.streams.out->write(text + plan.command.text + "\n");
}

}  // namespace

Result<ssh::RemoteCommand> remote_command(const RunOptions& options) {
  const int said = int{!options.command.empty()} + int{!options.script.empty()} + int{!options.argv.empty()};
  if (said != 1) {
    return Error(ErrorCode::kUsage,
                 said == 0 ? "say what to run" : "--command, --script and words behind -- exclude each other")
        .next(fmt::format("slipway run {} --command 'hostname'", options.id.empty() ? "QR" : options.id));
  }
  ssh::RemoteCommand command;
  command.kill_on_disconnect = !options.no_kill;
  command.text = options.command.empty() ? shell_join(options.argv) : options.command;
  if (!options.script.empty()) {
    command.kind = ssh::RemoteCommand::Kind::kScript;
    TRY(command.text, read_file(options.script));
    if (command.text.empty())
      return Error(ErrorCode::kUsage, fmt::format("the script '{}' is empty", options.script));
  }
  TRY(command.environment, command_environment(options.environment, options.env_file));
  return command;
}

Result<std::string> command_input(const RunOptions& options) {
  if (options.stdin_file.empty()) return std::string();
  if (options.stdin_file == "-" && options.script == "-")
    return Error(ErrorCode::kUsage, "--script - and --stdin - cannot both have our standard input");
  return read_file(options.stdin_file, kMostInput);
}

Result<int> run_run(const RunOptions& words, Services& services, const GlobalOptions& global) {
  RunOptions options = words;
  take_user_of(options.id, options.reach);
  TRY(const Format format, parse_run_format(global));
  TRY(const bool dry_run, is_dry_run(global));
  TRY(Plan plan, plan_of(options, format));
  TRY(const SourceSettings wanted, resolve_settings_for_slices(global, options.id));
  std::optional<ssh::Identity> identity;
  if (!dry_run) {
    TRY(identity, find_ssh_identity(options.reach, services));
    plan.fan_out.identity = &*identity;
  }
  plan.command.input = plan.input;

  TRY(const std::unique_ptr<Api> api, Api::open(wanted.settings, services));
  TRY(const SliceSet found, find_slices(*api, wanted.source));
  TRY(require_active(found, "run on"));
  if (found.resource && !options.over_job && !dry_run) TRY(check_no_live_job(*api, *found.resource));
  TRY(const ResourceWorkers rows, find_workers(api->client(), found, plan.slices, plan.workers,
                                               attributes_for(plan.host_keys, options.reach)));
  TRY(check_slices(rows, found.source, plan.fan_out.require.is_all(), services));
  for (const MissingSlice& slice : rows.without_host_keys) {
    services.say(fmt::format("no host keys of {}'s workers: {} {}", slice.name, slice.error.message(),
                             slice.error.why()));
  }
  TRY(HostKeyBook book, HostKeyBook::open(host_key_store(), plan.host_keys, wanted.source.location));
  std::vector<fleet::Target> targets = targets_of(rows.workers, options.reach, book);
  plan.fan_out.accept_host_key = book.accept();
  TRY(check_requirement(plan.fan_out.require, targets.size()));
  TRY(check_output(plan.output, options.output_dir, targets.size()));
  if (dry_run) {
    show_plan(targets, plan, services);
    return kOk;
  }
  const std::size_t files = options.output_dir.empty() ? 0 : std::min(2 * targets.size(), kOpenFiles);
  TRY(fleet::reserve_descriptors(targets.size(),
                                 files + (descriptors_a_worker(options.reach) - 1) * targets.size()));
  TRY(const Way way, Way::open(options.reach, identity->path(), wanted.settings, *api, services));
  TRY(way.check(targets, rows.workers));
  plan.fan_out.make_socket = way.sockets(targets, rows.workers, plan.fan_out.user);
  TRY(const Admission admission,
      let_in(api->login_apis(), rows.nodes, plan.fan_out.user, identity->public_line(), services));
  for (fleet::Target& target : targets) target.user = admission.user_on(target.slice);
  if (admission.just_told) plan.fan_out.auth_patience = std::chrono::seconds(60);

  FanOutRun run;
  run.host_keys = &book;
  run.queued_resource = found.source.text();
  run.output = plan.output;
  run.output_dir = options.output_dir;
  run.events = options.events;
  run.junit = options.junit;
  run.json_to_stdout = format == Format::kJson;
  const RankNames names{options.rank_env, options.megascale_env, options.jax_env};
  const std::string coordinator = rows.workers.empty() ? "" : rows.workers.front().endpoint.address;
  return perform(run, targets, command_for(plan.command, targets, names, coordinator), plan.fan_out,
                 services);
}

void add_run(CommandLine& line) {
  auto options = std::make_shared<RunOptions>();  // filled by the parser, read by the action after it
  line.takes_remote_argv("run");
  bind_run_flags(line.add("run", "run a command on every worker of every slice", kDetails,
                          [options, &line](Services& services, const GlobalOptions& global) {
                            options->argv = line.after_dashes();
                            return run_run(*options, services, global);
                          }),
                 *options);
}

void bind_run_flags(Flags flags, RunOptions& options) {
  flags.word("QR", options.id, "a queued resource, node:NAME, or prefix:P for all nodes P-<number>")
      .text("command", options.command, "TEXT", "for the remote login shell, byte for byte")
      .text("script", options.script, "FILE", "run this file there (- is stdin), by its #! line")
      .text("node", options.node, "SLICES", "slices: all, 0, 1,4-6, a name, !3")
      .text("worker", options.worker, "WORKERS", "workers of each slice: all, 0, 1-3, !0")
      .text("require", options.require, "HOW MANY",
            "must be ready before any starts, and end ok: all, any, N, N%");
  bind_run_limits(flags, options.limits);
  bind_reach_flags(flags, options.reach);
  flags.texts("env", options.environment, "NAME=VALUE", "set a variable for the command; may be repeated")
      .text("env-file", options.env_file, "FILE", "NAME=VALUE lines; --env wins")
      .text("stdin", options.stdin_file, "FILE", "what each command reads from its stdin (- is ours)")
      .on("rank-env", options.rank_env,
          "set SLIPWAY_PROCESS_ID, _NUM_PROCESSES, _COORDINATOR, ... on each worker")
      .on("megascale-env", options.megascale_env,
          "set MEGASCALE_SLICE_ID, _NUM_SLICES, _COORDINATOR_ADDRESS, _PORT")
      .on("jax-env", options.jax_env,
          "set JAX_PROCESS_ID, _NUM_PROCESSES, _PROCESS_COUNT, _COORDINATOR_ADDRESS")
      .text("output", options.output, "MODE", "prefix, fold, first, raw or none: see below")
      .text("output-dir", options.output_dir, "FOLDER",
            "also write FOLDER/<slice>/<worker>.out and .err, and run.json")
      .text("events", options.events, "FILE",
            "also write what happens to each worker, one JSON object a line")
      .text("junit", options.junit, "FILE", "also write the ends as a JUnit report, one test case a worker")
      .on("over-job", options.over_job, "run although a job of slipway launch is at work there")
      .on("no-kill", options.no_kill, "let the command go on when this connection ends")
      .rivals({"command"}, {"script", "--"})
      .rivals({"script"}, {"--"});
}

}  // namespace slipway::cli
