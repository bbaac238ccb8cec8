#include "slipway/report/output_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

constexpr std::size_t kMostOpenFiles = 64;
constexpr std::string_view kRunFile = "run.json";

Result<void> check_names(const std::vector<fleet::Target>& targets) {
  for (const fleet::Target& target : targets) {
    const std::string& name = target.slice;
    const bool reserved = name.empty() || name == "." || name == ".." || name == kRunFile;
    if (reserved || name.find('/') != std::string::npos || name.find('\0') != std::string::npos) {
      return Error(ErrorCode::kUsage,
                   fmt::format("the slice name '{}' cannot be a folder of --output-dir", printable(name)));
    }
  }
  return {};
}

bool is_empty_folder(DIR* folder) {
  while (const dirent* entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return false;
  }
  return true;
}

Result<void> check_is_empty(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (!folder)
    return system_error(ErrorCode::kLocal, fmt::format("cannot read the folder '{}'", path), errno);
  if (is_empty_folder(folder.get())) return {};
  return Error(ErrorCode::kUsage, fmt::format("--output-dir '{}' is not empty", path))
      .why("it may hold the results of another run, and nothing is overwritten")
      .next("give --output-dir a new folder");
}

/// 0, or errno.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

Result<OutputDirectory> OutputDirectory::create(const std::string& path,
                                                const std::vector<fleet::Target>& targets, OnError on_error) {
  TRY(check_names(targets));
  TRY(make_directories(path));
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder)
    return system_error(ErrorCode::kLocal, fmt::format("cannot open the folder '{}'", path), errno);
  TRY(check_is_empty(path));
  return OutputDirectory(path, std::move(folder), targets, std::move(on_error));
}

OutputDirectory::OutputDirectory(std::string path, Fd folder, const std::vector<fleet::Target>& targets,
                                 OnError on_error)
    : path_(std::move(path)),
      folder_(std::move(folder)),
      targets_(&targets),
      on_error_(std::move(on_error)),
      states_(targets.size() * 2) {}

void OutputDirectory::on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) {
  const std::size_t key = target * 2 + (stream == ssh::Stream::kErr ? 1 : 0);
  if (bytes.empty() || states_[key] == FileState::kBroken) return;
  Result<int> file = file_for(key);
  if (!file) return fail(key, std::move(file).error());
  if (const int number = write_all(*file, bytes); number != 0) {
    fail(key,
         system_error(ErrorCode::kLocal, fmt::format("cannot write '{}/{}'", path_, name_of(key)), number));
  }
}

void OutputDirectory::on_phase(std::size_t target, ssh::Phase phase) {
  if (phase == ssh::Phase::kRun) make_files(target);
}

void OutputDirectory::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  if (outcome.started_at) make_files(target);  // one turn may bring its start and its end
  close_file(target * 2);
  close_file(target * 2 + 1);
}

void OutputDirectory::make_files(std::size_t target) {
  for (const std::size_t key : {target * 2, target * 2 + 1}) {
    if (states_[key] != FileState::kNone) continue;
    Result<Fd> made = open_file(key);
    if (!made) return fail(key, std::move(made).error());
    states_[key] = FileState::kMade;
  }
}

Result<int> OutputDirectory::file_for(std::size_t key) {
  const auto at =
      std::find_if(open_.begin(), open_.end(), [&](const OpenFile& file) { return file.key == key; });
  if (at != open_.end()) {
    open_.splice(open_.begin(), open_, at);
    return open_.front().fd.get();
  }
  if (open_.size() == kMostOpenFiles) open_.pop_back();
  TRY(Fd fd, open_file(key));
  states_[key] = FileState::kMade;
  open_.push_front({key, std::move(fd)});
  return open_.front().fd.get();
}

/// A file is made by us (O_EXCL) and only then opened again; a link that somebody put there is never
/// followed.
Result<Fd> OutputDirectory::open_file(std::size_t key) {
  const std::string name = name_of(key);
  const auto failed = [&] {
    return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}/{}'", path_, name), errno);
  };
  const std::string& slice = (*targets_)[key / 2].slice;
  const bool is_new = states_[key] == FileState::kNone;
  if (is_new && ::mkdirat(folder_.get(), slice.c_str(), 0755) != 0 && errno != EEXIST) return failed();
  const Fd slice_folder(
      ::openat(folder_.get(), slice.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!slice_folder) return failed();
  const int creation = is_new ? O_CREAT | O_EXCL : 0;
  const std::string file = name.substr(slice.size() + 1);
  Fd fd(::openat(slice_folder.get(), file.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | creation,
                 0644));
  if (!fd) return failed();
  return fd;
}

std::string OutputDirectory::name_of(std::size_t key) const {
  const fleet::Target& target = (*targets_)[key / 2];
  return target.label() + (key % 2 == 0 ? ".out" : ".err");
}

void OutputDirectory::close_file(std::size_t key) {
  open_.remove_if([&](const OpenFile& file) { return file.key == key; });
}

/// A file that missed a piece gets no more: what is in it is the beginning of the truth, not the truth with a
/// hole.
void OutputDirectory::fail(std::size_t key, Error error) {
  states_[key] = FileState::kBroken;
  close_file(key);
  if (error_) return;
  error_ = std::move(error);
  if (on_error_) on_error_(*error_);
}

Result<void> OutputDirectory::write_run_json(std::string_view text) {
  return write_file_atomically(fmt::format("{}/{}", path_, kRunFile), text);
}

}  // namespace slipway::report
