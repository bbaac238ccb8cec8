#include "slipway/storage/bucket.h"

#include <gtest/gtest.h>

#include "slipway/core/format.h"
#include "slipway/http/curl_transport.h"
#include "support/fake_transport.h"
#include "support/raw_http_server.h"
#include "support/scoped_env.h"

namespace slipway::storage {
namespace {

using test::answer;
using Text = std::optional<std::string>;

constexpr const char* kHelloHeaders =
    "X-Goog-Generation: 7\r\nX-Goog-Hash: crc32c=NT3Yvg==\r\nX-Goog-Hash: md5=sZRqySSS0jR8YjW00mERhA==\r\n";
constexpr const char* kObject = R"({"name":"o","generation":"8","size":"1"})";

class BucketTest : public testing::Test {
 protected:
  Bucket bucket(http::Transport& transport, const std::string& endpoint = "https://storage.googleapis.com") {
    BucketOptions options;
    options.endpoint = endpoint;
    return Bucket(transport, clock, {[] { return Result<Secret>(Secret("token")); }}, "b", options,
                  [] { return 0.5; });
  }
  static http::Answer media(const std::string& body, const std::string& generation, const std::string& hash) {
    return answer(200, body, {{"x-goog-generation", generation}, {"x-goog-hash", hash}});
  }
  test::FakeClock clock;
};

TEST_F(BucketTest, ReadsAnObjectOverARealConnection) {
  test::RawHttpServer server({test::reply(200, "hello\n", kHelloHeaders)});
  http::CurlTransport transport(nullptr, "test");
  const Result<Object> object = bucket(transport, server.url()).get("a/b c");
  ASSERT_TRUE(object.ok()) << object.error().message() << object.error().why();
  EXPECT_EQ(object->bytes, "hello\n");
  EXPECT_EQ(object->generation, 7);
  EXPECT_EQ(server.requests()[0].line(), "GET /storage/v1/b/b/o/a%2Fb%20c?alt=media HTTP/1.1");
  EXPECT_EQ(server.requests()[0].header("Authorization"), "Bearer token");
}

TEST_F(BucketTest, ABodyThatIsCutShortIsAskedForAgain) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n" + std::string(kHelloHeaders) + "\r\n";
  test::RawHttpServer server({{head + "hel", test::RawReply::Then::kClose},
                              test::reply(503, ""),
                              test::reply(200, "hello\n", kHelloHeaders)});
  http::CurlTransport transport(nullptr, "test");
  const Result<Object> object = bucket(transport, server.url()).get("o");
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->bytes, "hello\n");
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(BucketTest, BytesWithAnotherChecksumAreNoObject) {
  for (const std::string hash : {"crc32c=AAAAAA==", "md5=sZRqySSS0jR8YjW00mERhA==", ""}) {
    test::FakeTransport transport({media("hello\n", "7", hash)});
    const Result<Object> object = bucket(transport).get("o");
    ASSERT_FALSE(object.ok()) << hash;
    EXPECT_EQ(object.error().code(), ErrorCode::kFailed);
  }
}

TEST_F(BucketTest, FindsNothingWhereThereIsNothing) {
  test::FakeTransport transport({answer(404, "")});
  const auto object = bucket(transport).find("o");
  ASSERT_TRUE(object.ok());
  EXPECT_FALSE(object.value());
  EXPECT_EQ(bucket(transport).get("o").error().code(), ErrorCode::kNotFound);
}

TEST_F(BucketTest, ATokenThatIsRefusedIsRenewedOnce) {
  test::FakeTransport transport({answer(401, ""), answer(200, kObject), answer(401, "")});
  int renewed = 0;
  BucketOptions options;
  options.endpoint = "https://storage.googleapis.com";
  Tokens tokens{[&] { return Result<Secret>(Secret(fmt::format("token-{}", renewed))); },
                [&] { return ++renewed > 0; }, "billed"};
  Bucket one(transport, clock, tokens, "b", options);
  ASSERT_TRUE(one.stat("o").ok());
  EXPECT_EQ(transport.requests[1].bearer.reveal(), "token-1");
  EXPECT_EQ(transport.requests[1].headers.back().second, "billed");
  EXPECT_EQ(one.stat("o").error().code(), ErrorCode::kDenied);
  EXPECT_EQ(transport.requests.size(), 4U);
}

TEST_F(BucketTest, TheTokenGoesToNoOtherHost) {
  test::FakeTransport transport({answer(200, kObject)});
  for (const char* endpoint :
       {"https://storage.example", "http://storage.googleapis.com", "https://googleapis.com.example"}) {
    const Result<ObjectInfo> info = bucket(transport, endpoint).stat("o");
    ASSERT_FALSE(info.ok()) << endpoint;
    EXPECT_EQ(info.error().code(), ErrorCode::kUsage);
  }
  EXPECT_TRUE(transport.requests.empty());
}

TEST_F(BucketTest, AListIsAllItsPages) {
  test::FakeTransport transport(
      {answer(200, R"({"items":[{"name":"p/1","generation":"1","size":"1"}],"nextPageToken":"t/1="})"),
       answer(200, R"({"prefixes":["p/a/"]})")});
  const Result<Listing> listing = bucket(transport).list({"p/", "/", "", 0});
  ASSERT_TRUE(listing.ok());
  EXPECT_EQ(listing->objects.size(), 1U);
  EXPECT_EQ(listing->prefixes, std::vector<std::string>{"p/a/"});
  ASSERT_EQ(transport.requests.size(), 2U);
  EXPECT_NE(transport.requests[1].url.find("pageToken=t%2F1%3D"), std::string::npos);
}

TEST_F(BucketTest, AListWhosePagesGoInACircleEnds) {
  test::FakeTransport transport({answer(200, R"({"nextPageToken":"again"})")});
  EXPECT_TRUE(bucket(transport).list({}).ok());
  EXPECT_EQ(transport.requests.size(), 2U);
}

TEST_F(BucketTest, ARemovalSaysWhetherThereWasAnything) {
  test::FakeTransport transport(
      {answer(204, ""), answer(404, ""), test::lost(), answer(404, ""), answer(412, "")});
  Bucket one = bucket(transport);
  EXPECT_TRUE(*one.remove("o", Condition::unchanged(7)));
  EXPECT_NE(transport.requests[0].url.find("ifGenerationMatch=7"), std::string::npos);
  EXPECT_FALSE(*one.remove("o"));
  EXPECT_TRUE(*one.remove("o")) << "the try whose answer was lost has removed it";
  EXPECT_EQ(one.remove("o").error().code(), ErrorCode::kConflict);
}

TEST_F(BucketTest, AnUpdateBeginsAgainWhenSomebodyElseWasFaster) {
  test::FakeTransport transport;
  int generation = 1;
  transport.respond = [&](const http::Request& request) {
    if (request.method == "GET") return media("hello\n", std::to_string(generation), "crc32c=NT3Yvg==");
    const std::string condition = fmt::format("ifGenerationMatch={}", generation);
    if (generation == 3 && request.url.find(condition) != std::string::npos) return answer(200, kObject);
    ++generation;
    return answer(412, "");
  };
  int rounds = 0;
  const auto updated = bucket(transport).update("o", [&](const std::optional<Object>& now) -> Result<Text> {
    ++rounds;
    return Text("after " + now->bytes);
  });
  ASSERT_TRUE(updated.ok());
  EXPECT_TRUE(updated.value());
  EXPECT_EQ(rounds, 3);
}

TEST_F(BucketTest, AnUpdateThatNeverWinsEnds) {
  test::FakeTransport transport;
  transport.respond = [&](const http::Request& request) {
    return answer(request.method == "GET" ? 404 : 412, "");
  };
  int rounds = 0;
  const auto updated = bucket(transport).update("o", [&](const std::optional<Object>&) -> Result<Text> {
    ++rounds;
    return Text("x");
  });
  ASSERT_FALSE(updated.ok());
  EXPECT_EQ(updated.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(rounds, 30);
}

TEST_F(BucketTest, AnUpdateThatChangesNothingWritesNothing) {
  test::FakeTransport transport({answer(404, "")});
  const auto updated =
      bucket(transport).update("o", [](const std::optional<Object>&) -> Result<Text> { return Text(); });
  ASSERT_TRUE(updated.ok());
  EXPECT_FALSE(updated.value());
  EXPECT_EQ(transport.requests.size(), 1U);
}

TEST(StorageEndpoint, IsTheEmulatorsWhereOneIsNamed) {
  const test::ScopedEnv unset("STORAGE_EMULATOR_HOST", std::nullopt);
  EXPECT_EQ(endpoint_from_environment(), "https://storage.googleapis.com");
  const test::ScopedEnv bare("STORAGE_EMULATOR_HOST", "127.0.0.1:8080");
  EXPECT_EQ(endpoint_from_environment(), "http://127.0.0.1:8080");
  const test::ScopedEnv url("STORAGE_EMULATOR_HOST", "http://localhost:8080/");
  EXPECT_EQ(endpoint_from_environment(), "http://localhost:8080");
}

}  // namespace
}  // namespace slipway::storage
