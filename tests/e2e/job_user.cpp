#include "e2e/job_user.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

constexpr const char* kPrefix = "runs/train/1/";

bool soon(const std::function<bool()>& holds, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '/' ? "%2F" : std::string(1, c);
  return text;
}

}  // namespace

JobUser::JobUser(const std::vector<std::string>& start_flags) : EmulatorUser(start_flags) {
  std::string pattern = "/var/tmp/slipway-test-XXXXXX";
  shared_ = ::mkdtemp(pattern.data());
}

JobUser::~JobUser() {
  std::error_code ignored;
  std::filesystem::remove_all(shared_, ignored);
}

void JobUser::write_job(const Keys& keys, const Keys& env) const {
  Keys job{{"node-count", "2"},
           {"accelerator-type", "v4-16"},
           {"runtime-version", "tpu-ubuntu2204-base"},
           {"bucket", "gs://emulator-bucket/runs"},
           {"code", SLIPWAY_SOURCE_DIR "/examples/toy-trainer"},
           {"command", "exec python3 train.py"},
           {"checkpoint-dir", "gs://emulator-bucket/ckpt"},
           {"poll", "1s"},
           {"grace", "5s"},
           {"backoff", "1s..2s"},
           {"log-period", "2s"}};
  for (const auto& [key, value] : keys) job[key] = value;
  Keys all{{"STEPS", "30"},
           {"STEP_TIME", "0.05"},
           {"SAVE_EVERY", "10"},
           {"STEP_LOG", shared_ + "/steps"},
           // Two emulators give their workers the same addresses.
           {"PORT", std::to_string(10'000 + ::getpid() % 20'000)}};
  for (const auto& [key, value] : env) all[key] = value;
  Json document = Json::object();  // JSON is YAML, and quotes every value right
  for (const auto& [key, value] : job) {
    if (!value.empty()) document[key] = value;
  }
  for (const auto& [key, value] : all) document["env"][key] = value;
  std::ofstream(home() / "job.yaml") << dump_json(document, 2);
}

void JobUser::write_plain_job(const std::string& command, Keys keys) const {
  keys.emplace("accelerator-type", "v4-8");
  keys.emplace("checkpoint-dir", "");
  keys.emplace("code", "");
  keys.emplace("command", command);
  write_job(keys);
}

Ended JobUser::launch(const std::vector<std::string>& words, std::chrono::seconds limit) const {
  std::vector<std::string> all{"launch", "train", "-f", "job.yaml"};
  all.insert(all.end(), words.begin(), words.end());
  return slipway(all, limit);
}

std::unique_ptr<Program> JobUser::start_launch(const std::vector<std::string>& words) const {
  std::vector<std::string> all{"launch", "train", "-f", "job.yaml"};
  all.insert(all.end(), words.begin(), words.end());
  return start(all);
}

Json JobUser::status() const {
  const Ended ended =
      slipway({"status", "train", "--bucket", "gs://emulator-bucket/runs", "--format", "json"});
  const Result<Json> document = parse_json(ended.out);
  return document.ok() ? *document : Json::object();
}

bool JobUser::eventually(const std::function<bool(const Json&)>& holds, std::chrono::seconds limit) const {
  Json last;
  if (soon([&] { return holds(last = status()); }, limit)) return true;
  ADD_FAILURE() << "the last status: " << dump_json(last, 2);
  return false;
}

bool JobUser::reaches(int attempt, int step) const {
  return soon(
      [&] {
        for (const Step& one : steps()) {
          if (one.attempt == attempt && one.step >= step) return true;
        }
        return false;
      },
      std::chrono::seconds(90));
}

std::string JobUser::verdict() const {
  eventually([](const Json& status) { return status.contains("finished"); });
  const Json now = status();
  return now.contains("finished") ? now["finished"]["verdict"].get<std::string>() : "";
}

bool JobUser::until(const std::function<bool()>& holds) const {
  return soon(holds, std::chrono::seconds(90));
}

void JobUser::emulator(const std::string& words) const {
  const Ended ended = shell("slipway emulator " + words);
  EXPECT_EQ(ended.code, 0) << words << ": " << ended.err;
}

std::vector<JobUser::Step> JobUser::steps() const {
  std::vector<Step> all;
  std::ifstream file(shared_ + "/steps");
  double time = 0;
  for (Step one; file >> one.attempt >> one.step >> time;) all.push_back(one);
  return all;
}

std::string JobUser::flaw(int last, int saves) const {
  std::map<int, long> resumed;
  const Json now = status();
  for (const Json& attempt : now["attempts"]) {
    if (attempt.contains("resumeStep")) resumed[attempt["attempt"]] = attempt["resumeStep"];
  }
  int done = 0;
  int attempt = 0;
  for (const Step& one : steps()) {
    if (one.attempt < attempt) return fmt::format("attempt {} after attempt {}", one.attempt, attempt);
    if (one.attempt == attempt && one.step != done + 1)
      return fmt::format("step {} followed step {} in attempt {}", one.step, done, attempt);
    if (one.attempt > attempt) {
      const int committed = done == 0 ? 0 : (done - 1) / saves * saves;
      if (one.step <= committed || one.step > done + 1)
        return fmt::format("attempt {} began with step {} after step {}", one.attempt, one.step, done);
      if (one.step != std::max(resumed[one.attempt], 0L) + 1)
        return fmt::format("attempt {} was told to resume from {} and began with {}", one.attempt,
                           resumed[one.attempt], one.step);
    }
    attempt = one.attempt;
    done = one.step;
  }
  return done == last ? "" : fmt::format("the last step is {}, not {}", done, last);
}

Ended JobUser::storage(const std::string& method, const std::string& path, const std::string& body) const {
  std::ofstream(home() / "body", std::ios::binary) << body;
  return shell(
      fmt::format("curl -sS -X {} -H \"Authorization: Bearer $(cat $CLOUDSDK_AUTH_ACCESS_TOKEN_FILE)\" "
                  "-H 'Content-Type: text/plain' {} \"$STORAGE_EMULATOR_HOST\"{}",
                  method, body.empty() ? "" : "--data-binary @body", shell_quote(path)));
}

std::string JobUser::object(const std::string& name) const {
  return storage("GET", "/storage/v1/b/emulator-bucket/o/" + escaped(kPrefix + name) + "?alt=media").out;
}

void JobUser::put_object(const std::string& name, const std::string& text) const {
  const Ended put =
      storage("POST", "/upload/storage/v1/b/emulator-bucket/o?uploadType=media&name=" + escaped(name), text);
  EXPECT_NE(put.out.find("\"generation\""), std::string::npos) << put.out << put.err;
}

std::string JobUser::worker_file(const std::string& address, const std::string& name) const {
  const std::string state = environment.find("SLIPWAY_EMULATOR_STATE")->second;
  const Result<std::string> text = read_file(fmt::format("{}/workers/{}/{}", state, address, name));
  return text.ok() ? *text : "";
}

std::string JobUser::console(const std::string& address) const {
  return worker_file(address, "log/startup-script.log");
}

std::string attempt_state(const Json& status, std::size_t index) {
  return status["attempts"].size() > index ? status["attempts"][index]["state"].get<std::string>() : "";
}

Json worker(const Json& status, int slice) {
  for (const Json& one : status["workers"]) {
    if (one["slice"] == slice) return one;
  }
  return Json::object();
}

}  // namespace slipway::test
