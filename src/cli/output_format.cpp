#include "cli/output_format.h"

#include <array>

#include "cli/settings.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

struct Word {
  const char* text;
  Format format;
  FormatKind least;  ///< the simplest kind of command that has it
  bool takes_fields;
};

constexpr std::array<Word, 12> kWords = {{
    {"table", Format::kTable, FormatKind::kRun, true},
    {"json", Format::kJson, FormatKind::kRun, true},
    {"jsonl", Format::kJsonl, FormatKind::kResource, true},
    {"yaml", Format::kYaml, FormatKind::kResource, true},
    {"csv", Format::kCsv, FormatKind::kResource, true},
    {"value", Format::kValue, FormatKind::kResource, true},
    {"get", Format::kValue, FormatKind::kResource, true},
    {"none", Format::kNone, FormatKind::kResource, false},
    {"wide", Format::kWide, FormatKind::kList, false},
    {"ssh-config", Format::kSshConfig, FormatKind::kWorkers, false},
    {"ansible", Format::kAnsible, FormatKind::kWorkers, false},
    {"hosts", Format::kHosts, FormatKind::kWorkers, false},
}};

bool has(FormatKind kind, const Word& word) { return word.least <= kind; }

std::vector<std::string> words_of(FormatKind kind) {
  std::vector<std::string> words;
  for (const Word& word : kWords) {
    if (has(kind, word) && std::string_view(word.text) != "get") words.emplace_back(word.text);
  }
  return words;
}

Result<Word> find_word(const std::string& text, FormatKind kind) {
  for (const Word& word : kWords) {
    if (text == word.text && has(kind, word)) return word;
  }
  const std::vector<std::string> words = words_of(kind);
  const std::string near = nearest(text, words);
  return Error(ErrorCode::kUsage, fmt::format("--format: there is no format '{}' here", printable(text)))
      .why(near.empty() ? fmt::format("there are {}", fmt::join(words, ", "))
                        : fmt::format("did you mean '{}'?", near))
      .next("slipway help formats");
}

/// word[no-heading](a,b): gcloud's spelling, cut into its parts.
struct Spelling {
  std::string word;
  std::string attributes;
  std::string fields;
};

Result<Spelling> take_apart(const std::string& text) {
  const auto bad = [&](const std::string& what) {
    return Error(ErrorCode::kUsage, fmt::format("--format: {} in '{}'", what, printable(text)))
        .why("the form is FORMAT, FORMAT(a,b.c) or FORMAT[no-heading](a,b.c)")
        .next("slipway help formats");
  };
  Spelling spelling;
  std::string_view rest = trim(text);
  const std::size_t end = rest.find_first_of("[(");
  spelling.word = trim(rest.substr(0, end));
  if (end == std::string_view::npos) return spelling;
  rest.remove_prefix(end);
  if (rest.front() == '[') {
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) return bad("a ']' is missing");
    spelling.attributes = trim(rest.substr(1, close - 1));
    rest.remove_prefix(close + 1);
  }
  if (rest.empty()) return spelling;
  if (rest.front() != '(') return bad("'(' is missing");
  if (rest.back() != ')') return bad("the last ')' is missing");
  spelling.fields = rest.substr(1, rest.size() - 2);
  if (trim(spelling.fields).empty()) return bad("there is no field");
  return spelling;
}

Result<void> read_attributes(const Spelling& spelling, OutputFormat& output) {
  if (spelling.attributes.empty()) return {};
  const bool has_heading = output.format == Format::kCsv || output.format == Format::kTable;
  if (spelling.attributes == "no-heading" && has_heading) {
    output.heading = false;
    return {};
  }
  return Error(ErrorCode::kUsage,
               fmt::format("--format: there is no attribute '{}'", printable(spelling.attributes)))
      .why("no-heading is there, for csv and table")
      .next("slipway help formats");
}

}  // namespace

Result<OutputFormat> output_format(const GlobalOptions& options, FormatKind kind) {
  TRY(const Spelling spelling, take_apart(options.format));
  TRY(const Word word, find_word(spelling.word, kind));
  OutputFormat output;
  output.format = word.format;
  output.raw_values = std::string_view(word.text) == "get";
  TRY(read_attributes(spelling, output));
  const bool by_flag = !options.fields.empty();
  if (by_flag && !spelling.fields.empty())
    return Error(ErrorCode::kUsage, "--fields and fields in --format cannot be given together");
  if ((by_flag || !spelling.fields.empty()) && !word.takes_fields)
    return Error(ErrorCode::kUsage, fmt::format("--format {} has no choice of fields", word.text));
  if (by_flag) {
    TRY(output.fields, report::FieldPath::parse_list("--fields", options.fields));
  } else if (!spelling.fields.empty()) {
    TRY(output.fields, report::FieldPath::parse_list("--format", spelling.fields));
  }
  return output;
}

Result<Format> parse_run_format(const GlobalOptions& options) {
  TRY(const OutputFormat output, output_format(options, FormatKind::kRun));
  if (!output.fields.empty()) return Error(ErrorCode::kUsage, "--fields: there are none to choose from here");
  return output.format;
}

}  // namespace slipway::cli
