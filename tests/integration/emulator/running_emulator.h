#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "slipway/core/json.h"
#include "slipway/emulator/emulator.h"
#include "support/temp_folder.h"

namespace slipway::emulator {

/// What a program said and how it ended.
struct Ran {
  int status = -1;
  std::string out;
};
/// Runs `command` with /bin/sh, stderr with stdout.
Ran run_shell(const std::string& command);
/// Waits until `holds`; false after `limit`.
bool eventually(const std::function<bool()>& holds, std::chrono::seconds limit = std::chrono::seconds(60));
/// The processes, zombies left out, whose command line holds `text`.
std::vector<pid_t> processes_with(const std::string& text);

/// An emulator in a process of its own, and a client of it that knows nothing but the exports.
class RunningEmulator {
 public:
  explicit RunningEmulator(std::chrono::milliseconds delay = std::chrono::milliseconds(40),
                           std::int64_t capacity = 4'096);
  ~RunningEmulator();

  std::string exported(const std::string& name) const;
  /// The path below projects/P/locations/Z/ of v2.
  httplib::Response ask(const std::string& method, const std::string& path, const Json& body = nullptr);
  Json get(const std::string& path) { return *parse_json(ask("GET", path).body); }
  /// A resource of v4-16 slices (two workers each) whose workers let root in with the emulator's key.
  void create(const std::string& id, int slices, const std::string& accelerator = "v4-16",
              const std::string& startup_script = "");
  bool becomes(const std::string& id, const std::string& state);
  /// Runs a command on a worker with the system's ssh.
  Ran ssh(const std::string& address, const std::string& command, const std::string& user = "root");
  std::string ssh_key_line(const std::string& user) const;
  pid_t pid() const;

  test::TempFolder folder;
  EmulatorOptions options;

 private:
  Exports exports_;
};

}  // namespace slipway::emulator
