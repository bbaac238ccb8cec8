#include "slipway/tpu/journal.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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

/// The entry's id when it is for the same content and young enough; empty otherwise, and for a file that is
/// no entry.
std::string usable_id(const std::string& path, const std::string& content, const Clock& clock) {
  if (!file_exists(path)) return "";
  const Result<std::string> text = read_file(path, kMaxEntry);
  if (!text.ok()) return "";
  const Result<Json> entry = parse_json(text.value());
  if (!entry.ok() || string_member(entry.value(), "content") != content) return "";
  const auto opened = parse_rfc3339(string_member(entry.value(), "time"));
  if (!opened || *opened > clock.wall_now() || clock.wall_now() - *opened >= kRemembered) return "";
  std::string id = string_member(entry.value(), "requestId");
  return is_uuid(id) ? id : "";
}

}  // namespace

RequestJournal::RequestJournal(std::string folder, const Clock& clock)
    : folder_(std::move(folder)), clock_(clock) {}

Result<std::string> RequestJournal::open(const std::string& endpoint, const std::string& verb,
                                         const QueuedResourceName& name, const std::string& content) {
  if (folder_.empty()) return make_uuid();
  TRY(make_directories(folder_, 0700));
  TRY(check_owner(folder_));
  const std::string path = file_for(endpoint, verb, name);
  const std::string digest = sha256_hex(content);
  if (std::string id = usable_id(path, digest, clock_); !id.empty()) return id;
  const std::string id = make_uuid();
  const Json entry = {{"requestId", id},   {"endpoint", endpoint},
                      {"verb", verb},      {"resource", name.path()},
                      {"content", digest}, {"time", format_rfc3339(clock_.wall_now())}};
  TRY(write_file_atomically(path, dump_json(entry) + "\n", 0600));
  return id;
}

void RequestJournal::close(const std::string& endpoint, const std::string& verb,
                           const QueuedResourceName& name) {
  if (!folder_.empty()) ::unlink(file_for(endpoint, verb, name).c_str());
}

std::string RequestJournal::file_for(const std::string& endpoint, const std::string& verb,
                                     const QueuedResourceName& name) const {
  return fmt::format("{}/{}-{}.json", folder_, verb, sha256_hex(endpoint + '\n' + name.path()));
}

}  // namespace slipway::tpu
