#include "slipway/launch/code_archive.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "launch/git.h"
#include "launch/tar_gz.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"
#include "slipway/launch/job_spec.h"

namespace slipway::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxUnpacked = std::size_t{1} << 30;
constexpr std::size_t kMaxNames = std::size_t{64} << 20;

Error too_large(const std::string& what, std::size_t most) {
  return Error(ErrorCode::kUsage, fmt::format("--code: {} is larger than {} MiB", what, most >> 20))
      .why("every worker downloads the code; what is large is data")
      .next("move the data into the bucket, or ignore it with .gitignore");
}

/// What git keeps, with what is new and not ignored; nothing where no repository is. Removed files that are
/// still in the index are left out by the caller.
Result<std::optional<std::vector<std::string>>> names_by_git(const std::string& folder) {
  const Result<std::string> listed =
      git({"-C", folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard"}, kMaxNames);
  if (!listed.ok() && file_exists(folder + "/.git")) return Error(listed.error()).within("--code");
  if (!listed.ok()) return std::optional<std::vector<std::string>>();
  std::vector<std::string> names = split(*listed, '\0');
  names.erase(std::remove(names.begin(), names.end(), ""), names.end());
  return std::optional(std::move(names));
}

Result<std::vector<std::string>> names_by_walk(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  fs::recursive_directory_iterator at(folder, failure), end;
  for (; !failure && at != end; at.increment(failure)) {
    if (at->is_directory() && !at->is_symlink()) {
      if (at->path().filename() == ".git") at.disable_recursion_pending();
      continue;
    }
    names.push_back(fs::path(at->path()).lexically_relative(folder).generic_string());
  }
  if (failure)
    return Error(ErrorCode::kUsage, fmt::format("--code: cannot read '{}'", folder)).why(failure.message());
  return names;
}

/// Nothing for a name that is gone, and for what is no file (a submodule's folder, a socket).
Result<std::optional<TarMember>> member_of(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::optional<TarMember>();
  TarMember member;
  member.name = name;
  if (S_ISLNK(status.st_mode)) {
    std::error_code failure;
    member.link = fs::read_symlink(path, failure).string();
    if (failure) return Error(ErrorCode::kUsage, fmt::format("--code: cannot read '{}'", path));
    return std::optional(std::move(member));
  }
  if (!S_ISREG(status.st_mode)) return std::optional<TarMember>();
  if (static_cast<std::size_t>(status.st_size) > kMaxUnpacked)
    return too_large(fmt::format("'{}'", path), kMaxUnpacked);
  Result<std::string> content = read_file(path, kMaxUnpacked);
  if (!content.ok()) return Error(ErrorCode::kUsage, "--code: " + content.error().message());
  member.content = std::move(*content);
  member.executable = (status.st_mode & S_IXUSR) != 0;
  return std::optional(std::move(member));
}

/// Where the user name of `url` begins and ends, with its @; empty where it has none.
std::pair<std::size_t, std::size_t> user_part(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return {0, 0};
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(url.find('/', begin), url.size());
  const std::size_t at = url.rfind('@', end == 0 ? 0 : end - 1);
  return at == std::string::npos || at < begin ? std::pair(begin, begin) : std::pair(begin, at + 1);
}

/// `text` of git's, who may repeat the URL, or its user, as it got it.
std::string without_user_of(const std::string& url, std::string text) {
  const auto [begin, end] = user_part(url);
  const std::string user = url.substr(begin, end - begin);
  const std::string shown = without_password(url);
  const std::string kept = user.empty() ? "" : shown.substr(begin, shown.size() - (url.size() - end) - begin);
  for (std::size_t at = 0; !user.empty() && (at = text.find(user, at)) != std::string::npos;
       at += kept.size())
    text.replace(at, user.size(), kept);
  return text;
}

Result<CodeArchive> packed(const std::string& tar, std::size_t files, std::string origin) {
  CodeArchive archive;
  TRY(archive.bytes, gzip(tar));
  if (archive.bytes.size() > kMaxArchive) return too_large(origin, kMaxArchive);
  archive.sha256 = sha256_hex(archive.bytes);
  archive.files = files;
  archive.origin = std::move(origin);
  return archive;
}

}  // namespace

Result<CodeArchive> pack_folder(const std::string& folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure))
    return Error(ErrorCode::kUsage, fmt::format("--code: there is no folder '{}'", printable(folder)));
  TRY(std::optional<std::vector<std::string>> by_git, names_by_git(folder));
  std::vector<std::string> names;
  if (by_git) {
    names = std::move(*by_git);
  } else {
    TRY(names, names_by_walk(folder));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());  // git names a conflict three times
  std::string tar;
  std::size_t files = 0;
  for (const std::string& name : names) {
    TRY(const std::optional<TarMember> member, member_of(folder, name));
    if (!member) continue;
    append_tar(tar, *member);
    ++files;
    if (tar.size() > kMaxUnpacked) return too_large(fmt::format("'{}'", folder), kMaxUnpacked);
  }
  if (files == 0 && by_git) {
    TRY(const std::vector<std::string> there, names_by_walk(folder));
    if (!there.empty())
      return Error(ErrorCode::kUsage, fmt::format("--code: git ignores all of '{}'", printable(folder)))
          .next(fmt::format("git check-ignore -v {}   (says which rule does)",
                            shell_quote(folder + "/" + there.front())));
  }
  if (files == 0)
    return Error(ErrorCode::kUsage, fmt::format("--code: there is no file in '{}'", printable(folder)));
  end_tar(tar);
  return packed(tar, files,
                fmt::format("{}{} of '{}'", counted(files, "file"), by_git ? " that git keeps" : "", folder));
}

std::string without_password(const std::string& url) {
  const auto [begin, end] = user_part(url);
  if (begin == end) return url;
  const std::string user = url.substr(begin, end - 1 - begin);
  // For ssh the name is no secret, and the place means nothing without it; https takes a token for a name.
  const bool ssh = url.compare(0, begin, "ssh://") == 0;
  const std::string kept = ssh ? user.substr(0, user.find(':')) + "@" : "";
  return url.substr(0, begin) + kept + url.substr(end);
}

Result<GitPlace> parse_git_place(const std::string& text) {
  const std::size_t scheme = text.find("://");
  const std::size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t path = text.find_first_of(scheme == std::string::npos ? "/:" : "/", host);
  const std::size_t at = text.rfind('@');
  if (path == std::string::npos || at == std::string::npos || at < path || at + 1 == text.size())
    return Error(ErrorCode::kUsage, "--code: git+URL needs @REVISION: a commit, a tag or a branch");
  return GitPlace{text.substr(0, at), text.substr(at + 1)};
}

Result<CodeArchive> pack_revision(const std::string& url, const std::string& revision) {
  const std::string base = env("TMPDIR").empty() ? "/tmp" : env("TMPDIR");
  const std::string folder = fmt::format("{}/slipway-code-{}", base, make_uuid());
  const auto fetched = [&]() -> Result<std::string> {
    TRY(git({"init", "-q", "--bare", folder}, kMaxNames));
    TRY(git({"-C", folder, "fetch", "-q", "--depth", "1", "--", url, revision}, kMaxNames));
    return git({"-C", folder, "archive", "--format=tar", "FETCH_HEAD"}, kMaxUnpacked);
  }();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  const std::string shown = printable(without_password(url));
  if (!fetched.ok()) {
    return Error(fetched.error().code(), fmt::format("--code: cannot fetch '{}' of {}: {}",
                                                     printable(revision), shown, fetched.error().message()))
        .why(without_user_of(url, fetched.error().why()));
  }
  return packed(*fetched, 0, fmt::format("{} of {}", printable(revision), shown));
}

}  // namespace slipway::launch
