// What is wrong is said, with its exit code and what to type next; nothing is created and nothing is started.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"

namespace slipway::test {
namespace {

class BadInput : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    user_->create_ready("qr", 2);
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  void SetUp() override { writes_ = writes(); }
  /// A refusal changes nothing.
  void TearDown() override { EXPECT_EQ(writes(), writes_); }

  /// Requests that changed something. Asking a node for its guest attributes is a POST too, and changes
  /// nothing.
  static std::size_t writes() {
    std::size_t count = 0;
    for (const Json& request : user_->requests()) {
      const bool reads = string_member(request, "method") == "GET" ||
                         string_member(request, "path").find(":getGuestAttributes") != std::string::npos;
      count += !reads && int_member(request, "status") == 200 ? 1 : 0;
    }
    return count;
  }
  static void expect(const std::vector<std::string>& words, int code, const std::string& said) {
    const Ended ended = user_->slipway(words);
    EXPECT_EQ(ended.code, code) << words[0] << ": " << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err.rfind("slipway: ", 0), 0U) << ended.err;
    EXPECT_NE(ended.err.find(said), std::string::npos) << ended.err;
    EXPECT_TRUE(ended.err.find("  next: ") != std::string::npos ||
                ended.err.find("  why: ") != std::string::npos)
        << ended.err;
  }

  static EmulatorUser* user_;
  std::size_t writes_ = 0;
};
EmulatorUser* BadInput::user_ = nullptr;

TEST_F(BadInput, UnknownWordsAreAnsweredWithTheNearest) {
  expect({"creat"}, 2, "did you mean 'create'?");
  expect({"run", "qr", "--comand", "x"}, 2, "did you mean '--command'?");
  expect({"list", "--format", "jsn"}, 2, "did you mean 'json'?");
  expect({"wait", "qr", "--for", "ACTVE"}, 2, "did you mean 'ACTIVE'?");
}

TEST_F(BadInput, NamesOutsideOfTheGrammarAreRefusedHere) {
  expect({"describe", "a/../b"}, 2, "no name of a queued resource");
  expect({"describe", "a?b"}, 2, "not a name that the API takes");
}

TEST_F(BadInput, MissingProjectAndZoneAreSaidTogether) {
  const SlipwayUser stranger;
  const Ended ended = stranger.slipway({"list"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("the project and the zone must be known"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("--zone ZONE"), std::string::npos);
}

TEST_F(BadInput, AnUnknownOrWrongTokenIsNotSignedIn) {
  const std::string wrong = user_->home() / "wrong-token";
  ASSERT_TRUE(write_file_atomically(wrong, "not-the-token").ok());
  expect({"list", "--access-token-file", wrong}, 4, "");
  expect({"list", "--access-token-file", "/no/such/file"}, 2, "/no/such/file");
}

TEST_F(BadInput, WhatIsNotThereIsNotFound) {
  expect({"describe", "nope"}, 5, "nope");
  expect({"describe", "rq"}, 5, "did you mean 'qr'?");
  expect({"run", "nope", "--command", "true"}, 5, "nope");
  expect({"wait", "nope"}, 5, "nope");
  expect({"reset", "nope", "--yes"}, 5, "nope");
}

TEST_F(BadInput, AQuestionWithoutATerminalNamesTheFlag) {
  expect({"delete", "qr", "--force"}, 2, "--yes");
  expect({"reset", "qr", "-q"}, 2, "--yes");
}

TEST_F(BadInput, ASelectionOutsideOfTheResourceSaysWhatThereIs) {
  expect({"run", "qr", "--node", "2", "--command", "true"}, 2, "there are slices 0 to 1");
  expect({"run", "qr", "--worker", "0-9", "--command", "true"}, 2, "there are workers 0 to 1");
  expect({"run", "qr", "--node", "rq-1", "--command", "true"}, 2, "did you mean 'qr-1'?");
}

TEST_F(BadInput, ACommandMustBeSaidOnce) {
  expect({"run", "qr"}, 2, "say what to run");
  expect({"run", "qr", "--command", "a", "--script", "b"}, 2, "exclude each other");
}

TEST_F(BadInput, ACommandWithoutTimeToRunIsNotStarted) {
  const Ended ended = user_->slipway({"run", "nope", "--command", "true", "--timeout", "0"});
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_NE(ended.err.find("next: leave --timeout out"), std::string::npos) << ended.err;
}

TEST_F(BadInput, AReportThatIsNoFileIsRefusedBeforeAnythingRuns) {
  expect({"run", "qr", "--command", "touch ~/never", "--events", "-"}, 2, "--events FILE");
  expect({"run", "qr", "--command", "touch ~/never", "--junit", "-"}, 2, "--junit FILE");
  expect({"run", "qr", "--command", "touch ~/never", "--junit", "/no/such/folder/r.xml"}, 2,
         "next: mkdir -p /no/such/folder   or another --junit");
  expect({"run", "qr", "--command", "touch ~/never", "--events", "/no/such/folder/e"}, 2,
         "next: mkdir -p /no/such/folder   or another --events");
  EXPECT_EQ(user_->slipway({"run", "qr", "--command", "test ! -e ~/never"}).code, 0);
}

TEST_F(BadInput, TwoReportsInOneFileAreRefusedBeforeAnythingIsContacted) {
  const std::string file = user_->home() / "report", link = user_->home() / "link";
  for (const std::string& other : {file, user_->home() / "./report"}) {
    expect({"run", "nope", "--command", "true", "--events", file, "--junit", other}, 2, "the same file");
    EXPECT_FALSE(file_exists(file));
  }
  ASSERT_EQ(::symlink(file.c_str(), link.c_str()), 0);
  expect({"run", "nope", "--command", "true", "--events", link, "--junit", file}, 2, "the same file");
}

TEST_F(BadInput, AKeyFileThatCannotBeUsedIsSaidBeforeAnythingIsContacted) {
  const std::string open_key = user_->home() / "open-key";
  ASSERT_TRUE(
      write_file_atomically(open_key, read_file(user_->environment.at("SLIPWAY_SSH_KEY")).value(), 0644)
          .ok());
  expect({"run", "qr", "--command", "true", "--ssh-key", open_key}, 2, "chmod 600");
  const std::string garbage = user_->home() / "garbage";
  ASSERT_TRUE(write_file_atomically(garbage, "no key at all", 0600).ok());
  expect({"run", "qr", "--command", "true", "--ssh-key", garbage}, 2, garbage);
  expect({"run", "qr", "--command", "true", "--ssh-key", "/no/such/key"}, 2, "/no/such/key");
}

TEST_F(BadInput, APortThatNobodyListensOnStartsNothing) {
  const Ended ended = user_->slipway(
      {"run", "qr", "--ssh-port", "9", "--connect-timeout", "1s", "--command", "touch ~/never"});
  EXPECT_EQ(ended.code, 8) << ended.err;
  EXPECT_NE(ended.err.find("4 unreachable"), std::string::npos) << ended.err;
  EXPECT_EQ(user_->slipway({"run", "qr", "--command", "test ! -e ~/never"}).code, 0);
}

TEST_F(BadInput, TooFewDescriptorsAreSaidBeforeAnythingStarts) {
  const Ended ended = user_->shell("ulimit -n 14; slipway run qr --command 'touch ~/never'");
  EXPECT_EQ(ended.code, 10) << ended.err;
  EXPECT_NE(ended.err.find("ulimit -n"), std::string::npos) << ended.err;
  EXPECT_EQ(user_->slipway({"run", "qr", "--command", "test ! -e ~/never"}).code, 0);
}

TEST_F(BadInput, ATokenGoesToNoStranger) {
  SlipwayUser tricked;
  tricked.environment["SLIPWAY_PROJECT"] = "p";
  tricked.environment["SLIPWAY_ZONE"] = "z";
  tricked.environment["CLOUDSDK_AUTH_ACCESS_TOKEN"] = "some-token-here";
  tricked.environment["CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU"] = "https://tpu.example.test/";
  const Ended ended = tricked.slipway({"list"});
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_NE(ended.err.find("example.test"), std::string::npos) << ended.err;
}

class RefusedCreate : public BadInput {
 protected:
  void TearDown() override {
    EXPECT_EQ(user_->slipway({"list", "--format", "value"}).out, "qr\tus-central2-b\t2\tv4-16\tACTIVE\n");
  }
};

TEST_F(RefusedCreate, AnAcceleratorTypeIsTheServersToJudge) {
  expect({"create", "x", "--node-count", "2", "--accelerator-type", "v99-8", "--runtime-version",
          "tpu-ubuntu2204-base"},
         1, "v99-8");
}

TEST_F(RefusedCreate, AQueuedResourceThatIsNotActiveRunsNothing) {
  ASSERT_EQ(user_
                ->slipway({"create", "big", "--node-count", "200", "--accelerator-type", "v4-64",
                           "--runtime-version", "tpu-ubuntu2204-base"})
                .code,
            0);
  expect({"run", "big", "--command", "true"}, 6, "slipway wait big --for ACTIVE");
  ASSERT_EQ(user_->slipway({"delete", "big", "--force", "--yes"}).code, 0);
}

}  // namespace
}  // namespace slipway::test
