#include <algorithm>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/listing.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"

namespace slipway::cli {
namespace {

constexpr const char* kGroupDetails = R"(Examples:
  slipway config explain
  slipway config explain run)";

constexpr const char* kDetails =
    R"(Shows what each flag would be, and which layer says so: the command line, SLIPWAY_<FLAG>, the project's
slipway.yaml, the user's, gcloud's configuration; see slipway help config. Without COMMAND: the flags that hold
everywhere, and what a file or the environment says for any command. Nothing is contacted.

Examples:
  slipway config explain
  slipway config explain run
  slipway config explain --format json | jq -r '.[] | select(.setting=="zone").origin')";

struct Row {
  std::string setting;
  std::string value;
  std::string origin;
};

/// What stands below every layer of ours.
void fill_from_gcloud(Row& row, const tpu::GcloudConfig& gcloud) {
  const auto property = gcloud_property_for(row.setting, gcloud);
  if (!property) return;
  row.value = property->value;
  row.origin = property->origin;
}

Result<std::vector<Row>> rows_everywhere(CommandLine& line) {
  TRY(const std::vector<FlagState> states, line.explain(""));
  const tpu::GcloudConfig gcloud = tpu::GcloudConfig::load();
  std::vector<Row> rows;
  for (const FlagState& state : states) {
    rows.push_back({state.flag, state.value, state.origin});
    if (state.origin.empty()) fill_from_gcloud(rows.back(), gcloud);
    if (!rows.back().origin.empty()) continue;
    rows.back().origin = "default";
    if (state.flag == "endpoint") rows.back().value = kDefaultEndpoint;
  }
  return rows;
}

/// The flags of one command; `said_only` leaves out those that nobody sets.
Result<void> add_rows_of(const std::string& command, bool said_only, CommandLine& line,
                         std::vector<Row>& rows) {
  TRY(const std::vector<FlagState> states, line.explain(command));
  for (const FlagState& state : states) {
    if (said_only && state.origin.empty()) continue;
    rows.push_back({fmt::format("{} {}", command, state.flag), state.value,
                    state.origin.empty() ? "default" : state.origin});
  }
  return {};
}

Listing listing_of(const std::vector<Row>& rows) {
  Listing listing({{"SETTING", "setting"}, {"VALUE", "value"}, {"FROM", "origin"}});
  for (const Row& row : rows) {
    const Json document = {{"setting", row.setting}, {"value", row.value}, {"origin", row.origin}};
    listing.add(dump_json(document, 2), {row.setting, row.value, row.origin});
  }
  return listing;
}

/// Who calls are made as; finding out contacts nobody. `rows` know which layer gives a flag.
Row credentials_row(const GlobalOptions& global, const std::vector<Row>& rows, Services& services) {
  const Result<Settings> settings = resolve_settings(global, Needs::kNothing);
  if (!settings.ok()) return {"credentials", "", settings.error().message()};
  const Result<std::unique_ptr<Api>> api = Api::open(*settings, services);
  if (!api.ok()) return {"credentials", "", api.error().message()};
  Row row{"credentials", (*api)->tokens().description(), (*api)->tokens().origin()};
  for (const Row& flag : rows) {
    if (row.origin == "--" + flag.setting) row.origin = flag.origin;
  }
  if (row.origin.empty()) row.origin = "default";
  return row;
}

/// Says which files were read, and which could be there.
void say_files(const CommandLine& line, Services& services) {
  for (const SettingsFile& file : line.settings_files()) services.say(fmt::format("read {}", file.path()));
  const std::string user = user_settings_path();
  if (!user.empty() && !file_exists(user)) services.say(fmt::format("there is no {}", user));
}

Result<int> run_explain(const std::string& command, CommandLine& line, Services& services,
                        const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(std::vector<Row> rows, rows_everywhere(line));
  rows.push_back(credentials_row(global, rows, services));
  if (!command.empty()) {
    TRY(add_rows_of(command, false, line, rows));
  } else {
    for (const std::string& name : line.command_names()) TRY(add_rows_of(name, true, line, rows));
  }
  say_files(line, services);
  TRY(listing_of(rows).show(output, services));
  return 0;
}

}  // namespace

void add_config(CommandLine& line) {
  line.add_group("config", "what the settings are, and who says so", kGroupDetails);
  auto words =
      std::make_shared<std::vector<std::string>>();  // filled by the parser, read by the action after it
  line.add("config explain", "show each setting and where it comes from", kDetails,
           [words, &line](Services& services, const GlobalOptions& global) {
             return run_explain(fmt::format("{}", fmt::join(*words, " ")), line, services, global);
           })
      .words("COMMAND", *words, "also show all flags of this command");
}

}  // namespace slipway::cli
