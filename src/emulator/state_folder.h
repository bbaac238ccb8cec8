#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "slipway/core/fd.h"
#include "slipway/core/result.h"
#include "slipway/emulator/emulator.h"

namespace slipway::emulator {

/// What an emulator writes down for those who look for it.
struct Announcement {
  Exports exports;
  std::vector<std::string> notes;
};

/// The folder that holds everything of one emulator. The lock on it is held by the process that serves, until
/// its end, however that comes; so the lock, and not a file, says whether one runs.
class StateFolder {
 public:
  /// Makes the folder (0700) and takes the lock. Errors: kConflict when one runs there, kLocal.
  static Result<StateFolder> acquire(const std::string& path);

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Lets others find what is served here.
  Result<void> announce(const Announcement& announcement) const;
  /// Takes back the announcement and the token.
  void retract() const;

 private:
  StateFolder(std::string path, Fd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Fd lock_;
};

/// The process that serves from `path`; nothing when none does.
std::optional<pid_t> server_of(const std::string& path);
/// Errors: kNotFound when none runs, or when it is not ready yet.
Result<Announcement> announcement_of(const std::string& path);
/// `path` made absolute, against the working folder.
std::string absolute(const std::string& path);

}  // namespace slipway::emulator
