// The client's room `storage` against the emulator's bucket, over real connections and with answers lost on
// purpose.
#include <gtest/gtest.h>

#include <atomic>

#include "integration/emulator/running_emulator.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/emulator/fault.h"
#include "slipway/http/curl_transport.h"
#include "slipway/storage/bucket.h"

namespace slipway::emulator {
namespace {

using storage::Bucket;
using storage::Condition;
using Text = std::optional<std::string>;

/// A client of its own, as another process would have it.
struct Client {
  explicit Client(const RunningEmulator& emulator)
      : token(trim(*read_file(emulator.exported("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE")))) {
    options.endpoint = emulator.exported("STORAGE_EMULATOR_HOST");
    options.chunk = std::size_t{256} << 10;
  }
  Bucket bucket() {
    return Bucket(transport, clock, {[this] { return Result<Secret>(Secret(token)); }}, "emulator-bucket",
                  options);
  }
  std::string token;
  storage::BucketOptions options;
  http::CurlTransport transport{nullptr, "test"};
  SystemClock clock;
};

void lose_answers(const RunningEmulator& emulator, const std::string& method, int times) {
  Fault fault;
  fault.method = method;
  fault.path = "/upload/storage/";
  fault.cut = Fault::Cut::kAfter;
  fault.times = times;
  ASSERT_TRUE(add_fault(emulator.options.state_dir, fault).ok());
}

TEST(EmulatorBucket, StoresReadsListsAndRemoves) {
  RunningEmulator emulator;
  Client client(emulator);
  Bucket bucket = client.bucket();
  std::string bytes;
  for (int i = 0; i < 600'000; ++i) bytes += static_cast<char>(i * 31 + i / 256);
  const auto large = bucket.put("j/large", bytes, Condition::absent());
  ASSERT_TRUE(large.ok()) << large.error().message() << large.error().why();
  ASSERT_TRUE(bucket.put("j/a b%2F?#", "small").ok());
  ASSERT_TRUE(bucket.put("j/empty", "").ok());
  EXPECT_EQ(bucket.get("j/large")->bytes, bytes);
  EXPECT_EQ(bucket.get("j/a b%2F?#")->bytes, "small");
  EXPECT_EQ(bucket.get("j/empty")->bytes, "");
  EXPECT_EQ(bucket.stat("j/large")->size, bytes.size());
  const auto listing = bucket.list({"j/", "/", "", 0});
  ASSERT_TRUE(listing.ok());
  EXPECT_EQ(listing->objects.size(), 3U);
  EXPECT_EQ(bucket.put("j/large", "x", Condition::absent()).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(bucket.remove("j/large", Condition::unchanged(large->generation + 1)).error().code(),
            ErrorCode::kConflict);
  EXPECT_TRUE(*bucket.remove("j/large", Condition::unchanged(large->generation)));
  EXPECT_FALSE(*bucket.remove("j/large"));
}

TEST(EmulatorBucket, AWriteWhoseAnswerIsLostHappensOnceAndIsOurs) {
  RunningEmulator emulator;
  Client client(emulator);
  Bucket bucket = client.bucket();
  lose_answers(emulator, "POST", 1);
  const auto stored = bucket.put("o", "mine", Condition::absent());
  ASSERT_TRUE(stored.ok()) << stored.error().message() << stored.error().why();
  EXPECT_EQ(bucket.stat("o")->generation, stored->generation);
}

TEST(EmulatorBucket, ALargeUploadSurvivesTheLossOfItsLastAnswer) {
  RunningEmulator emulator;
  Client client(emulator);
  Bucket bucket = client.bucket();
  lose_answers(emulator, "PUT", 3);
  const std::string bytes(600'000, 'x');
  const auto stored = bucket.put("o", bytes, Condition::absent());
  ASSERT_TRUE(stored.ok()) << stored.error().message() << stored.error().why();
  EXPECT_EQ(bucket.get("o")->bytes, bytes);
}

TEST(EmulatorBucket, ManyWhoCountTogetherLoseNoCount) {
  RunningEmulator emulator;
  constexpr int kClients = 8;
  constexpr int kTimes = 5;
  std::vector<std::thread> counters;
  std::atomic<int> counted{0};
  for (int i = 0; i < kClients; ++i) {
    counters.emplace_back([&] {
      Client client(emulator);
      Bucket bucket = client.bucket();
      for (int n = 0; n < kTimes; ++n) {
        const auto updated =
            bucket.update("count", [](const std::optional<storage::Object>& now) -> Result<Text> {
              return Text(std::to_string(now ? std::stoi(now->bytes) + 1 : 1));
            });
        counted += updated.ok() ? 1 : 0;
      }
    });
  }
  for (std::thread& counter : counters) counter.join();
  Client client(emulator);
  EXPECT_EQ(counted, kClients * kTimes);
  EXPECT_EQ(client.bucket().get("count")->bytes, std::to_string(kClients * kTimes));
}

}  // namespace
}  // namespace slipway::emulator
