// What stands for QR: a queued resource, node:NAME, prefix:P; and what the commands on workers make of it.
#include <gtest/gtest.h>

#include "e2e/slipway_user.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

/// Nodes as tools without queued resources name them: numbers with gaps, slices of unequal size.
class Targets : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user_ = new EmulatorUser();
    create("a", "sp-2", "v4-16");
    create("b", "sp-10", "v4-32");
    create("c", "sp-x-1", "v4-8");
    create("d", "sp-", "v4-8");
    for (const char* id : {"a", "b", "c", "d"})
      user_->slipway({"wait", id, "--for", "READY", "--timeout", "60s"});
  }
  static void TearDownTestSuite() {
    delete user_;
    user_ = nullptr;
  }
  static void create(const std::string& id, const std::string& node, const std::string& type) {
    const Ended ended = user_->slipway({"create", id, "--node-id", node, "--accelerator-type", type,
                                        "--runtime-version", "tpu-ubuntu2204-base", "--wait"});
    ASSERT_EQ(ended.code, 0) << ended.err;
  }
  /// The first columns of `workers`: "sp-2 0,sp-2 1".
  static std::string workers(const std::vector<std::string>& words) {
    std::vector<std::string> all{"workers", "--format", "json"};
    all.insert(all.end(), words.begin(), words.end());
    const Ended ended = user_->slipway(all);
    EXPECT_EQ(ended.code, 0) << ended.err;
    const Result<Json> rows = parse_json(ended.out);
    std::string text;
    if (!rows.ok()) return ended.out;
    for (const Json& row : *rows) {
      text += (text.empty() ? "" : ",") + row["slice"].get<std::string>() + " " +
              std::to_string(row["worker"].get<int>());
    }
    return text;
  }

  static EmulatorUser* user_;
};
EmulatorUser* Targets::user_ = nullptr;

TEST_F(Targets, ANodeIsReachedByItsOwnName) {
  EXPECT_EQ(workers({"node:sp-2"}), "sp-2 0,sp-2 1");
  const Ended ended = user_->slipway({"run", "node:sp-2", "--command", "echo here"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("sp-2/1: here\n"), std::string::npos) << ended.out;
}

TEST_F(Targets, APrefixIsItsNumberedNodesInTheOrderOfTheirNumbers) {
  EXPECT_EQ(workers({"prefix:sp"}), "sp-2 0,sp-2 1,sp-10 0,sp-10 1,sp-10 2,sp-10 3");
  EXPECT_EQ(workers({"prefix:sp-x"}), "sp-x-1 0");
}

TEST_F(Targets, AWorkerThatOnlyTheLargerSliceHasIsLeftOutOfTheOther) {
  EXPECT_EQ(workers({"prefix:sp", "--worker", "1-3"}), "sp-2 1,sp-10 1,sp-10 2,sp-10 3");
  EXPECT_EQ(workers({"prefix:sp", "--node", "sp-10", "--worker", "0"}), "sp-10 0");
  const Ended none = user_->slipway({"workers", "prefix:sp", "--worker", "4"});
  EXPECT_EQ(none.code, 2) << none.err;
}

TEST_F(Targets, RanksAndTheCoordinatorGoOverAllOfThem) {
  const Ended ended = user_->slipway(
      {"run", "prefix:sp", "--rank-env", "--megascale-env", "--jax-env", "--command",
       "echo $SLIPWAY_PROCESS_ID/$SLIPWAY_NUM_PROCESSES $JAX_PROCESS_ID/$JAX_NUM_PROCESSES "
       "$MEGASCALE_SLICE_ID/$MEGASCALE_NUM_SLICES $MEGASCALE_COORDINATOR_ADDRESS $SLIPWAY_COORDINATOR"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Result<Json> rows = parse_json(user_->slipway({"workers", "node:sp-2", "--format", "json"}).out);
  const std::string first = (*rows)[0]["ipAddress"].get<std::string>();
  EXPECT_NE(ended.out.find("sp-10/3: 5/6 5/6 1/2 " + first + ":8081 " + first + "\n"), std::string::npos)
      << ended.out;
}

TEST_F(Targets, WhatIsNotThereIsSaidByName) {
  const Ended prefix = user_->slipway({"workers", "prefix:nothing"});
  EXPECT_EQ(prefix.code, 5);
  EXPECT_NE(prefix.err.find("nothing-<number>"), std::string::npos) << prefix.err;
  const Ended node = user_->slipway({"run", "node:nothing", "--command", "true"});
  EXPECT_EQ(node.code, 5);
  EXPECT_NE(node.err.find("'nothing'"), std::string::npos) << node.err;
}

}  // namespace
}  // namespace slipway::test
