#include "emulator/state_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr const char* kLock = "lock";
constexpr const char* kAnnouncement = "emulator.json";

// An "open file description" lock: unlike flock(2) it can be looked at without being taken, so that a look
// never makes a start fail.
struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

Error none_runs(const std::string& path) {
  return Error(ErrorCode::kNotFound, fmt::format("no emulator runs in '{}'", path))
      .next("slipway emulator start --detach");
}

}  // namespace

Result<StateFolder> StateFolder::acquire(const std::string& path) {
  TRY(make_directories(path, 0700));
  const std::string file = path + "/" + kLock;
  Fd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) return system_error(ErrorCode::kLocal, fmt::format("cannot open '{}'", file), errno);
  struct flock wanted = whole_file(F_WRLCK);
  if (::fcntl(lock.get(), F_OFD_SETLK, &wanted) != 0) {
    return Error(ErrorCode::kConflict, fmt::format("an emulator runs already in '{}'", path))
        .next("eval \"$(slipway emulator env)\"   (or: slipway emulator stop)");
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.get(), 0) != 0 || ::pwrite(lock.get(), pid.data(), pid.size(), 0) < 0) {
    return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", file), errno);
  }
  StateFolder folder(path, std::move(lock));
  folder.retract();
  return folder;
}

Result<void> StateFolder::announce(const Announcement& announcement) const {
  Json exports = Json::array();
  for (const auto& [name, value] : announcement.exports)
    exports.push_back(Json{{"name", name}, {"value", value}});
  const Json document{{"exports", exports}, {"notes", announcement.notes}};
  return write_file_atomically(file(kAnnouncement), dump_json(document, 2) + "\n", 0600);
}

void StateFolder::retract() const {
  ::unlink(file(kAnnouncement).c_str());
  ::unlink(file("token").c_str());
}

std::optional<pid_t> server_of(const std::string& path) {
  const std::string file = path + "/" + kLock;
  const Fd lock(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  if (!lock) return std::nullopt;
  struct flock held = whole_file(F_WRLCK);
  if (::fcntl(lock.get(), F_OFD_GETLK, &held) != 0 || held.l_type == F_UNLCK) return std::nullopt;
  const Result<std::string> text = read_file(file);
  const std::string pid = text.ok() ? std::string(trim(*text)) : "";
  if (pid.empty() || pid.size() > 9 || pid.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return static_cast<pid_t>(std::stol(pid));
}

Result<Announcement> announcement_of(const std::string& path) {
  if (!server_of(path)) return none_runs(path);
  const Result<std::string> text = read_file(path + "/" + kAnnouncement);
  if (!text.ok())
    return Error(ErrorCode::kNotFound, fmt::format("the emulator in '{}' is not ready yet", path));
  TRY(const Json document, parse_json(*text));
  Announcement announcement;
  for (const Json& entry : document.value("exports", Json::array())) {
    announcement.exports.emplace_back(string_member(entry, "name"), string_member(entry, "value"));
  }
  for (const Json& note : document.value("notes", Json::array()))
    announcement.notes.push_back(note.get<std::string>());
  return announcement;
}

std::string absolute(const std::string& path) {
  std::error_code ignored;
  std::string text = std::filesystem::absolute(path, ignored).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace slipway::emulator
