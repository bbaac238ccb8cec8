#include "tpu/sqlite_file.h"

#include <sqlite3.h>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/http/url.h"

namespace slipway::tpu {
namespace {

constexpr int kPatienceMs = 5'000;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

std::string column(sqlite3_stmt* statement, int index) {
  const void* bytes = sqlite3_column_blob(statement, index);
  const int size = sqlite3_column_bytes(statement, index);
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

/// As SQLite's own file: URLs want it.
std::string url_of(const std::string& path, const std::string& parameters) {
  std::string url = "file:";
  const std::vector<std::string> segments = split(path, '/');
  for (std::size_t i = 0; i < segments.size(); ++i)
    url += (i > 0 ? "/" : "") + http::percent_encode(segments[i]);
  return url + '?' + parameters;
}

}  // namespace

void SqliteFile::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<SqliteFile> SqliteFile::open(const std::string& path) {
  Result<SqliteFile> file = open_as(path, "mode=ro");
  // A database in WAL mode in a folder that we may not write to has no shared memory for us; nobody who may
  // not write either changes it, so it is read as it stands.
  return file.ok() ? std::move(file) : open_as(path, "mode=ro&immutable=1");
}

Result<SqliteFile> SqliteFile::open_as(const std::string& path, const std::string& parameters) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(url_of(path, parameters).c_str(), &raw,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  SqliteFile file(path, Database(raw));
  if (opened != SQLITE_OK) return file.unreadable();
  sqlite3_busy_timeout(raw, kPatienceMs);
  // Opening reads nothing yet: this does.
  if (sqlite3_exec(raw, "SELECT 1 FROM sqlite_master LIMIT 1", nullptr, nullptr, nullptr) != SQLITE_OK)
    return file.unreadable();
  return file;
}

Result<std::optional<TextRow>> SqliteFile::first_row(const std::string& query,
                                                     const std::string& parameter) const {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &raw, nullptr) != SQLITE_OK) return unreadable();
  const Statement statement(raw);
  sqlite3_bind_text(raw, 1, parameter.data(), static_cast<int>(parameter.size()), SQLITE_STATIC);
  const int stepped = sqlite3_step(raw);
  if (stepped == SQLITE_DONE) return std::optional<TextRow>();
  if (stepped != SQLITE_ROW) return unreadable();
  TextRow row;
  for (int i = 0; i < sqlite3_column_count(raw); ++i) row.push_back(column(raw, i));
  return std::optional<TextRow>(std::move(row));
}

Error SqliteFile::unreadable() const {
  const char* said = database_ != nullptr ? sqlite3_errmsg(database_.get()) : "out of memory";
  return Error(ErrorCode::kDenied, fmt::format("'{}' cannot be read", path_)).why(said);
}

}  // namespace slipway::tpu
