// emulator fault add, list, clear: what goes wrong on purpose.
#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/dry_run.h"
#include "cli/emulator_state.h"
#include "cli/listing.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"
#include "slipway/emulator/fault.h"

namespace slipway::cli {
namespace {

using emulator::Fault;

constexpr const char* kGroupDetails = R"help(Examples:
  slipway emulator fault add --method POST --path queuedResources --lost-answer
  slipway emulator fault list
  slipway emulator fault clear)help";

constexpr const char* kAddDetails =
    R"help(The first fault that matches a request is the one that it meets. It prints the fault's id. A --status is the
answer to a request that is not carried out, unless --carry-out says so; --lost-answer carries it out and ends the
connection, --before ends it without. --delay alone gives the real answer, late.

Examples:
  slipway emulator fault add --method POST --path queuedResources --status 503 --carry-out
  slipway emulator fault add --path '*/operations/*' --times 0 --delay 5s
  slipway emulator fault add --status 429 --retry-after 2 --skip 3 --times 2
  slipway emulator fault add --path nodes --status 200 --body '<html>' --header 'Content-Type: text/html')help";

struct FaultWords {
  std::string state_dir;
  std::string id;
  std::string method;
  std::string path;
  int skip = 0;
  int times = 1;
  int status = 0;
  std::string body;
  std::vector<std::string> headers;
  std::string retry_after;
  std::string delay;
  bool lost_answer = false;
  bool before = false;
  bool carry_out = false;
};

Result<std::pair<std::string, std::string>> parse_header(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string::npos) {
    return Error(ErrorCode::kUsage, fmt::format("'{}' is no header", printable(line)))
        .next("--header 'Name: value'");
  }
  return std::pair(line.substr(0, colon), std::string(trim(line.substr(colon + 1))));
}

Result<std::string> body_of(const std::string& word) {
  if (word.rfind('@', 0) != 0) return word;
  return read_file(word.substr(1));
}

/// One that no request has would never be met.
Result<void> check_method(const std::string& method) {
  static const std::vector<std::string> kMethods{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"};
  if (method.empty() || std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end()) return {};
  const std::string near = nearest(method, kMethods);
  return Error(ErrorCode::kUsage, fmt::format("--method: no request has the method '{}'", printable(method)))
      .why(near.empty() ? fmt::format("there are {}", fmt::join(kMethods, ", "))
                        : fmt::format("did you mean '{}'?", near));
}

Result<Fault> fault_of(const FaultWords& words) {
  if (words.before && !words.lost_answer) {
    return Error(ErrorCode::kUsage, "--before says when an answer is lost")
        .next("add --lost-answer, or leave --before out");
  }
  Fault fault;
  fault.method = words.method;
  std::transform(fault.method.begin(), fault.method.end(), fault.method.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  TRY(check_method(fault.method));
  fault.path = words.path;
  fault.skip = words.skip;
  fault.times = words.times;
  fault.status = words.status;
  fault.carry_out = words.carry_out;
  TRY(fault.body, body_of(words.body));
  if (!words.delay.empty()) {
    TRY(fault.delay, parse_duration(words.delay));
  }
  if (words.lost_answer) fault.cut = words.before ? Fault::Cut::kBefore : Fault::Cut::kAfter;
  for (const std::string& line : words.headers) {
    TRY(auto header, parse_header(line));
    fault.headers.push_back(std::move(header));
  }
  if (!words.retry_after.empty()) fault.headers.emplace_back("Retry-After", words.retry_after);
  return fault;
}

Result<int> run_add(const FaultWords& words, Services& services, const GlobalOptions&) {
  TRY(const Fault fault, fault_of(words));
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(const std::string id, emulator::add_fault(state_dir, fault));
  services.streams.out->write(id + "\n");
  return 0;
}

/// "503, carried out, after 5s", as a person says it.
std::string what_happens(const Fault& fault) {
  std::string text;
  if (fault.status != 0) text = std::to_string(fault.status) + (fault.carry_out ? ", carried out" : "");
  if (fault.cut == Fault::Cut::kBefore) text = "cut before the action";
  if (fault.cut == Fault::Cut::kAfter) text = "answer lost";
  if (fault.delay.count() > 0)
    text += (text.empty() ? "late by " : ", late by ") + format_duration(fault.delay);
  return text;
}

Json as_json(const Fault& fault) {
  Json row{{"id", fault.id},     {"method", fault.method}, {"path", fault.path},
           {"skip", fault.skip}, {"times", fault.times},   {"hits", fault.hits}};
  if (fault.status != 0) row["status"] = fault.status;
  if (fault.carry_out) row["carryOut"] = true;
  if (fault.cut != Fault::Cut::kNone)
    row["lostAnswer"] = fault.cut == Fault::Cut::kBefore ? "before" : "after";
  if (fault.delay.count() > 0) row["delayMs"] = fault.delay.count();
  if (!fault.body.empty()) row["body"] = fault.body;
  for (const auto& [name, value] : fault.headers) row["headers"][name] = value;
  return row;
}

Result<int> run_list(const FaultWords& words, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(const std::vector<Fault> faults, emulator::list_faults(state_dir));
  Listing listing({{"ID", "id"},
                   {"METHOD", "method"},
                   {"PATH", "path"},
                   {"SKIP", "skip"},
                   {"TIMES", "times"},
                   {"HITS", "hits"},
                   {"WHAT", ""}});
  for (const Fault& fault : faults) {
    listing.add(dump_json(as_json(fault), 2), {fault.id, fault.method, fault.path, std::to_string(fault.skip),
                                               fault.times == 0 ? "always" : std::to_string(fault.times),
                                               std::to_string(fault.hits), what_happens(fault)});
  }
  TRY(listing.show(output, services));
  if (listing.empty()) services.say("no faults");
  return 0;
}

Result<int> run_clear(const FaultWords& words, Services&, const GlobalOptions&) {
  TRY(const std::string state_dir, emulator_state_dir(words.state_dir));
  TRY(emulator::clear_faults(state_dir, words.id));
  return 0;
}

using Run = Result<int> (*)(const FaultWords&, Services&, const GlobalOptions&);

std::pair<Flags, FaultWords&> add_one(CommandLine& line, const std::string& name, const char* summary,
                                      const char* details, Run run) {
  auto words = std::make_shared<FaultWords>();  // filled by the parser, read by the action after it
  Flags flags = line.add("emulator fault " + name, summary, details,
                         [words, run, name](Services& services, const GlobalOptions& global) -> Result<int> {
                           if (name != "list") TRY(refuse_dry_run(global, "emulator fault " + name));
                           return run(*words, services, global);
                         });
  flags.text("state-dir", words->state_dir, "FOLDER", "the emulator's folder", "SLIPWAY_EMULATOR_STATE");
  return {flags, *words};
}

}  // namespace

void add_emulator_fault(CommandLine& line) {
  constexpr int kAny = std::numeric_limits<int>::max();
  line.add_group("emulator fault", "make requests go wrong", kGroupDetails);
  auto [flags, words] = add_one(line, "add", "let requests of one kind go wrong", kAddDetails, run_add);
  flags.text("method", words.method, "METHOD", "only requests with this method")
      .text("path", words.path, "PATH", "only paths with this in them; with * or ?, only paths like this")
      .number("skip", words.skip, "N", "let so many of them go well first", 0, kAny)
      .number("times", words.times, "N", "then so many go wrong (default 1; 0: all)", 0, kAny)
      .number("status", words.status, "CODE", "answer with this HTTP status", 200, 599)
      .text("body", words.body, "TEXT|@FILE", "body of that answer (else an error as the API words it)")
      .texts("header", words.headers, "NAME: VALUE", "header of that answer")
      .text("retry-after", words.retry_after, "WHEN", "Retry-After of that answer")
      .on("carry-out", words.carry_out, "with --status: do what was asked for all the same")
      .text("delay", words.delay, "TIME", "answer so much later")
      .on("lost-answer", words.lost_answer, "carry it out and end the connection without an answer")
      .on("before", words.before, "with --lost-answer: end it before anything is done");
  add_one(line, "list", "show the faults and how many requests they have met",
          "Examples:\n  slipway emulator fault list\n  slipway emulator fault list --format json", run_list);
  auto [clear_flags, clear_words] =
      add_one(line, "clear", "take back one fault, or all",
              "Examples:\n  slipway emulator fault clear f2\n  slipway emulator fault clear", run_clear);
  clear_flags.word("ID", clear_words.id, "only this one (else all)");
}

}  // namespace slipway::cli
