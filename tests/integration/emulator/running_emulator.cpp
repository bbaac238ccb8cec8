#include "integration/emulator/running_emulator.h"

#include <dirent.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

/// Nothing for a file that is gone: a process may end between its listing and the reading of it.
std::string file_text(const std::string& path) {
  Result<std::string> text = read_file(path);
  return text.ok() ? std::move(*text) : "";
}

bool is_zombie(const std::string& pid) {
  const std::string stat = file_text("/proc/" + pid + "/stat");
  const std::size_t end = stat.rfind(')');
  return end == std::string::npos || stat.substr(end, 4).find('Z') != std::string::npos;
}

}  // namespace

Ran run_shell(const std::string& command) {
  Ran ran;
  FILE* pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
  char buffer[4'096];
  while (const std::size_t size = ::fread(buffer, 1, sizeof buffer, pipe)) ran.out.append(buffer, size);
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

bool eventually(const std::function<bool()>& holds, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  DIR* proc = ::opendir("/proc");
  while (const dirent* entry = ::readdir(proc)) {
    const std::string pid = entry->d_name;
    if (pid.find_first_not_of("0123456789") != std::string::npos || is_zombie(pid)) continue;
    std::string words = file_text("/proc/" + pid + "/cmdline");
    std::replace(words.begin(), words.end(), '\0', ' ');
    if (words.find(text) != std::string::npos) found.push_back(std::stoi(pid));
  }
  ::closedir(proc);
  return found;
}

RunningEmulator::RunningEmulator(std::chrono::milliseconds delay, std::int64_t capacity) {
  options.state_dir = folder / "state";
  options.provision_delay = delay;
  options.capacity = capacity;
  Result<Exports> started = start_detached(options);
  EXPECT_TRUE(started.ok()) << (started.ok() ? "" : started.error().message());
  if (started.ok()) exports_ = *started;
}

RunningEmulator::~RunningEmulator() {
  const Result<void> stopped = stop(options.state_dir);
  EXPECT_TRUE(stopped.ok() ||
              stopped.error().code() == ErrorCode::kNotFound);  // a test may have ended it already
}

std::string RunningEmulator::exported(const std::string& name) const {
  for (const auto& [key, value] : exports_) {
    if (key == name) return value;
  }
  return "";
}

httplib::Response RunningEmulator::ask(const std::string& method, const std::string& path, const Json& body) {
  const std::string base = exported("CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU");
  httplib::Client client(base.substr(0, base.size() - 1));
  client.set_read_timeout(20);
  httplib::Request request;
  request.method = method;
  request.path = fmt::format("/v2/projects/{}/locations/{}/{}", exported("CLOUDSDK_CORE_PROJECT"),
                             exported("CLOUDSDK_COMPUTE_ZONE"), path);
  const std::string token(trim(*read_file(exported("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"))));
  request.headers = {{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}};
  if (!body.is_null()) request.body = dump_json(body);
  const httplib::Result result = client.send(request);
  EXPECT_TRUE(result) << httplib::to_string(result.error());
  return result ? result.value() : httplib::Response();
}

std::string RunningEmulator::ssh_key_line(const std::string& user) const {
  return fmt::format("{}:{}", user, trim(*read_file(exported("SLIPWAY_SSH_KEY") + ".pub")));
}

void RunningEmulator::create(const std::string& id, int slices, const std::string& accelerator,
                             const std::string& startup_script) {
  Json spec{{"parent", fmt::format("projects/{}/locations/{}", exported("CLOUDSDK_CORE_PROJECT"),
                                   exported("CLOUDSDK_COMPUTE_ZONE"))},
            {"node", Json{{"acceleratorType", accelerator},
                          {"runtimeVersion", "tpu-ubuntu2204-base"},
                          {"metadata",
                           Json{{"ssh-keys", ssh_key_line("root")}, {"startup-script", startup_script}}}}}};
  if (slices > 1) spec["multisliceParams"] = Json{{"nodeCount", slices}};
  if (slices == 1) spec["nodeId"] = id + "-0";
  const auto answer = ask("POST", "queuedResources?queuedResourceId=" + id,
                          Json{{"tpu", Json{{"nodeSpec", Json::array({spec})}}}});
  EXPECT_EQ(answer.status, 200) << answer.body;
}

bool RunningEmulator::becomes(const std::string& id, const std::string& state) {
  return eventually([&] { return get("queuedResources/" + id)["state"]["state"] == state; },
                    std::chrono::seconds(60));
}

Ran RunningEmulator::ssh(const std::string& address, const std::string& command, const std::string& user) {
  return run_shell(fmt::format(
      "ssh -F none -i {} -p {} -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "
      "-o LogLevel=ERROR {}@{} {} </dev/null",
      exported("SLIPWAY_SSH_KEY"), exported("SLIPWAY_SSH_PORT"), user, address, shell_quote(command)));
}

pid_t RunningEmulator::pid() const { return std::stoi(*read_file(options.state_dir + "/lock")); }

}  // namespace slipway::emulator
