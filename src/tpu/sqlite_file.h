#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipway/core/result.h"

struct sqlite3;

namespace slipway::tpu {

/// A row of text columns; NULL is empty.
using TextRow = std::vector<std::string>;

/// One SQLite database, opened for reading only. A writer elsewhere is waited for, up to 5 s.
class SqliteFile {
 public:
  /// Errors (kDenied): no database, or one that cannot be read.
  static Result<SqliteFile> open(const std::string& path);

  /// The first row of `query`, whose only parameter is `parameter`; nothing when there is no row.
  Result<std::optional<TextRow>> first_row(const std::string& query, const std::string& parameter) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  using Database = std::unique_ptr<sqlite3, Close>;
  SqliteFile(std::string path, Database database) : path_(std::move(path)), database_(std::move(database)) {}
  static Result<SqliteFile> open_as(const std::string& path, const std::string& parameters);
  Error unreadable() const;

  std::string path_;
  Database database_;
};

}  // namespace slipway::tpu
