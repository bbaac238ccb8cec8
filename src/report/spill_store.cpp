#include "report/spill_store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/core/file.h"
#include "slipway/core/format.h"

namespace slipway::report {
namespace {

/// Places from here on are in the file.
constexpr SpillStore::Place kInFile = SpillStore::Place{1} << 62;

std::string temporary_folder() {
  const std::string folder = env("TMPDIR");
  return folder.empty() ? "/tmp" : folder;
}

}  // namespace

Result<SpillStore::Place> SpillStore::append(std::string_view bytes) {
  if (!file_ && memory_.size() + bytes.size() <= most_in_memory_) {
    memory_ += bytes;
    return memory_.size() - bytes.size();
  }
  TRY(open_file());
  const Place place = kInFile + file_size_;
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(file_size_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return system_error(ErrorCode::kLocal, fmt::format("cannot keep output in '{}'", temporary_folder()),
                          errno);
    file_size_ += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return place;
}

bool SpillStore::ends_at(Place place) const {
  return file_ ? place == kInFile + file_size_ : place == memory_.size();
}

Result<std::string_view> SpillStore::read(Place place, std::size_t length) {
  if (place < kInFile) return std::string_view(memory_).substr(place, length);
  read_.resize(length);
  std::size_t done = 0;
  while (done < length) {
    const ssize_t count =
        ::pread(file_.get(), read_.data() + done, length - done, static_cast<off_t>(place - kInFile + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      return system_error(ErrorCode::kLocal, "cannot read the kept output again", count < 0 ? errno : EIO);
    done += static_cast<std::size_t>(count);
  }
  return std::string_view(read_);
}

/// Without a name, so that nothing of it is left however we end.
Result<void> SpillStore::open_file() {
  if (file_) return {};
  const std::string folder = temporary_folder();
  file_.reset(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file_ && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string path = folder + "/slipway-output.XXXXXX";
    file_.reset(::mkostemp(path.data(), O_CLOEXEC));
    if (file_) ::unlink(path.c_str());
  }
  if (file_) return {};
  return system_error(ErrorCode::kLocal, fmt::format("cannot keep output in '{}'", folder), errno);
}

}  // namespace slipway::report
