#pragma once

#include <string>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/report/field_path.h"

namespace slipway::cli {

struct GlobalOptions;

/// What --format asks for. The last three are for `workers` alone.
enum class Format { kTable, kWide, kJson, kJsonl, kYaml, kCsv, kValue, kNone, kSshConfig, kAnsible, kHosts };

/// How to show a result: --format and --fields, or both in gcloud's one word: value(name,state.state).
struct OutputFormat {
  Format format = Format::kTable;
  std::vector<report::FieldPath> fields;  ///< empty: all, or what the command takes for the usual ones
  bool heading = true;                    ///< csv[no-heading], table[no-heading]
  bool raw_values = false;  ///< gcloud's get(...): the API's values where a column shortens them

  /// Whether a command whose table is nothing but its sentences on stderr has anything to print.
  bool asked_for_data() const { return format != Format::kTable || !fields.empty(); }
};

/// Which formats a command has.
enum class FormatKind {
  kRun,       ///< table, json
  kResource,  ///< and jsonl, yaml, csv, value, none
  kList,      ///< and wide
  kWorkers    ///< and ssh-config, ansible, hosts
};

/// Errors (kUsage): another word, with the nearest right one; fields that cannot be read; fields for a format
/// that has none.
Result<OutputFormat> output_format(const GlobalOptions& options, FormatKind kind = FormatKind::kResource);

/// table or json, for a command whose output is its workers'. Errors as above.
Result<Format> parse_run_format(const GlobalOptions& options);

}  // namespace slipway::cli
