#include "tpu/gcloud_login.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "tpu/sqlite_file.h"

namespace slipway::tpu {
namespace {

using std::chrono::seconds;
using WallTime = std::chrono::system_clock::time_point;

/// gcloud's own: it fetches a new token when the old one has less left.
constexpr seconds kLeastLeft{300};

/// Python's sqlite3 writes a naive UTC time as "2026-11-20 09:00:00.123456".
WallTime parse_python_time(std::string text) {
  if (const std::size_t blank = text.find(' '); blank != std::string::npos) text[blank] = 'T';
  return parse_rfc3339(text + 'Z').value_or(WallTime{});
}

/// A cache that cannot be read costs one exchange, no more.
void add_cached_token(const std::string& folder, GcloudLogin& login) {
  const std::string path = folder + "/access_tokens.db";
  if (!file_exists(path)) return;
  const Result<SqliteFile> cache = SqliteFile::open(path);
  if (!cache.ok()) return log(LogLevel::kInfo, cache.error().message() + ": " + cache.error().why());
  Result<std::optional<TextRow>> row = cache.value().first_row(
      "SELECT access_token, token_expiry, rapt_token FROM access_tokens WHERE account_id = ?1",
      login.account);
  if (!row.ok()) return log(LogLevel::kInfo, row.error().message() + ": " + row.error().why());
  if (!row.value()) return;
  TextRow& columns = *row.value();
  login.token = Secret(std::move(columns[0]));
  login.token_ends = parse_python_time(std::move(columns[1]));
  login.rapt = std::move(columns[2]);
}

class CachedExchange final : public TokenExchange {
 public:
  CachedExchange(Secret token, WallTime ends, OwnedExchange inner, const Clock& clock)
      : token_(std::move(token)), ends_(ends), inner_(std::move(inner)), clock_(clock) {}

  Result<FetchedToken> fetch() override {
    const auto left = std::chrono::duration_cast<seconds>(ends_ - clock_.wall_now());
    if (token_.empty() || left <= kLeastLeft) return inner_->fetch();
    // Served once: whoever asks again has seen it refused, or near its end.
    return FetchedToken{std::exchange(token_, Secret()), left};
  }
  void note_server_time(WallTime time) override { inner_->note_server_time(time); }

 private:
  Secret token_;
  WallTime ends_;
  OwnedExchange inner_;
  const Clock& clock_;
};

}  // namespace

Result<std::optional<GcloudLogin>> read_gcloud_login(const std::string& folder, const std::string& account) {
  const std::string path = folder + "/credentials.db";
  if (folder.empty() || account.empty() || !file_exists(path)) return std::optional<GcloudLogin>();
  TRY(const SqliteFile store, SqliteFile::open(path));
  TRY(const std::optional<TextRow> row,
      store.first_row("SELECT value FROM credentials WHERE account_id = ?1", account));
  if (!row) return std::optional<GcloudLogin>();
  GcloudLogin login;
  login.account = account;
  Result<Json> credentials = parse_json(row->front());
  if (!credentials.ok() || !credentials.value().is_object()) {
    return Error(ErrorCode::kDenied, fmt::format("gcloud's login '{}' cannot be used", printable(account)))
        .why(fmt::format("what '{}' holds for it is not a JSON object", path))
        .next("gcloud auth login " + shell_quote(account));
  }
  login.credentials = std::move(credentials).value();
  add_cached_token(folder, login);
  return std::optional<GcloudLogin>(std::move(login));
}

OwnedExchange cached_exchange(Secret token, WallTime ends, OwnedExchange inner, const Clock& clock) {
  return std::make_unique<CachedExchange>(std::move(token), ends, std::move(inner), clock);
}

}  // namespace slipway::tpu
