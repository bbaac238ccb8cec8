#include "emulator/worker_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr int kFirstUserId = 20'000;
constexpr int kHttpPort = 80;

// $1 sshd, $2 ssh-keygen, $3 the folder of its configuration, $4 of logs, $5 of /run. The host key is made by
// the worker itself, as on a real machine, so that many workers make theirs at once. The startup script does
// not hold up sshd, and is not its child: sshd would never wait for it. A word from the power button is a
// TERM for the script alone, as systemd does it with google-startup-scripts.service (KillMode=process).
constexpr const char* kBootScript = R"sh(key=$3/ssh_host_ed25519_key
[ -s "$key" ] || "$2" -q -t ed25519 -N '' -C '' -f "$key" </dev/null || exit 1
if [ -f "$5/startup-script" ]; then
  (
    setsid "$5/startup-script" </dev/null >>"$4/startup-script.log" 2>&1 &
    script=$!
    (read -r word <"$5/power-button" && kill -TERM "$script") 2>/dev/null &
  )
fi
exec "$1" -D -f "$3/sshd_config" -E "$4/sshd.log"
)sh";

// Without fsync: a worker's files need not outlive the machine, and 64 workers have hundreds of them.
Result<void> put(const std::string& path, const std::string& content, mode_t mode) {
  const std::string draft = path + ".new";
  {
    std::ofstream file(draft, std::ios::trunc | std::ios::binary);
    file << content;
    if (!file.flush()) return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", draft), errno);
  }
  ::chmod(draft.c_str(), mode);
  if (::rename(draft.c_str(), path.c_str()) != 0)
    return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", path), errno);
  return {};
}

// In place: these files are bound into the sandbox one by one, and a new file under the old name would not be
// seen there.
Result<void> append(const std::string& path, const std::string& line) {
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << line;
  if (!file.flush()) return system_error(ErrorCode::kLocal, fmt::format("cannot write '{}'", path), errno);
  return {};
}

Result<void> make_folder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST)
    return system_error(ErrorCode::kLocal, fmt::format("cannot make '{}'", path), errno);
  ::chmod(path.c_str(), mode);
  return {};
}

Result<void> empty_folder(const std::string& path, mode_t mode) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  return make_folder(path, mode);
}

std::vector<std::string> account_of(const std::string& passwd, const std::string& user) {
  for (const std::string& line : split(passwd, '\n')) {
    std::vector<std::string> fields = split(line, ':');
    if (fields.size() >= 7 && fields[0] == user) return fields;
  }
  return {};
}

std::string system_file(const std::string& path) {
  const Result<std::string> text = read_file(path);
  return text.ok() ? *text : "";
}

bool is_root() { return ::geteuid() == 0; }

}  // namespace

std::string WorkerFolder::inside(const std::string& part) const {
  static const std::map<std::string, std::string> places = {
      {"ssh", "/etc/ssh"}, {"log", "/var/log"}, {"run", "/run"}};
  return settings_.isolation == Isolation::kNamespaces ? places.at(part) : path_ + "/" + part;
}

std::string WorkerFolder::home() const {
  return settings_.isolation == Isolation::kNamespaces ? "/root" : path_ + "/root";
}

std::string WorkerFolder::mark() const { return "SLIPWAY_EMULATOR_WORKER=" + path_; }

std::vector<std::string> WorkerFolder::own_environment() const {
  std::vector<std::string> own = settings_.environment;
  own.push_back(fmt::format("GCE_METADATA_HOST={}:{}", address_, settings_.metadata_port));
  return own;
}

std::vector<std::string> WorkerFolder::environment() const {
  std::vector<std::string> all = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                  "HOME=" + home(), "LANG=C.UTF-8", "SHELL=/bin/bash", mark()};
  for (const std::string& one : own_environment()) all.push_back(one);
  return all;
}

// The name that the guest's software asks leads to the worker's own metadata server where that has the port
// that it has at Google; else it leads nowhere, rather than to another emulator's.
std::string WorkerFolder::hosts(const std::string& hostname) const {
  std::string text = system_file("/etc/hosts");
  if (!text.empty() && text.back() != '\n') text += '\n';
  text += fmt::format("{} {}\n", address_, hostname);
  if (settings_.metadata_port == kHttpPort) text += address_ + " metadata.google.internal metadata\n";
  return text;
}

std::string WorkerFolder::sshd_config() const {
  std::string text = fmt::format(
      "AddressFamily inet\nListenAddress {}\nPort {}\nHostKey {}/ssh_host_ed25519_key\nPidFile none\n"
      "AuthorizedKeysFile {}/authorized_keys.d/%u\nPermitRootLogin prohibit-password\n"
      "PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\n"
      "PermitUserEnvironment no\nAcceptEnv LANG LC_*\n"
      "MaxStartups 10000\nMaxSessions 1000\nLoginGraceTime 120\nUseDNS no\nPrintMotd no\nPrintLastLog no\n"
      "Subsystem sftp internal-sftp\n",
      address_, settings_.ssh_port, inside("ssh"), inside("ssh"));
  if (settings_.sshd_version >= 908) text += "PerSourcePenalties no\n";
  text += "SetEnv";  // sshd heeds the first such line only
  for (const std::string& one : own_environment()) text += " " + one;
  if (settings_.isolation == Isolation::kPlain) text += fmt::format(" {} HOME={}", mark(), home());
  return text + "\n";
}

Result<void> WorkerFolder::prepare(const std::vector<SshKey>& keys, const std::string& startup_script,
                                   const std::string& hostname) const {
  TRY(make_directories(path_, 0755));
  for (const std::string part : {"root", "home", "etc", "ssh", "ssh/authorized_keys.d", "log"}) {
    TRY(make_folder(path_ + "/" + part, part == "root" ? 0700 : 0755));
  }
  TRY(empty_folder(path_ + "/tmp", 01777));
  TRY(empty_folder(path_ + "/run", 0755));
  TRY(make_folder(path_ + "/run/sshd", 0755));  // sshd's empty folder for privilege separation
  TRY(put(path_ + "/ssh/sshd_config", sshd_config(), 0644));
  TRY(put(path_ + "/etc/hosts", hosts(hostname), 0644));
  TRY(put(path_ + "/etc/boot_id", make_uuid() + "\n", 0444));
  if (::mkfifo((path_ + "/run/power-button").c_str(), 0600) != 0)
    return system_error(ErrorCode::kLocal, fmt::format("cannot make a pipe in '{}/run'", path_), errno);
  if (!startup_script.empty()) {
    const bool has_interpreter = startup_script.rfind("#!", 0) == 0;
    TRY(put(path_ + "/run/startup-script", (has_interpreter ? "" : "#!/bin/bash\n") + startup_script, 0755));
  }
  TRY(put(path_ + "/run/boot", kBootScript, 0755));
  if (!file_exists(path_ + "/etc/passwd")) TRY(write_accounts());
  return set_keys(keys);
}

// As root: the machine's accounts (sshd's own among them) and one for every user with a key. Without root
// there is one uid only, the emulator's, and every name is that. The passwords ("*": none fits) are ours even
// then: sshd refuses an account that is locked.
Result<void> WorkerFolder::write_accounts() const {
  TRY(put(path_ + "/etc/shadow", "root:*:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\n", 0640));
  if (is_root()) {
    TRY(put(path_ + "/etc/passwd", system_file("/etc/passwd"), 0644));
    return put(path_ + "/etc/group", system_file("/etc/group"), 0644);
  }
  TRY(put(path_ + "/etc/passwd", fmt::format("root:x:{}:{}:root:/root:/bin/bash\n", ::getuid(), ::getgid()),
          0644));
  return put(path_ + "/etc/group", fmt::format("users:x:{}:\n", ::getgid()), 0644);
}

Result<void> WorkerFolder::make_home(const std::string& user, uid_t id, gid_t group) const {
  const std::string home = path_ + "/home/" + user;
  if (file_exists(home)) return {};
  TRY(make_folder(home, 0755));
  if (!is_root() || ::chown(home.c_str(), id, group) == 0) return {};
  return system_error(ErrorCode::kLocal, fmt::format("cannot give '{}' to {}", home, user), errno);
}

Result<void> WorkerFolder::add_user(const std::string& user) const {
  TRY(const std::string passwd, read_file(path_ + "/etc/passwd"));
  const std::vector<std::string> known = account_of(passwd, user);
  if (!known.empty()) {
    if (known[5] != "/home/" + user) return {};
    return make_home(user, static_cast<uid_t>(std::stoul(known[2])),
                     static_cast<gid_t>(std::stoul(known[3])));
  }
  const uid_t id = is_root() ? static_cast<uid_t>(kFirstUserId + split(passwd, '\n').size()) : ::getuid();
  const gid_t group = is_root() ? id : ::getgid();
  TRY(make_home(user, id, group));
  if (is_root()) TRY(append(path_ + "/etc/group", fmt::format("{}:x:{}:\n", user, group)));
  TRY(append(path_ + "/etc/shadow", fmt::format("{}:*:19000:0:99999:7:::\n", user)));
  return append(path_ + "/etc/passwd",
                fmt::format("{0}:x:{1}:{2}:{0}:/home/{0}:/bin/bash\n", user, id, group));
}

Result<void> WorkerFolder::set_keys(const std::vector<SshKey>& keys) const {
  std::map<std::string, std::string> lines;
  for (const SshKey& key : keys) lines[key.user] += key.key + "\n";
  const std::string folder = path_ + "/ssh/authorized_keys.d";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (lines.count(entry.path().filename().string()) == 0) std::filesystem::remove(entry.path(), error);
  }
  for (const auto& [user, content] : lines) {
    TRY(add_user(user));
    TRY(put(folder + "/" + user, content, 0644));
  }
  return {};
}

// Without a startup script, or after its first word, nobody reads: then there is nobody to tell.
void WorkerFolder::press_power_button() const {
  const Fd button(::open((path_ + "/run/power-button").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (button && ::write(button.get(), "off\n", 4) < 0) return;
}

std::vector<std::string> WorkerFolder::boot_command(const std::string& hostname) const {
  const std::vector<std::string> command = {
      "/bin/sh",     inside("run") + "/boot", settings_.sshd, settings_.ssh_keygen,
      inside("ssh"), inside("log"),           inside("run")};
  return settings_.isolation == Isolation::kNamespaces ? sandboxed(path_, hostname, command) : command;
}

std::string WorkerFolder::host_key() const {
  const Result<std::string> text = read_file(path_ + "/ssh/ssh_host_ed25519_key.pub");
  if (!text.ok()) return "";
  const std::vector<std::string> words = split(trim(*text), ' ');
  return words.size() >= 2 ? words[1] : "";
}

std::string WorkerFolder::last_words() const {
  std::string words;
  for (const std::string name : {"console.log", "sshd.log"}) {
    const Result<std::string> text = read_file(path_ + "/log/" + name);
    if (text.ok() && !trim(*text).empty())
      words += (words.empty() ? "" : "; ") + split(trim(*text), '\n').back();
  }
  return words;
}

void WorkerFolder::erase() const {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace slipway::emulator
