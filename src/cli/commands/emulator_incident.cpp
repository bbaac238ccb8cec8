// emulator preempt, repair, fail, suspend, maintain: what befalls slices.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/dry_run.h"
#include "cli/emulator_state.h"
#include "cli/flag_values.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/emulator/incident.h"
#include "slipway/model/selection.h"

namespace slipway::cli {
namespace {

using emulator::Incident;

struct IncidentWords {
  std::string state_dir;
  std::string id;
  std::string node = "all";
  std::string worker = "all";
  std::string repair_after;
  std::string notice = "1s";
  int code = 13;
  std::string message;
  std::string initiator = "SERVICE";
};

Result<void> choose(const IncidentWords& words, const std::string& state_dir, Incident& incident) {
  TRY(const Selection slices, Selection::parse(words.node));
  TRY(const Selection workers, Selection::parse(words.worker));
  TRY(const std::vector<emulator::Machines> machines, emulator::machines_of(state_dir, words.id));
  std::vector<std::string> names;
  for (const emulator::Machines& one : machines) names.push_back(one.slice);
  if (words.node != "all") {
    TRY(incident.slices, slices.apply(names, "slice"));
  }
  if (words.worker != "all") {
    TRY(incident.workers, workers.apply(machines.empty() ? 0 : machines.front().workers, "worker"));
  }
  return {};
}

Result<int> run_incident(const IncidentWords& words, Incident::Kind kind, Services& services) {
  Incident incident;
  incident.kind = kind;
  incident.code = words.code;
  if (!words.message.empty()) incident.message = words.message;
  TRY(incident.repair_after, parse_limit(words.repair_after));
  TRY(incident.notice, parse_duration(words.notice));
  const std::string initiator = to_lower(words.initiator);
  if (initiator != "user" && initiator != "service") {
    return Error(ErrorCode::kUsage,
                 fmt::format("--initiator '{}' is neither USER nor SERVICE", printable(words.initiator)));
  }
  incident.by_user = initiator == "user";
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(choose(words, state_dir, incident));
  TRY(emulator::befall(state_dir, words.id, incident));
  services.say(fmt::format("{}: {}", words.id, emulator::to_string(kind)));
  return 0;
}

struct Described {
  Incident::Kind kind;
  const char* summary;
  const char* details;
};

const Described kPreempt{
    Incident::Kind::kPreempt, "take machines away",
    R"help(The machines are told first: preempted is TRUE in their metadata, and the startup script gets a TERM. After
the notice they end and the slice is PREEMPTED; the request stays ACTIVE. A spot request that has lost all of
its slices for good is SUSPENDED. With --worker only these machines of the slice end.

Examples:
  slipway emulator preempt train-1
  slipway emulator preempt train-1 --node 2 --notice 30s --repair-after 5s)help"};
const Described kRepair{
    Incident::Kind::kRepair, "give slices new machines",
    R"help(Without --node: every slice that was taken away. New machines have another address, instance id and host key;
when they are up, the other slices are restarted, as the service does.

Examples:
  slipway emulator repair train-1
  slipway emulator repair train-1 --node 2)help"};
const Described kFail{
    Incident::Kind::kFail, "let the request fail",
    R"help(With --node only these slices go and the others stay ACTIVE, which the service does too, rarely.

Examples:
  slipway emulator fail train-1 --code 8 --message 'There is no more capacity in the zone'
  slipway emulator fail train-1 --node 1)help"};
const Described kSuspend{Incident::Kind::kSuspend, "take all machines away for good",
                         R"help(Examples:
  slipway emulator suspend train-1
  slipway emulator suspend train-1 --initiator USER)help"};
const Described kMaintain{
    Incident::Kind::kMaintain, "let a maintenance befall slices",
    R"help(The machines are told first: by maintenance-event in their metadata, and with a TERM to the startup script.
After the notice they end, the node's health is UNHEALTHY_MAINTENANCE, and new machines come.

Examples:
  slipway emulator maintain train-1 --node 0
  slipway emulator maintain train-1 --node 0 --repair-after 5s)help"};

std::pair<Flags, IncidentWords&> add_one(CommandLine& line, const Described& what) {
  auto words = std::make_shared<IncidentWords>();  // filled by the parser, read by the action after it
  const Incident::Kind kind = what.kind;
  Flags flags = line.add("emulator " + std::string(emulator::to_string(kind)), what.summary, what.details,
                         [words, kind](Services& services, const GlobalOptions& global) -> Result<int> {
                           TRY(refuse_dry_run(global, "emulator " + std::string(emulator::to_string(kind))));
                           return run_incident(*words, kind, services);
                         });
  flags.word("QR", words->id, "the queued resource: its id")
      .text("state-dir", words->state_dir, "FOLDER", "the emulator's folder", "SLIPWAY_EMULATOR_STATE");
  return {flags, *words};
}

void add_with_slices(CommandLine& line, const Described& what) {
  auto [flags, words] = add_one(line, what);
  flags.text("node", words.node, "SLICES", "slices: all, 0, 1,4-6, a name, !3");
  if (what.kind == Incident::Kind::kFail) {
    flags.number("code", words.code, "CODE", "google.rpc code of the error (default 13, INTERNAL)", 1, 16)
        .text("message", words.message, "TEXT", "of the error");
    return;
  }
  flags.text("repair-after", words.repair_after, "TIME", "new machines come after this");
  if (what.kind == Incident::Kind::kPreempt || what.kind == Incident::Kind::kMaintain)
    flags.text("worker", words.worker, "WORKERS", "workers of each slice: all, 0, 1-3, !0")
        .text("notice", words.notice, "TIME",
              "the machines know of it for so long (default 1s; 0: not at all)");
}

}  // namespace

void add_emulator_incidents(CommandLine& line) {
  for (const Described* what : {&kPreempt, &kRepair, &kFail, &kMaintain}) add_with_slices(line, *what);
  auto [flags, words] = add_one(line, kSuspend);
  flags.text("initiator", words.initiator, "USER|SERVICE", "who did it (default SERVICE)");
}

}  // namespace slipway::cli
