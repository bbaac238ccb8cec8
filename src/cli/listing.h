#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "cli/output_format.h"
#include "cli/services.h"
#include "slipway/core/json.h"
#include "slipway/model/queued_resource.h"
#include "slipway/report/filter.h"
#include "slipway/report/sort_order.h"

namespace slipway::cli {

/// The flags of every command that lists.
struct ListWords {
  std::string filter;
  std::string sort_by;
  int limit = 0;
  int page_size = 0;
};
/// `example` is a filter that fits.
void add_list_flags(Flags flags, ListWords& words, const std::string& example);

/// A column for people. `path` is what it comes from: a name for --filter and --sort-by, and the place whose
/// value `value(name)` shows as this column does (gcloud's list shortens names so).
struct Column {
  std::string heading;
  std::string path;
  bool wide = false;  ///< with --format wide only
};

/// Documents of the API with the cells that people see of them: filtered, sorted, cut and shown.
class Listing {
 public:
  explicit Listing(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// `document` is one JSON object; one cell a column.
  void add(std::string document, std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  /// What --filter, --sort-by and --limit leave, in this order as in gcloud.
  struct Arrangement {
    report::Filter filter;
    report::SortOrder order;
    std::size_t limit = 0;  ///< 0: all
  };
  /// Errors (kUsage): what cannot be read. To be asked before anything is contacted.
  static Result<Arrangement> arrangement(const ListWords& words, const std::vector<Column>& columns,
                                         const Clock& clock);
  /// A field that nothing in the list has is said: it is misspelled more often than not.
  Result<void> arrange(const Arrangement& arrangement, const Services& services);

  Result<void> show(const OutputFormat& output, const Services& services) const;

 private:
  struct Row {
    std::string document;
    std::vector<std::string> cells;
  };
  bool is_shown(const Column& column, Format format) const;
  Result<void> show_columns(const OutputFormat& output, const Services& services) const;
  Result<void> show_fields(const OutputFormat& output, const Services& services) const;
  void show_rows(const OutputFormat& output, const std::vector<std::string>& headings,
                 const std::vector<std::vector<std::string>>& rows, const Services& services) const;
  const Column* column_of(const report::FieldPath& field) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// One document, as describe and create show it. `people` makes the text for --format table without fields,
/// `usual` is what --format value and csv show without fields.
Result<void> show_document(const std::string& document, const OutputFormat& output,
                           const std::string& usual_field, const std::function<std::string()>& people,
                           const Services& services);

/// A queued resource as the result of a command that changes or awaits it: nothing for people, its state for
/// --format value.
Result<void> show_state(const QueuedResource& resource, const OutputFormat& output, const Services& services);

/// Writes a result to stdout; to a terminal with nothing in it that could command one.
void write_result(std::string_view text, const Services& services);

}  // namespace slipway::cli
