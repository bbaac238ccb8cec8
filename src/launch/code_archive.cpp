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
  if (files == 0)
    return Error(ErrorCode::kUsage, fmt::format("--code: there is no file in '{}'", printable(folder)));
  end_tar(tar);
  return packed(tar, files,
                fmt::format("{}{} of '{}'", counted(files, "file"), by_git ? " that git keeps" : "", folder));
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
  if (!fetched.ok()) {
    return Error(fetched.error())
        .within(fmt::format("--code: cannot fetch '{}' of {}", printable(revision), printable(url)));
  }
  return packed(*fetched, 0, fmt::format("{} of {}", printable(revision), printable(url)));
}

}  // namespace slipway::launch
