// create, wait, reset, delete and sweep where things are not as one would wish.
#include <gtest/gtest.h>
#include <signal.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "support/raw_http_server.h"

namespace slipway::test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Lifecycle : public ::testing::Test {
 protected:
  std::vector<std::string> create(const std::string& id, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"create", id, "--node-id", id, "--accelerator-type", "v4-8"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Ended run(const std::string& words) const { return user.shell("slipway " + words); }
  Ended other_home(const std::string& words) const {
    return user.shell("mkdir -p other && HOME=$PWD/other slipway " + words);
  }
  void expect(const Ended& ended, int code, const std::string& said = "") const {
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.err, said)) << ended.err;
  }
  void make_active(const std::string& id) const { expect(user.slipway(create(id, {"--wait"})), 0); }
  std::string create_time(const std::string& id) const {
    const Result<Json> json = parse_json(run("describe " + id + " --format json").out);
    return json.ok() ? string_member(*json, "createTime") : "";
  }

  const EmulatorUser user;
};

TEST_F(Lifecycle, IfNotExistsComparesWhatCannotChange) {
  make_active("q");
  expect(user.slipway(create("q", {"--if-not-exists"})), 0, "q is there already, as asked for: ACTIVE");
  expect(user.slipway(create("q", {"--if-not-exists", "--labels", "a=b"})), 0);
  const Ended other =
      user.slipway(create("q", {"--if-not-exists", "--runtime-version", "tpu-vm-base", "--spot"}));
  expect(other, 6,
         "why: runtimeVersion: there tpu-ubuntu2204-base, asked tpu-vm-base\n       tier: there on-demand, "
         "asked spot");
  expect(user.slipway(create("q")), 6, "next: slipway create q --if-not-exists ...   (it is as asked for)");
  expect(user.slipway(create("q", {"--spot"})), 6, "why: tier: there on-demand, asked spot");
  expect(user.slipway(create("q", {"--recreate"})), 6, "'q' exists and is ACTIVE");
  EXPECT_EQ(user.count_requests("DELETE", "queuedResources"), 0u);
}

TEST_F(Lifecycle, BestEffortIsComparedThroughTheVersionThatShowsIt) {
  expect(user.slipway(create("q", {"--best-effort"})), 0);
  expect(user.slipway(create("q", {"--best-effort", "--if-not-exists"})), 0, "is there already");
  expect(user.slipway(create("r", {"--best-effort", "--api-version", "v2"})), 2,
         "--api-version v2 does not have what --best-effort asks for");
}

TEST_F(Lifecycle, RecreateReplacesWhatIsDeadAndNothingElse) {
  make_active("q");
  const std::string first = create_time("q");
  expect(run("emulator fail q --code 8 --message 'There is no more capacity'"), 0);
  expect(user.slipway(create("q", {"--if-not-exists"})), 6, "next: slipway create q --recreate ...");
  expect(run("wait q"), 7, "There is no more capacity");
  expect(user.slipway(create("q", {"--recreate", "--wait"})), 0, "q is FAILED: it goes first");
  EXPECT_NE(create_time("q"), first);
  expect(run("emulator suspend q"), 0);
  expect(run("wait q --for SUSPENDED --timeout 30s"), 0);
  expect(user.slipway(create("q", {"--if-not-exists", "--recreate"})), 0, "q is SUSPENDED: it goes first");
}

TEST_F(Lifecycle, ABodyFromAFileIsCheckedShownAndSent) {
  const std::string file = user.home() / "req.json";
  ASSERT_TRUE(
      write_file_atomically(file, R"({"tpu":{"node_spec":[{"node_id":"f","node":{"accelerator_type":"v4-8",
    "runtime_version":"tpu-ubuntu2204-base","metadata":{"my_key":"1"}}}]}})")
          .ok());
  const Ended shown = run("create f --from-file " + file + " --dry-run");
  EXPECT_TRUE(has(shown.out, "\"acceleratorType\": \"v4-8\"")) << shown.out;
  EXPECT_TRUE(has(shown.out, "\"my_key\": \"1\"")) << shown.out;
  expect(run("create f --from-file - < " + file), 0, "requested f: as the file says");
  expect(run("create f --from-file " + file + " --if-not-exists"), 0, "is there already");
  expect(run("create f --from-file " + file + " --spot"), 2, "--from-file and --spot exclude each other");
  ASSERT_TRUE(write_file_atomically(file, R"({"tpu":{"nodeSpec":[{"nodeid":"f"}]}})").ok());
  expect(run("create g --from-file " + file), 2, "tpu.nodeSpec[0].nodeid: NodeSpec has no such field");
}

TEST_F(Lifecycle, SeveralAreWaitedForAndDeletedTogether) {
  expect(user.slipway(create("a", {"--async"})), 0);
  expect(user.slipway(create("b", {"--async"})), 0);
  const Ended ready = run("wait a b --for READY --timeout 60s --format value");
  expect(ready, 0, "b: ACTIVE, 1 of 1 slices ready");
  EXPECT_EQ(ready.out, "a\tACTIVE\nb\tACTIVE\n");
  expect(run("wait a gone b"), 5, "there is no queued resource 'gone'");

  expect(run("delete a b"), 2, "Delete these 2?\n");
  const Ended some = run("delete a gone b --force --yes");
  expect(some, 5, "there is no queued resource 'gone'");
  expect(some, 5, "1 of 3 failed");
  EXPECT_TRUE(has(some.err, "a is deleted") && has(some.err, "b is deleted")) << some.err;
  expect(run("delete a b --if-exists --yes"), 0, "b does not exist");
}

TEST_F(Lifecycle, SshIsReachedWhenEveryWorkerLetsUsIn) {
  expect(user.slipway({"create", "q", "--node-count", "2", "--accelerator-type", "v4-16"}), 0);
  expect(run("wait q --for SSH --timeout 60s"), 0, "q: 4 of 4 workers answer ssh");
  expect(run("wait q --for SSH --timeout 1s --ssh-port 9"), 124, "q: 0 of 4 workers answer ssh");
}

TEST_F(Lifecycle, AResetRefusesWhatCannotBeResetAndSaysWhatCan) {
  make_active("q");
  expect(run("reset q --yes --wait"), 0, "q is reset");
  expect(run("reset q --yes --async"), 0, "resetting q");
  expect(run("reset q --yes --wait --timeout 60s"), 0, "q is reset");
  expect(run("emulator suspend q"), 0);
  expect(run("wait q --for SUSPENDED --timeout 30s"), 0);
  expect(run("reset q --yes"), 6, "next: slipway delete q   (or: slipway create q --recreate ...)");
  expect(run("reset q --yes --if-active"), 0, "q is SUSPENDED, not ACTIVE: left as it is");
  expect(run("reset gone --yes --if-active"), 5);
}

TEST_F(Lifecycle, ADeleteThatRunsAlreadyIsFollowed) {
  make_active("q");
  expect(run("delete q --force --yes --async"), 0, "deleting q");
  const Ended followed = run("delete q --yes --if-exists");
  expect(followed, 0);
  EXPECT_EQ(run("describe q").code, 5);
}

TEST_F(Lifecycle, ADeleteThatWasLeftDoesNotStandInTheWayOfTheNext) {
  make_active("q");
  expect(run("delete q --force --yes --timeout 0"), 124);
  expect(run("wait q --for DELETED --timeout 60s"), 0, "q: gone");
  expect(user.slipway(create("q")), 0);
  expect(run("delete q --force --yes"), 0, "q is deleted");

  make_active("r");
  expect(run("delete r --force --yes --timeout 0"), 124);
  ASSERT_EQ(other_home("wait r --for DELETED --timeout 60s").code, 0);
  expect(user.slipway(create("r")), 0);
  expect(run("delete r --force --yes"), 0, "r is deleted");
}

TEST_F(Lifecycle, WhatIsNamedAsTheNextStepWorks) {
  make_active("q");
  const Ended again = user.slipway(create("q", {"--if-not-exists"}));
  expect(again, 0, "q is there already, as asked for: ACTIVE");
  EXPECT_FALSE(has(again.err, "next:")) << again.err;
  const Ended taken = user.slipway({"create", "other", "--node-id", "q", "--accelerator-type", "v4-8"});
  EXPECT_EQ(taken.code, 6);
  EXPECT_FALSE(has(taken.err, "slipway describe other")) << "there is none: " << taken.err;
  expect(run("emulator start --detach"), 6, "next: eval \"$(slipway emulator env)\"");

  expect(run("emulator suspend q"), 0);
  expect(run("wait q --for SUSPENDED --timeout 30s"), 0);
  const std::string next = "next: slipway delete q   (or: slipway create q --recreate ...)";
  for (const char* words : {"run q --command true", "ssh q -- true", "workers q", "reset q --yes"})
    expect(run(words), 6, next);
  expect(run("wait q --for ACTIVE"), 7, next);
  EXPECT_TRUE(has(run("describe q").out, next.substr(6))) << run("describe q").out;
  expect(run("delete q --yes"), 0);
}

TEST_F(Lifecycle, AFailedOneWithSlicesLeftNeedsForce) {
  expect(user.slipway({"create", "q", "--node-count", "2", "--accelerator-type", "v4-8", "--wait"}), 0);
  expect(run("emulator fail q --node 1"), 0);
  const Ended deleted = run("delete q --yes --force");
  expect(deleted, 0, "q is deleted");
}

TEST_F(Lifecycle, ASweepDeletesWhatIsDeadAndWhatItListed) {
  for (const char* id : {"alive", "dead-1", "dead-2", "mine"})
    expect(
        user.slipway(create(id, {"--async", "--labels", std::string("who=") + (*id == 'm' ? "me" : "them")})),
        0);
  expect(run("wait alive dead-1 dead-2 mine --timeout 60s"), 0);
  for (const char* id : {"dead-1", "dead-2", "mine"}) expect(run(std::string("emulator suspend ") + id), 0);
  expect(run("wait dead-1 dead-2 mine --for SUSPENDED --timeout 60s"), 0);

  const Ended asked = run("sweep --format value");
  expect(asked, 2, "add --yes");
  EXPECT_TRUE(has(asked.out, "dead-1\tus-central2-b\tSUSPENDED\t")) << asked.out;
  expect(run("sweep --older-than 1h --yes"), 0, "nothing to sweep");
  expect(run("sweep --state ACTIVE"), 2, "'ACTIVE' is not FAILED or SUSPENDED");
  const Ended shown = run("sweep --label who=me --dry-run");
  EXPECT_TRUE(has(shown.out, "DELETE ") && has(shown.out, "/mine?") && !has(shown.out, "dead")) << shown.out;
  expect(run("sweep --label who=them --yes --zone=-"), 0, "deleted 2 of 2");
  EXPECT_EQ(run("list --format value").out.substr(0, 6), "alive\t");
  expect(run("describe mine"), 0);
  expect(run("sweep --yes"), 0, "deleted 1 of 1");
}

/// Somebody whose API is a server that says what its script says.
class ScriptedApi : public ::testing::Test {
 protected:
  std::unique_ptr<Program> start_create(const RawHttpServer& server) {
    user.environment["CLOUDSDK_AUTH_ACCESS_TOKEN"] = "ya29.test";
    auto program = user.start({"create", "q", "--node-id", "n", "--accelerator-type", "v4-8", "--project",
                               "p", "--zone", "z", "--endpoint", server.url()});
    server.wait_for_requests(1);
    return program;
  }
  static bool has_said_it(const std::string&, const std::string& err) { return has(err, "stopping: "); }

  SlipwayUser user;
};

TEST_F(ScriptedApi, ASecondInterruptLeavesARequestWhoseAnswerDoesNotCome) {
  RawHttpServer silent({{"", RawReply::Then::kHang}});
  auto program = start_create(silent);
  program->send(SIGINT);
  ASSERT_TRUE(program->read_until(has_said_it));
  program->send(SIGINT);
  const Ended ended = program->wait(std::chrono::seconds(4));
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
  EXPECT_TRUE(has(ended.err, "why: whether it was done is not known")) << ended.err;
  EXPECT_TRUE(has(ended.err, "next: slipway describe q --project p --zone z")) << ended.err;
}

TEST_F(ScriptedApi, AnInterruptIsToldWhichOperationGoesOn) {
  RawHttpServer server({reply(200, R"({"name":"projects/p/locations/z/operations/o"})")});
  auto program = start_create(server);
  ASSERT_TRUE(program->read_until(
      [](const std::string&, const std::string& err) { return has(err, "requested q: one slice of v4-8"); }));
  program->send(SIGTERM);
  const Ended ended = program->wait();
  EXPECT_EQ(ended.code, 128 + SIGTERM) << ended.err;
  EXPECT_TRUE(has(ended.err, "the operation goes on without us")) << ended.err;
}

}  // namespace
}  // namespace slipway::test
