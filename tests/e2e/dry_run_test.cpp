// --dry-run of every command that has an effect: nothing changes anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

using ::testing::HasSubstr;

/// q is ACTIVE; dead is FAILED; the job's resource waits for room, so nobody but us sends anything.
class DryRun : public ::testing::Test {
 protected:
  DryRun() {
    user_.create_ready("q", 1);
    EXPECT_EQ(user_
                  .slipway({"create", "dead", "--node-id", "dead-0", "--accelerator-type", "v4-16",
                            "--runtime-version", "tpu-ubuntu2204-base"})
                  .code,
              0);
    EXPECT_EQ(user_.slipway({"emulator", "fail", "dead"}).code, 0);
    const Ended launched = user_.slipway(launch("job"));
    EXPECT_EQ(launched.code, 0) << launched.err;
  }

  static std::vector<std::string> launch(const std::string& name) {
    return {"launch",
            name,
            "--bucket",
            "gs://emulator-bucket/runs",
            "--command",
            "true",
            "--node-count",
            "2",
            "--accelerator-type",
            "v4-16",
            "--runtime-version",
            "tpu-ubuntu2204-base"};
  }
  std::size_t changes() const {
    std::size_t count = 0;
    for (const Json& request : user_.requests()) {
      const bool reads = string_member(request, "method") == "GET" ||
                         string_member(request, "path").find(":getGuestAttributes") != std::string::npos;
      count += reads ? 0 : 1;
    }
    return count;
  }

  const EmulatorUser user_{{"--provision-delay", "50ms", "--capacity", "8"}};
};

TEST_F(DryRun, NoCommandChangesAnything) {
  std::vector<std::string> replaced = launch("job");
  replaced.push_back("--replace");
  const std::vector<std::vector<std::string>> commands{
      {"create", "n", "--node-id", "n", "--accelerator-type", "v4-16", "--runtime-version", "r", "--wait"},
      {"create", "dead", "--node-id", "n", "--accelerator-type", "v4-16", "--runtime-version", "r",
       "--recreate"},
      {"delete", "q", "--force"},
      {"reset", "q", "--wait"},
      {"sweep"},
      {"run", "q", "--user", "somebody", "--command", "touch /tmp/ran"},
      {"ssh", "q", "--user", "somebody"},
      {"wait", "q", "--for", "SSH", "--user", "somebody"},
      {"wait", "q", "--for", "DELETED"},
      launch("another"),
      replaced,
      {"stop", "job"},
  };
  for (const std::vector<std::string>& command : commands) {
    for (const char* kind : {"--dry-run", "--dry-run=curl"}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {kind, "--yes"});
      const std::size_t before = changes();
      const Ended ended = user_.slipway(words);
      EXPECT_EQ(ended.code, 0) << command[0] << " " << kind << ": " << ended.err;
      EXPECT_NE(ended.out, "") << command[0] << ": what would be asked is shown";
      EXPECT_EQ(changes(), before) << command[0] << " " << command[1] << " " << kind;
    }
  }
}

TEST_F(DryRun, StopShowsTheObjectThatItWouldWrite) {
  const Ended ended = user_.slipway({"stop", "job", "--dry-run"});
  EXPECT_EQ(ended.code, 0) << "nobody is asked: " << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("POST http://127.0.0.1:"));
  EXPECT_THAT(ended.out, HasSubstr("name=runs%2Fjob%2F1%2Fctl%2Fstop"));
  EXPECT_THAT(user_.slipway({"status", "job"}).out, ::testing::Not(HasSubstr("stopping")));

  const Ended line = user_.slipway({"stop", "job", "--dry-run=curl"});
  const Ended pasted = user_.shell(line.out);
  EXPECT_EQ(pasted.code, 0) << line.out << pasted.err;
  EXPECT_THAT(user_.slipway({"status", "job"}).out, HasSubstr("stopping")) << pasted.out;
}

TEST_F(DryRun, AKeyThatTheRealCallWouldAddIsSaid) {
  EXPECT_THAT(user_.slipway({"ssh", "q", "--user", "somebody", "--dry-run"}).err,
              HasSubstr("your ssh key would be added"));
  const Ended waited = user_.slipway({"wait", "q", "--for", "SSH", "--dry-run"});
  EXPECT_THAT(waited.out, HasSubstr("GET http://127.0.0.1:"));
  EXPECT_THAT(waited.err, HasSubstr("your ssh key would be added"));
}

TEST_F(DryRun, WhatActsOnThisMachineAloneRefuses) {
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"emulator", "start"},
                                             {"emulator", "stop"},
                                             {"emulator", "preempt", "q"},
                                             {"emulator", "suspend", "q"},
                                             {"emulator", "fault", "add", "--status", "500"},
                                             {"emulator", "fault", "clear"}}) {
    std::vector<std::string> words = command;
    words.push_back("--dry-run");
    const Ended ended = user_.slipway(words);
    EXPECT_EQ(ended.code, 2) << command[1] << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("has no --dry-run"));
  }
  EXPECT_EQ(user_.slipway({"describe", "q", "--format", "value"}).out, "ACTIVE\n");
}

TEST_F(DryRun, WhatIsWrongWithSshIsSaidBeforeAnythingIsWaitedFor) {
  const std::size_t before = user_.requests().size();
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--for", "SSH", "--host-keys", "foo"},
                                             {"--for", "SSH", "--ssh-key", "/nope"},
                                             {"--for", "SSH", "--user", "no body"},
                                             {"--for", "SSH", "--jump", "a", "--tunnel-through-iap"},
                                             {"--for", "ACTIVE", "--host-keys", "foo"}}) {
    std::vector<std::string> words{"wait", "job", "--timeout", "60s"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const Ended ended = user_.slipway(words);
    EXPECT_EQ(ended.code, 2) << wrong[2] << ended.err;
  }
  EXPECT_EQ(user_.requests().size(), before);
}

}  // namespace
}  // namespace slipway::test
