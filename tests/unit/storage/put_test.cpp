// Writes, and what becomes of them when answers are lost.
#include <gtest/gtest.h>

#include "slipway/core/format.h"
#include "slipway/http/curl_transport.h"
#include "slipway/storage/bucket.h"
#include "support/fake_transport.h"
#include "support/raw_http_server.h"

namespace slipway::storage {
namespace {

using test::answer;

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr const char* kStored = R"({"name":"o","generation":"8","size":"1"})";

class PutTest : public testing::Test {
 protected:
  Bucket bucket(http::Transport& transport, const std::string& endpoint = "https://storage.googleapis.com") {
    BucketOptions options;
    options.endpoint = endpoint;
    options.chunk = kChunk;
    return Bucket(transport, clock, {[] { return Result<Secret>(Secret("token")); }}, "b", options,
                  [] { return 0.5; });
  }
  /// The mark in the metadata that a multipart request carries.
  static std::string mark_in(const std::string& body) {
    const std::size_t at = body.find("\"slipway-write\":\"") + 17;
    return body.substr(at, body.find('"', at) - at);
  }
  test::FakeClock clock;
};

TEST_F(PutTest, SendsMetadataAndBytesInOneRequest) {
  test::RawHttpServer server({test::reply(200, kStored)});
  http::CurlTransport transport(nullptr, "test");
  const auto stored = bucket(transport, server.url()).put("a/b", "bytes", Condition::absent(), "text/plain");
  ASSERT_TRUE(stored.ok()) << stored.error().why();
  EXPECT_EQ(stored->generation, 8);
  const test::RawRequest request = server.requests()[0];
  EXPECT_EQ(request.line(),
            "POST /upload/storage/v1/b/b/o?uploadType=multipart&ifGenerationMatch=0 HTTP/1.1");
  EXPECT_NE(request.body.find("\r\n\r\nbytes\r\n--"), std::string::npos);
  EXPECT_NE(request.body.find("\"name\":\"a/b\""), std::string::npos);
  EXPECT_NE(request.body.find("\"crc32c\":"), std::string::npos);
}

TEST_F(PutTest, AFailedConditionIsAConflict) {
  test::FakeTransport transport({answer(412, "")});
  EXPECT_EQ(bucket(transport).put("o", "x", Condition::unchanged(3)).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(transport.requests.size(), 1U) << "no answer was lost, so there is nothing to look for";
}

TEST_F(PutTest, KnowsItsOwnWriteAgainAfterALostAnswer) {
  for (const bool ours : {true, false}) {
    test::FakeTransport transport;
    std::string mark;
    transport.respond = [&](const http::Request& request) {
      if (request.method == "GET") {
        const std::string found = ours ? mark : "another";
        return answer(
            200, R"({"name":"o","generation":"8","size":"1","metadata":{"slipway-write":")" + found + "\"}}");
      }
      if (!mark.empty()) return answer(412, "");
      mark = mark_in(request.body);
      return test::lost();
    };
    const auto stored = bucket(transport).put("o", "x", Condition::absent());
    ASSERT_EQ(stored.ok(), ours);
    if (ours) {
      EXPECT_EQ(stored->generation, 8);
    } else {
      EXPECT_EQ(stored.error().code(), ErrorCode::kConflict);
    }
  }
}

/// A server of resumable uploads that takes what it is sent, and can be told to behave badly.
class Uploads {
 public:
  http::Answer operator()(const http::Request& request) {
    if (request.method == "POST") {
      ++sessions;
      held.clear();
      return answer(200, "", {{"location", "https://storage.googleapis.com/session"}});
    }
    if (request.method == "GET") return answer(404, "");
    ++puts;
    if (misbehave) {
      if (auto bad = misbehave(request)) return *bad;
    }
    take(request);
    if (held.size() == total) return answer(200, kStored);
    return progress();
  }

  void take(const http::Request& request) {
    const std::string span = request.headers[0].second.substr(6);
    total = std::stoul(span.substr(span.find('/') + 1));
    if (span[0] == '*') return;
    held = held.substr(0, std::stoul(span)) + request.body;
  }
  http::Answer progress() const {
    return answer(308, "", {{"range", fmt::format("bytes=0-{}", held.size() - 1)}});
  }

  std::function<std::optional<http::Answer>(const http::Request&)> misbehave;
  std::string held;
  std::size_t total = 0;
  int sessions = 0;
  int puts = 0;
};

class LargePutTest : public PutTest {
 protected:
  LargePutTest() {
    for (std::size_t i = 0; i < 2 * kChunk + 5; ++i) bytes += static_cast<char>(i * 7 + i / 256);
    transport.respond = [this](const http::Request& request) { return uploads(request); };
  }
  std::string bytes;
  Uploads uploads;
  test::FakeTransport transport;
};

TEST_F(LargePutTest, GoesInChunks) {
  ASSERT_TRUE(bucket(transport).put("o", bytes, Condition::absent()).ok());
  EXPECT_EQ(uploads.held, bytes);
  EXPECT_EQ(uploads.puts, 3);
  EXPECT_NE(transport.requests[0].url.find("uploadType=resumable&ifGenerationMatch=0"), std::string::npos);
}

TEST_F(LargePutTest, GoesOnWhereTheServerSaysThatItIs) {
  uploads.misbehave = [&](const http::Request& request) -> std::optional<http::Answer> {
    if (uploads.puts != 2) return std::nullopt;
    http::Request half = request;  // the server keeps less than it was sent
    half.body.resize(half.body.size() / 2);
    uploads.take(half);
    return uploads.progress();
  };
  ASSERT_TRUE(bucket(transport).put("o", bytes).ok());
  EXPECT_EQ(uploads.held, bytes);
}

TEST_F(LargePutTest, SurvivesLostAnswersAndABusyServer) {
  uploads.misbehave = [&](const http::Request& request) -> std::optional<http::Answer> {
    if (uploads.puts % 3 == 1) return answer(503, "");
    if (uploads.puts % 3 == 0) return std::nullopt;
    uploads.take(request);
    return test::lost();
  };
  ASSERT_TRUE(bucket(transport).put("o", bytes).ok());
  EXPECT_EQ(uploads.held, bytes);
}

TEST_F(LargePutTest, BeginsAgainWhenTheSessionIsForgotten) {
  uploads.misbehave = [&](const http::Request&) -> std::optional<http::Answer> {
    if (uploads.sessions == 1 && uploads.puts == 2) return answer(410, "");
    return std::nullopt;
  };
  ASSERT_TRUE(bucket(transport).put("o", bytes).ok());
  EXPECT_EQ(uploads.sessions, 2);
  EXPECT_EQ(uploads.held, bytes);
}

TEST_F(LargePutTest, GivesUpOnAServerThatTakesNothing) {
  uploads.misbehave = [](const http::Request&) { return std::optional(answer(308, "")); };
  const auto stored = bucket(transport).put("o", bytes);
  ASSERT_FALSE(stored.ok());
  EXPECT_EQ(stored.error().code(), ErrorCode::kFailed);
  EXPECT_LT(uploads.puts, 10);
}

TEST_F(LargePutTest, SendsTheTokenToNoAddressThatTheServerMadeUp) {
  transport.respond = [](const http::Request&) {
    return answer(200, "", {{"location", "https://evil.example/x"}});
  };
  const auto stored = bucket(transport).put("o", bytes);
  ASSERT_FALSE(stored.ok());
  EXPECT_EQ(stored.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(transport.requests.size(), 1U);
}

}  // namespace
}  // namespace slipway::storage
