#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "integration/emulator/running_emulator.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

TEST(EmulatorApi, ExportsWhatAClientNeedsInItsOrder) {
  RunningEmulator emulator;
  const Result<Exports> exports = exports_of(emulator.options.state_dir);
  ASSERT_TRUE(exports.ok());
  std::vector<std::string> names;
  for (const auto& [name, value] : *exports) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU", "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
                "CLOUDSDK_API_ENDPOINT_OVERRIDES_OSLOGIN", "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE",
                "CLOUDSDK_CORE_PROJECT", "CLOUDSDK_COMPUTE_ZONE", "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE",
                "STORAGE_EMULATOR_HOST", "SLIPWAY_SSH_PORT", "SLIPWAY_SSH_KEY", "SLIPWAY_EMULATOR_STATE"}));
  for (const char* secret : {"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", "SLIPWAY_SSH_KEY"}) {
    struct stat info {};
    ASSERT_EQ(::stat(emulator.exported(secret).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << secret;
  }
}

TEST(EmulatorApi, WritesDownEveryRequestButNeverTheToken) {
  RunningEmulator emulator;
  const std::string token(trim(*read_file(emulator.exported("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"))));
  emulator.ask("GET", "nodes?access_token=" + token + "&pageSize=3");
  emulator.ask("POST", "queuedResources?queuedResourceId=q&requestId=r-1", Json{{"spot", Json::object()}});
  const Result<std::string> log = request_log(emulator.options.state_dir);
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(log->find(token), std::string::npos);
  const std::vector<std::string> lines = split(trim(*log), '\n');
  ASSERT_EQ(lines.size(), 2U);
  const Json second = *parse_json(lines[1]);
  EXPECT_EQ(second["method"], "POST");
  EXPECT_EQ(second["status"], 400);
  EXPECT_EQ(second["requestId"], "r-1");
  EXPECT_EQ(second["body"]["spot"], Json::object());
}

TEST(EmulatorApi, AnswersManyConnectionsAtOnce) {
  RunningEmulator emulator;
  std::vector<std::thread> clients;
  std::atomic<int> good{0};
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 64; ++i) {
    clients.emplace_back([&] { good += emulator.ask("GET", "queuedResources").status == 200 ? 1 : 0; });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 64);
  // With the library's own backlog of 5 the kernel drops most SYNs and this takes seconds.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

TEST(EmulatorApi, RefusesWhatIsNoRequestOfTheApi) {
  RunningEmulator emulator;
  EXPECT_EQ(emulator.ask("PUT", "nodes/n").status, 404);
  EXPECT_EQ(emulator.ask("GET", "nodes/%0a").status, 404);
  EXPECT_EQ(emulator.ask("GET", "nodes/" + std::string(4'000, 'x')).status, 404);
  const auto large = emulator.ask("POST", "queuedResources?queuedResourceId=q",
                                  Json{{"x", std::string(std::size_t{5} << 20, 'x')}});
  EXPECT_EQ(large.status, 400);
}

TEST(EmulatorApi, RunsOnceInAFolder) {
  RunningEmulator emulator;
  const Result<Exports> second = start_detached(emulator.options);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(emulator.ask("GET", "nodes").status, 200);
}

TEST(EmulatorApi, APortThatIsTakenIsAnError) {
  RunningEmulator emulator;
  test::TempFolder folder;
  EmulatorOptions options;
  options.state_dir = folder / "other";
  const std::string base = emulator.exported("CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU");
  options.port = std::stoi(base.substr(base.rfind(':') + 1));
  const Result<Exports> second = start_detached(options);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kLocal);
  EXPECT_EQ(exports_of(options.state_dir).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace slipway::emulator
