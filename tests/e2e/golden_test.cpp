// What people and scripts read, word for word. SLIPWAY_REWRITE_GOLDEN=1 writes the files anew.
#include <gtest/gtest.h>

#include <regex>

#include "e2e/slipway_user.h"
#include "support/golden.h"

namespace slipway::test {
namespace {

class HelpGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(HelpGolden, IsAsReviewed) {
  const SlipwayUser user;
  const Ended ended = user.shell("slipway " + GetParam() + " --help");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "") << "help that was asked for is data";
  std::string name = GetParam().empty() ? "slipway" : GetParam();
  for (char& c : name) c = c == ' ' ? '-' : c;
  expect_golden("help/" + name + ".txt", ended.out);
}

// clang-format off: one a line
const std::vector<std::string> kCommands = {
    "",
    "accelerator-types",
    "config",
    "config explain",
    "create",
    "delete",
    "describe",
    "emulator",
    "emulator env",
    "emulator fail",
    "emulator fault",
    "emulator fault add",
    "emulator fault clear",
    "emulator fault list",
    "emulator log",
    "emulator maintain",
    "emulator preempt",
    "emulator repair",
    "emulator start",
    "emulator stop",
    "emulator suspend",
    "help",
    "launch",
    "list",
    "locations",
    "logs",
    "reset",
    "run",
    "runtime-versions",
    "ssh",
    "status",
    "stop",
    "sweep",
    "tunnel",
    "wait",
    "workers",
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Commands, HelpGolden, ::testing::ValuesIn(kCommands), [](const auto& tested) {
  std::string name = tested.param.empty() ? "slipway" : tested.param;
  for (char& c : name) c = c == ' ' || c == '-' ? '_' : c;
  return name;
});

class TopicGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(TopicGolden, IsAsReviewed) {
  const Ended ended = SlipwayUser().slipway({"help", GetParam()});
  EXPECT_EQ(ended.code, 0);
  expect_golden("help/topic-" + GetParam() + ".txt", ended.out);
}

INSTANTIATE_TEST_SUITE_P(Topics, TopicGolden,
                         ::testing::Values("exit-codes", "env", "config", "formats", "selection", "auth"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(OutputGolden, TablesAreAsReviewed) {
  const EmulatorUser user;
  user.create_ready("train-1", 2);
  expect_golden("table/list.txt", user.slipway({"list"}).out);
  expect_golden("table/workers.txt", user.slipway({"workers", "train-1"}).out);
}

TEST(OutputGolden, ErrorsAreAsReviewed) {
  const EmulatorUser user;
  user.create_ready("train-1", 2);
  std::string errors;
  for (const char* line :
       {"", "creat x", "run train-1", "run train-1 --node 7 --command true", "describe trian-1",
        "delete train-1", "delete train-1 --yes", "create x --node-count 1",
        "create x --node-count 1 --accelerator-type v4-8 --runtime-version y",
        "wait train-1 --for SUSPENDED --timeout 0", "list --format xml", "emulator"}) {
    const Ended ended = user.shell(std::string("slipway ") + line);
    errors += std::string("$ slipway ") + line + "\n" + ended.err + "(exit code " +
              std::to_string(ended.code) + ")\n\n";
  }
  static const std::regex elapsed(R"(\b[0-9.]+m?s\b)");
  expect_golden("error/common.txt", std::regex_replace(errors, elapsed, "<time>"));
}

}  // namespace
}  // namespace slipway::test
