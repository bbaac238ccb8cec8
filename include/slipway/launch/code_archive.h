#pragma once

#include <string>

#include "slipway/core/result.h"

namespace slipway::launch {

/// More is no code: data belongs into a bucket, and every worker downloads this at its first boot.
inline constexpr std::size_t kMaxArchive = std::size_t{100} << 20;

/// The code of a job as one .tar.gz. Its bytes depend on the names, contents, symbolic links and executable
/// bits of its files, and on nothing else: not on owners, times, the machine or the order of a folder.
struct CodeArchive {
  std::string bytes;
  std::string sha256;
  std::size_t files = 0;
  std::string origin;  ///< "12 files of git's in '/p'", for people
};

/// Packs a folder: what git keeps or would keep of it (`git ls-files`, with what is new and not ignored)
/// where it is part of a git repository, else all of it. Errors (kUsage): no such folder, no files, a file
/// that cannot be packed, more than kMaxArchive when packed.
Result<CodeArchive> pack_folder(const std::string& folder);

/// "https://host/r@v1" (what follows git+): the repository, and the revision behind the last @ of its path,
/// where no user name stands. Errors (kUsage): no revision.
struct GitPlace {
  std::string url;
  std::string revision;
};
Result<GitPlace> parse_git_place(const std::string& text);

/// `url` without what may be secret in it: user and password; of ssh the password only.
std::string without_password(const std::string& url);

/// Packs one revision of a repository, fetched from `url` with git as the user has it set up. What the URL
/// has of a password is in no text that comes back. Errors (kUnavailable): git says why.
Result<CodeArchive> pack_revision(const std::string& url, const std::string& revision);

}  // namespace slipway::launch
