#include "slipway/core/file.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "slipway/core/fd.h"
#include "slipway/core/format.h"

namespace slipway {
namespace {

Result<void> write_all(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", path), errno);
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

/// A rename is on the disk only when its folder is.
int sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return -1;
  // Some file systems cannot sync a folder, and say EINVAL: there is nothing more to be done on those.
  return ::fsync(fd.get()) == 0 || errno == EINVAL ? 0 : -1;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  Fd opened;
  int fd = STDIN_FILENO;
  if (path != "-") {
    opened.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened) {
      // What is wrong with this machine is not the user's mistake.
      const bool machine = errno == EMFILE || errno == ENFILE || errno == EIO;
      return system_error(machine ? ErrorCode::kLocal : ErrorCode::kUsage,
                          fmt::format("cannot open '{}'", path), errno);
    }
    fd = opened.get();
  }
  std::string content;
  char buffer[65536];
  while (true) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(ErrorCode::kUsage, fmt::format("cannot read '{}'", path), errno);
    if (count == 0) return content;
    content.append(buffer, static_cast<std::size_t>(count));
    if (content.size() > limit) {
      return Error(ErrorCode::kUsage, fmt::format("'{}' is larger than {} bytes", path, limit));
    }
  }
}

Result<void> write_file_atomically(const std::string& path, std::string_view content, unsigned mode) {
  std::string temporary = path + ".XXXXXX";
  Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd) return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", path), errno);
  Result<void> written = write_all(fd.get(), content, path);
  if (written.ok() && (::fchmod(fd.get(), mode) != 0 || ::fsync(fd.get()) != 0 ||
                       ::rename(temporary.c_str(), path.c_str()) != 0 || sync_folder_of(path) != 0)) {
    written = system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", path), errno);
  }
  if (!written.ok()) ::unlink(temporary.c_str());
  return written;
}

Result<void> make_directories(const std::string& path, unsigned mode) {
  const std::filesystem::path wanted(path);
  std::error_code failure;
  if (wanted.has_parent_path()) std::filesystem::create_directories(wanted.parent_path(), failure);
  if (::mkdir(path.c_str(), mode) == 0 || (errno == EEXIST && std::filesystem::is_directory(wanted, failure)))
    return {};
  return system_error(ErrorCode::kLocal, fmt::format("cannot make the folder '{}'", path), errno);
}

bool file_exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::string env(const std::string& name) {
  const char* value = ::getenv(name.c_str());
  return value != nullptr ? value : "";
}

std::string home_directory() {
  std::string home = env("HOME");
  if (!home.empty()) return home;
  const passwd* entry = ::getpwuid(::getuid());
  return entry != nullptr && entry->pw_dir != nullptr ? entry->pw_dir : "";
}

std::string state_directory() {
  // XDG: a relative value is to be ignored.
  if (const std::string base = env("XDG_STATE_HOME"); !base.empty() && base.front() == '/')
    return base + "/slipway";
  const std::string home = home_directory();
  return home.empty() ? "" : home + "/.local/state/slipway";
}

}  // namespace slipway
