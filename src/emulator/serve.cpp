#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <regex>

#include "emulator/listening.h"
#include "emulator/process.h"
#include "emulator/sandbox.h"
#include "emulator/server.h"
#include "emulator/sshd_host.h"
#include "emulator/state_folder.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::chrono::milliseconds kBusyPause{5};
constexpr std::chrono::milliseconds kLongestPause{1'000};

Error missing(const std::string& program, const std::string& package) {
  return Error(ErrorCode::kLocal,
               fmt::format("cannot find '{}', which the emulator's workers are made of", program))
      .next(fmt::format("sudo apt-get install {}", package));
}

// sshd -V is an error for older ones, but all of them then say which they are: "OpenSSH_9.2p1 Debian-2".
int sshd_version(const std::string& sshd, const std::string& log) {
  const Result<int> ignored = run({{sshd, "-V"}, {}, log});
  const Result<std::string> text = read_file(log);
  ::unlink(log.c_str());
  std::smatch match;
  if (!ignored.ok() || !text.ok() ||
      !std::regex_search(*text, match, std::regex(R"(OpenSSH_(\d{1,3})\.(\d{1,2}))")))
    return 0;
  return std::stoi(match[1]) * 100 + std::stoi(match[2]);
}

Result<WorkerSettings> find_settings(const EmulatorOptions& options, const StateFolder& folder,
                                     std::vector<std::string>& notes) {
  WorkerSettings settings;
  settings.sshd = find_program("sshd");
  settings.ssh_keygen = find_program("ssh-keygen");
  if (settings.sshd.empty()) return missing("sshd", "openssh-server");
  if (settings.ssh_keygen.empty()) return missing("ssh-keygen", "openssh-client");
  settings.sshd_version = sshd_version(settings.sshd, folder.file("sshd-version"));
  settings.ssh_port = options.ssh_port != 0 ? options.ssh_port : find_free_port();
  if (settings.ssh_port == 0) return Error(ErrorCode::kLocal, "cannot find a free port for the workers");
  std::string why;
  settings.isolation = find_isolation(folder.path(), why);
  if (settings.isolation == Isolation::kPlain) {
    notes.push_back(fmt::format(
        "workers run without namespaces ({}): they share this machine's processes, users and hostname, a "
        "login "
        "starts in the user's own folder, and a killed emulator leaves the sessions that were open",
        why));
  }
  return settings;
}

// Each worker has a socket here, that of its metadata server.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);  // if it stays low, a worker that gets none says so
}

// The token of this start, and the key that clients may use; both live and end with the folder.
Result<std::string> make_credentials(const StateFolder& folder, const WorkerSettings& settings) {
  const std::string token = "emulator-" + make_uuid();
  TRY(write_file_atomically(folder.file("token"), token + "\n", 0600));
  const std::string key = folder.file("id_ed25519");
  if (!file_exists(key) || !file_exists(key + ".pub")) {
    ::unlink(key.c_str());
    TRY(const int status,
        run({{settings.ssh_keygen, "-q", "-t", "ed25519", "-N", "", "-C", "slipway-emulator", "-f", key},
             {"PATH=/usr/bin:/bin"},
             folder.file("emulator.log")}));
    if (status != 0) return Error(ErrorCode::kLocal, fmt::format("ssh-keygen could not write '{}'", key));
  }
  return token;
}

Exports make_exports(const EmulatorOptions& options, const StateFolder& folder, int api_port, int ssh_port) {
  const std::string base = fmt::format("http://127.0.0.1:{}/", api_port);
  return {{"CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU", base},
          {"CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", base + "compute/v1/"},
          {"CLOUDSDK_API_ENDPOINT_OVERRIDES_OSLOGIN", base},
          {"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE", base + "storage/v1/"},
          {"CLOUDSDK_CORE_PROJECT", options.project},
          {"CLOUDSDK_COMPUTE_ZONE", options.zone},
          {"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", folder.file("token")},
          {"STORAGE_EMULATOR_HOST", base.substr(0, base.size() - 1)},
          {"SLIPWAY_SSH_PORT", std::to_string(ssh_port)},
          {"SLIPWAY_SSH_KEY", folder.file("id_ed25519")},
          {"SLIPWAY_EMULATOR_STATE", folder.path()}};
}

// What software on a worker has to be told, because at Google it would know.
std::vector<std::string> worker_environment(int api_port) {
  const std::string base = fmt::format("http://127.0.0.1:{}", api_port);
  return {"STORAGE_EMULATOR_HOST=" + base, "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE=" + base + "/storage/v1/",
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=" + base + "/"};
}

int pause_length(const SshdHost& host, const Clock& clock, std::optional<Clock::time_point> due) {
  std::chrono::milliseconds pause = host.is_busy() ? kBusyPause : kLongestPause;
  if (due) pause = std::min(pause, std::chrono::ceil<std::chrono::milliseconds>(*due - clock.now()));
  return static_cast<int>(std::max<std::int64_t>(0, pause.count()));
}

// The life of the workers: all on this thread, because the kernel ends them when the thread that started them
// ends.
void look_after(SshdHost& host, Service& service, MetadataServer& metadata, const Interrupt& interrupt,
                int woken, const Clock& clock) {
  while (!interrupt.requested()) {
    host.pump();
    const auto due = service.advance(host);
    metadata.note_change();
    pollfd waits[2] = {{interrupt.fd(), POLLIN, 0}, {woken, POLLIN, 0}};
    if (::poll(waits, 2, pause_length(host, clock, due)) > 0 && (waits[1].revents & POLLIN) != 0) {
      std::uint64_t count = 0;
      if (::read(woken, &count, sizeof count) < 0) continue;
    }
  }
}

}  // namespace

Result<void> serve(const EmulatorOptions& options, const Interrupt& interrupt,
                   const std::function<void(const Exports&)>& on_ready) {
  raise_descriptor_limit();
  TRY(const StateFolder folder, StateFolder::acquire(absolute(options.state_dir)));
  Announcement announcement;
  TRY(WorkerSettings settings, find_settings(options, folder, announcement.notes));
  TRY(const std::string token, make_credentials(folder, settings));

  const SystemClock clock;
  const Fd woken(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const auto wake = [&woken] {
    const std::uint64_t one = 1;
    if (::write(woken.get(), &one, sizeof one) < 0) return;  // full: it is awake already
  };
  Service service(
      {options.provision_delay, options.capacity, options.project, options.zone, options.unreachable}, clock,
      token, wake);
  Storage storage(folder.file("storage"), clock, options.project);
  RequestLog log(folder.file("requests.jsonl"));
  TRY(const std::unique_ptr<MetadataServer> metadata,
      MetadataServer::start([&](const std::string& address) { return service.metadata(address); }));
  TRY(std::unique_ptr<Server> server, Server::start(options.port, service, storage, log));
  settings.metadata_port = metadata->port();
  settings.environment = worker_environment(server->port());
  SshdHost host(folder.file("workers"), settings, metadata.get(), clock);

  announcement.exports = make_exports(options, folder, server->port(), settings.ssh_port);
  TRY(folder.announce(announcement));
  if (on_ready) on_ready(announcement.exports);
  look_after(host, service, *metadata, interrupt, woken.get(), clock);
  folder.retract();
  server.reset();
  host.halt_all();
  return {};
}

Result<Exports> exports_of(const std::string& state_dir) {
  TRY(Announcement announcement, announcement_of(absolute(state_dir)));
  return std::move(announcement.exports);
}

Result<std::vector<std::string>> notes_of(const std::string& state_dir) {
  TRY(Announcement announcement, announcement_of(absolute(state_dir)));
  return std::move(announcement.notes);
}

Result<std::string> request_log(const std::string& state_dir) {
  const std::string file = absolute(state_dir) + "/requests.jsonl";
  if (!file_exists(file))
    return Error(ErrorCode::kNotFound, fmt::format("no emulator has run in '{}'", state_dir));
  return read_file(file, std::size_t{1} << 30);
}

}  // namespace slipway::emulator
