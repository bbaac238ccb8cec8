#include "cli/listing.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/report/document_text.h"
#include "slipway/report/table.h"

namespace slipway::cli {
namespace {

using Cells = std::vector<std::string>;

report::Aliases aliases_of(const std::vector<Column>& columns) {
  report::Aliases aliases;
  for (const Column& column : columns) {
    Result<report::FieldPath> path = report::FieldPath::parse("column", column.path);
    if (path.ok()) aliases.emplace(column.heading, std::move(path).value());
  }
  return aliases;
}

/// The text of a pretty document, two blanks further in.
void append_indented(std::string_view document, std::string& text) {
  while (!document.empty() && document.back() == '\n') document.remove_suffix(1);
  text += "  ";
  for (const char c : document) {
    text += c;
    if (c == '\n') text += "  ";
  }
}

std::string csv_heading(const std::string& heading) { return to_lower(heading); }

Result<Json> part_of(const std::string& document, const std::vector<report::FieldPath>& fields) {
  TRY(const Json whole, parse_json(document));
  return fields.empty() ? whole : report::project(whole, fields);
}

bool is_there(const Json& value) {
  if (!value.is_array()) return !value.is_null();
  return std::any_of(value.begin(), value.end(), is_there);
}

/// Fields that no document had so far.
class Unseen {
 public:
  Unseen(std::string flag, std::vector<report::FieldPath> fields)
      : flag_(std::move(flag)), fields_(std::move(fields)) {}

  void look_in(const Json& document) {
    const auto seen = [&](const report::FieldPath& field) { return is_there(field.find(document)); };
    fields_.erase(std::remove_if(fields_.begin(), fields_.end(), seen), fields_.end());
  }
  void say(const Services& services) const {
    for (const report::FieldPath& field : fields_)
      services.say(fmt::format("note: {}: nothing in the list has '{}'", flag_, printable(field.text())));
  }

 private:
  std::string flag_;
  std::vector<report::FieldPath> fields_;
};

}  // namespace

void add_list_flags(Flags flags, ListWords& words, const std::string& example) {
  flags.text("filter", words.filter, "EXPRESSION", fmt::format("only those: {} (as in gcloud)", example))
      .text("sort-by", words.sort_by, "FIELDS", "a.b,~c: by these fields, ~ for descending")
      .number("limit", words.limit, "N", "at most this many", 1, std::numeric_limits<int>::max())
      .number("page-size", words.page_size, "N", "ask the API for this many at a time", 1, 1000);
}

void write_result(std::string_view text, const Services& services) {
  if (!services.streams.out_is_tty) {
    services.streams.out->write(text);
    return;
  }
  std::string safe;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    safe += printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    safe += '\n';
    text.remove_prefix(end + 1);
  }
  services.streams.out->write(safe);
}

void Listing::add(std::string document, Cells cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back({std::move(document), std::move(cells)});
}

Result<Listing::Arrangement> Listing::arrangement(const ListWords& words, const std::vector<Column>& columns,
                                                  const Clock& clock) {
  const report::Aliases aliases = aliases_of(columns);
  Arrangement arrangement;
  TRY(arrangement.filter, report::Filter::parse(words.filter, clock.wall_now(), aliases));
  TRY(arrangement.order, report::SortOrder::parse(words.sort_by, aliases));
  arrangement.limit = static_cast<std::size_t>(words.limit);
  return arrangement;
}

Result<void> Listing::arrange(const Arrangement& arrangement, const Services& services) {
  if (!arrangement.filter.is_empty() || !arrangement.order.is_empty()) {
    Unseen filtered("--filter", arrangement.filter.fields());
    Unseen sorted("--sort-by", arrangement.order.fields());
    std::vector<Row> kept;
    std::vector<std::vector<Json>> keys;
    for (Row& row : rows_) {
      TRY(const Json document, parse_json(row.document));
      filtered.look_in(document);
      sorted.look_in(document);
      if (!arrangement.filter.matches(document)) continue;
      keys.push_back(arrangement.order.key_of(document));
      kept.push_back(std::move(row));
    }
    if (!rows_.empty()) {
      filtered.say(services);
      sorted.say(services);
    }
    std::vector<std::size_t> order(kept.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return arrangement.order.before(keys[a], keys[b]);
    });
    rows_.clear();
    for (const std::size_t index : order) rows_.push_back(std::move(kept[index]));
  }
  if (arrangement.limit > 0 && rows_.size() > arrangement.limit) rows_.resize(arrangement.limit);
  return {};
}

bool Listing::is_shown(const Column& column, Format format) const {
  return !column.wide || format == Format::kWide;
}

const Column* Listing::column_of(const report::FieldPath& field) const {
  for (const Column& column : columns_) {
    if (column.path == field.text() || column.path.rfind(field.text() + ".basename()", 0) == 0)
      return &column;
  }
  return nullptr;
}

Result<void> Listing::show(const OutputFormat& output, const Services& services) const {
  std::string text;
  switch (output.format) {
    case Format::kNone:
      return {};
    case Format::kJson:
      for (const Row& row : rows_) {
        text += text.empty() ? "[\n" : ",\n";
        if (output.fields.empty()) {
          append_indented(row.document, text);
        } else {
          TRY(const Json part, part_of(row.document, output.fields));
          append_indented(dump_json(part, 2), text);
        }
      }
      text += text.empty() ? "[]\n" : "\n]\n";
      break;
    case Format::kJsonl:
    case Format::kYaml:
      for (const Row& row : rows_) {
        TRY(const Json part, part_of(row.document, output.fields));
        text += output.format == Format::kYaml ? "---\n" + report::to_yaml(part) : dump_json(part) + "\n";
      }
      break;
    default:
      return output.fields.empty() ? show_columns(output, services) : show_fields(output, services);
  }
  write_result(text, services);
  return {};
}

Result<void> Listing::show_columns(const OutputFormat& output, const Services& services) const {
  Cells headings;
  for (const Column& column : columns_) {
    if (is_shown(column, output.format)) headings.push_back(column.heading);
  }
  std::vector<Cells> rows;
  for (const Row& row : rows_) {
    Cells& cells = rows.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (is_shown(columns_[i], output.format)) cells.push_back(row.cells[i]);
    }
  }
  show_rows(output, headings, rows, services);
  return {};
}

Result<void> Listing::show_fields(const OutputFormat& output, const Services& services) const {
  Cells headings;
  for (const report::FieldPath& field : output.fields) headings.push_back(field.heading());
  std::vector<Cells> rows;
  for (const Row& row : rows_) {
    TRY(const Json document, parse_json(row.document));
    Cells& cells = rows.emplace_back();
    for (const report::FieldPath& field : output.fields) {
      const Column* column = output.raw_values ? nullptr : column_of(field);
      cells.push_back(column != nullptr ? row.cells[static_cast<std::size_t>(column - columns_.data())]
                                        : report::cell_text(field.find(document)));
    }
  }
  show_rows(output, headings, rows, services);
  return {};
}

void Listing::show_rows(const OutputFormat& output, const Cells& headings, const std::vector<Cells>& rows,
                        const Services& services) const {
  if (output.format == Format::kCsv) {
    Cells names;
    for (const std::string& heading : headings) names.push_back(csv_heading(heading));
    std::string text = output.heading ? report::csv_record(names) : "";
    for (const Cells& row : rows) text += report::csv_record(row);
    write_result(text, services);
    return;
  }
  report::Table table(headings);
  if (!output.heading) table.hide_header();
  for (const Cells& row : rows) table.add_row(row);
  if (output.format == Format::kValue) {
    services.streams.out->write(table.values());
  } else if (!table.empty()) {
    const auto columns = services.streams.out_is_tty ? static_cast<std::size_t>(services.streams.columns) : 0;
    services.streams.out->write(table.text(columns));
  }
}

Result<void> show_document(const std::string& document, const OutputFormat& output,
                           const std::string& usual_field, const std::function<std::string()>& people,
                           const Services& services) {
  if (output.format == Format::kNone) return {};
  if (output.format == Format::kTable && output.fields.empty()) {
    services.streams.out->write(people());
    return {};
  }
  if (output.format == Format::kJson && output.fields.empty()) {
    write_result(document.back() == '\n' ? document : document + "\n", services);
    return {};
  }
  TRY(const Json whole, parse_json(document));
  std::vector<report::FieldPath> fields = output.fields;
  const bool structured =
      output.format == Format::kJson || output.format == Format::kJsonl || output.format == Format::kYaml;
  if (structured) {
    const Json part = fields.empty() ? whole : report::project(whole, fields);
    write_result(output.format == Format::kYaml   ? report::to_yaml(part)
                 : output.format == Format::kJson ? dump_json(part, 2) + "\n"
                                                  : dump_json(part) + "\n",
                 services);
    return {};
  }
  if (fields.empty()) {
    TRY(fields, report::FieldPath::parse_list("field", usual_field));
  }
  // One value alone is given as it is, lines and all: a startup script, for example.
  if (output.format == Format::kValue && fields.size() == 1) {
    write_result(report::cell_text(fields.front().find(whole)) + "\n", services);
    return {};
  }
  OutputFormat with_fields = output;
  with_fields.fields = std::move(fields);
  Listing one({});
  one.add(document, {});
  return one.show(with_fields, services);
}

Result<void> show_state(const QueuedResource& resource, const OutputFormat& output,
                        const Services& services) {
  return show_document(
      resource.document, output, "state.state", [] { return std::string(); }, services);
}

}  // namespace slipway::cli
