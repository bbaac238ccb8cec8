#include "slipway/ssh/known_keys.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::ssh {
namespace {

/// 12,736 workers with three keys each are 10 MB.
constexpr std::size_t kLargest = std::size_t{256} << 20;

/// Whoever can write here says whom we trust.
Result<void> check_mode(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return system_error(ErrorCode::kLocal, fmt::format("cannot read '{}'", path), errno);
  if (status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return Error(ErrorCode::kLocal, fmt::format("will not use the known host keys in '{}'", path))
      .why("the file must be yours, and nobody else may write to it")
      .next("chmod 600 " + shell_quote(path));
}

/// Held by a process for the few milliseconds of one update, and given up by the kernel when the process
/// ends: that is what ends the wait for it. Empty where the file system has no locks.
Fd lock(const std::string& path) {
  Fd fd(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  while (fd && ::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) break;
  }
  return fd;
}

std::string line_of(const HostKey& key) { return key.type + " " + base64_encode(key.blob); }

}  // namespace

Result<KnownKeys> KnownKeys::load(std::string path) {
  KnownKeys known;
  known.path_ = std::move(path);
  if (known.path_.empty() || !file_exists(known.path_)) return known;
  TRY(check_mode(known.path_));
  TRY(const std::string text, read_file(known.path_, kLargest));
  known.read(text);
  return known;
}

void KnownKeys::read(std::string_view text) {
  lines_.clear();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t blank = line.find(' ');
    if (line.empty() || line.front() == '#' || blank == std::string_view::npos) continue;
    lines_.emplace(line.substr(0, blank), trim(line.substr(blank + 1)));
  }
}

HostKeyPins KnownKeys::find(const std::string& alias) const {
  std::vector<PublishedHostKey> keys;
  const auto [first, last] = lines_.equal_range(alias);
  for (auto entry = first; entry != last; ++entry) {
    const std::vector<std::string> words = split(entry->second, ' ');
    if (words.size() >= 2) keys.push_back({words[0], words[1]});
  }
  return to_pins(keys);
}

Result<void> KnownKeys::update(const std::vector<Entry>& added,
                               const std::function<bool(std::string_view)>& outdated) {
  if (path_.empty()) return {};
  const std::size_t slash = path_.rfind('/');
  if (slash != std::string::npos) TRY(make_directories(path_.substr(0, slash), 0700));
  const Fd held = lock(path_);
  TRY(KnownKeys now, load(path_));
  for (auto entry = now.lines_.begin(); entry != now.lines_.end();)
    entry = outdated(entry->first) ? now.lines_.erase(entry) : std::next(entry);
  for (const Entry& entry : added) {
    const std::string line = line_of(entry.key);
    const auto [first, last] = now.lines_.equal_range(entry.alias);
    const bool known = std::any_of(first, last, [&](const auto& one) { return one.second == line; });
    if (!known) now.lines_.emplace(entry.alias, line);
  }
  if (now.lines_ != lines_ || !file_exists(path_)) {
    std::string text;
    for (const auto& [alias, line] : now.lines_) text += alias + " " + line + "\n";
    TRY(write_file_atomically(path_, text, 0600));
  }
  lines_ = std::move(now.lines_);
  return {};
}

}  // namespace slipway::ssh
