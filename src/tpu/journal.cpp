#include "slipway/tpu/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"
#include "tpu/jwt.h"

namespace slipway::tpu {
namespace {

/// Google remembers a requestId for at least 60 minutes; after that, the same id could act a second time.
constexpr std::chrono::minutes kRemembered{55};
/// Longer than anybody waits before they look at what became of a command.
constexpr std::chrono::hours kKept{24 * 7};
constexpr std::size_t kMaxEntry = 4096;

/// Whoever can write here can choose our request ids, so only we may.
Result<void> check_owner(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) {
    return system_error(ErrorCode::kLocal, fmt::format("cannot use the folder '{}'", folder), errno);
  }
  const bool ours =
      S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (ours) return {};
  return Error(ErrorCode::kLocal, fmt::format("will not use the folder '{}'", folder))
      .why("it must be a folder of yours that nobody else can write to")
      .next(fmt::format("chmod 700 {}", shell_quote(folder)));
}

bool is_uuid(const std::string& text) {
  return text.size() == 36 && text.find_first_not_of("0123456789abcdefABCDEF-") == std::string::npos;
}

std::optional<JournalEntry> read_entry(const std::string& path) {
  if (!file_exists(path)) return std::nullopt;
  const Result<std::string> text = read_file(path, kMaxEntry);
  if (!text.ok()) return std::nullopt;
  const Result<Json> json = parse_json(text.value());
  if (!json.ok()) return std::nullopt;
  const auto opened_at = parse_rfc3339(string_member(*json, "time"));
  const auto since = parse_rfc3339(string_member(*json, "since"));
  JournalEntry entry;
  entry.request_id = string_member(*json, "requestId");
  entry.content = string_member(*json, "content");
  if (!opened_at || !since || *since > *opened_at || !is_uuid(entry.request_id)) return std::nullopt;
  entry.opened_at = *opened_at;
  entry.since = *since;
  entry.resumed = true;
  return entry;
}

/// Held while an entry is read and written, which ends by itself: two processes that begin the same intent
/// at once share its id. Nothing is locked where the file system cannot.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    while (fd_ && ::flock(fd_.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
  }

 private:
  Fd fd_;
};

/// Times are kept to the millisecond: what is read back has to be what was given out.
std::chrono::system_clock::time_point now_of(const Clock& clock) {
  return std::chrono::floor<std::chrono::milliseconds>(clock.wall_now());
}

}  // namespace

RequestJournal::RequestJournal(std::string folder, const Clock& clock)
    : folder_(std::move(folder)), clock_(clock) {}

Result<JournalEntry> RequestJournal::open(const std::string& endpoint, const std::string& verb,
                                          const QueuedResourceName& name, const std::string& content) {
  const auto now = now_of(clock_);
  JournalEntry entry{make_uuid(), digest(content), now, now, false};
  if (folder_.empty()) return entry;
  TRY(make_directories(folder_, 0700));
  TRY(check_owner(folder_));
  const FolderLock lock(folder_);
  remove_old_files();
  const std::string path = file_for(endpoint, verb, name);
  if (const auto earlier = read_entry(path); earlier && earlier->content == entry.content) {
    const bool fresh = earlier->opened_at <= now && now - earlier->opened_at < kRemembered;
    if (fresh) return *earlier;
    entry.since = std::min(earlier->since, now);
    entry.resumed = true;
  }
  const Json json = {{"requestId", entry.request_id},
                     {"endpoint", endpoint},
                     {"verb", verb},
                     {"resource", name.path()},
                     {"content", entry.content},
                     {"time", format_rfc3339(entry.opened_at)},
                     {"since", format_rfc3339(entry.since)}};
  TRY(write_file_atomically(path, dump_json(json) + "\n", 0600));
  return entry;
}

std::optional<JournalEntry> RequestJournal::find(const std::string& endpoint, const std::string& verb,
                                                 const QueuedResourceName& name) const {
  if (folder_.empty() || !check_owner(folder_).ok()) return std::nullopt;
  return read_entry(file_for(endpoint, verb, name));
}

void RequestJournal::close(const std::string& endpoint, const std::string& verb,
                           const QueuedResourceName& name, const std::string& request_id) {
  if (folder_.empty() || !check_owner(folder_).ok()) return;
  const FolderLock lock(folder_);
  const std::string path = file_for(endpoint, verb, name);
  const auto entry = read_entry(path);
  if (entry && entry->request_id == request_id) ::unlink(path.c_str());
}

std::string RequestJournal::digest(const std::string& content) { return sha256_hex(content); }

/// Intents that nobody came back to, and what a crash left half written.
void RequestJournal::remove_old_files() const {
  std::error_code failure;
  const auto oldest = std::filesystem::file_time_type::clock::now() - kKept;
  for (const auto& file : std::filesystem::directory_iterator(folder_, failure)) {
    const auto written = file.last_write_time(failure);
    if (!failure && written < oldest && file.path().filename() != "lock") ::unlink(file.path().c_str());
  }
}

std::string RequestJournal::file_for(const std::string& endpoint, const std::string& verb,
                                     const QueuedResourceName& name) const {
  return fmt::format("{}/{}-{}.json", folder_, verb, sha256_hex(endpoint + '\n' + name.path()));
}

}  // namespace slipway::tpu
