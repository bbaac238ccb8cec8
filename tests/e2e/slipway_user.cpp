#include "e2e/slipway_user.h"

#include "slipway/core/text.h"

namespace slipway::test {

SlipwayUser::SlipwayUser() {
  environment["HOME"] = home_.path();
  environment["TERM"] = "xterm";
}

std::unique_ptr<Program> SlipwayUser::start(const std::vector<std::string>& words) const {
  std::vector<std::string> all{SLIPWAY_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  return std::make_unique<Program>(all, environment);
}

Ended SlipwayUser::slipway(const std::vector<std::string>& words, std::chrono::seconds limit) const {
  return start(words)->wait(limit);
}

Ended SlipwayUser::shell(const std::string& line, std::chrono::seconds limit) const {
  Program::Environment with_path = environment;
  const std::string program = SLIPWAY_PROGRAM;
  with_path["PATH"] = program.substr(0, program.rfind('/')) + ":" + ::getenv("PATH");
  return run_program({"/bin/sh", "-c", line}, with_path, limit);
}

EmulatorUser::EmulatorUser(const std::vector<std::string>& start_flags) {
  environment["SLIPWAY_EMULATOR_STATE"] = home() / "emulator";
  std::vector<std::string> words{"emulator", "start", "--detach"};
  words.insert(words.end(), start_flags.begin(), start_flags.end());
  const Ended started = slipway(words);
  EXPECT_EQ(started.code, 0) << started.err;
  for (const std::string& line : split(started.out, '\n')) {
    const std::size_t equals = line.find('=');
    if (line.rfind("export ", 0) != 0 || equals == std::string::npos) continue;
    std::string value = line.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '\'') value = value.substr(1, value.size() - 2);
    environment[line.substr(7, equals - 7)] = value;
  }
}

EmulatorUser::~EmulatorUser() {
  const Ended stopped = slipway({"emulator", "stop"});
  EXPECT_EQ(stopped.code, 0) << stopped.err;
}

void EmulatorUser::create_ready(const std::string& id, int slices) const {
  const std::vector<std::string> shape =
      slices == 1 ? std::vector<std::string>{"--node-id", id + "-0"}
                  : std::vector<std::string>{"--node-count", std::to_string(slices)};
  std::vector<std::string> words{
      "create", id, "--accelerator-type", "v4-16", "--runtime-version", "tpu-ubuntu2204-base", "--wait"};
  words.insert(words.end(), shape.begin(), shape.end());
  const Ended created = slipway(words);
  ASSERT_EQ(created.code, 0) << created.err;
  const Ended ready = slipway({"wait", id, "--for", "READY", "--timeout", "60s"});
  ASSERT_EQ(ready.code, 0) << ready.err;
}

std::vector<Json> EmulatorUser::requests() const {
  std::vector<Json> list;
  for (const std::string& line : split(slipway({"emulator", "log"}).out, '\n')) {
    if (line.empty()) continue;
    const Result<Json> json = parse_json(line);
    EXPECT_TRUE(json.ok()) << line;
    if (json.ok()) list.push_back(*json);
  }
  return list;
}

std::size_t EmulatorUser::count_requests(const std::string& method, const std::string& path_part) const {
  std::size_t count = 0;
  for (const Json& request : requests()) {
    count += string_member(request, "method") == method &&
                     string_member(request, "path").find(path_part) != std::string::npos
                 ? 1
                 : 0;
  }
  return count;
}

}  // namespace slipway::test
