#include "tunnel/websocket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipway::tunnel {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kKey = "dGhlIHNhbXBsZSBub25jZQ==";  // RFC 6455 section 1.3, with the answer that it gives
const std::string kGood =
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n"
    "SEC-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: p\r\n\r\n";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

TEST(WebSocketUpgrade, AsksAndIsAnsweredAsTheRfcsExample) {
  EXPECT_EQ(accept_of(kKey), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  const std::string request =
      upgrade_request({"relay.example", "/v4/connect?a=b", {{"Origin", "o"}}, "p"}, kKey);
  EXPECT_THAT(request, StartsWith("GET /v4/connect?a=b HTTP/1.1\r\nHost: relay.example\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nOrigin: o\r\n\r\n"));
  EXPECT_TRUE(check_upgrade(kGood, kKey, "p").ok());
}

TEST(WebSocketUpgrade, AnotherAnswerIsTakenForWhatItIs) {
  EXPECT_EQ(check_upgrade("HTTP/1.1 403 Forbidden\r\n\r\n", kKey, "p").error().code(), ErrorCode::kDenied);
  EXPECT_EQ(check_upgrade("HTTP/1.1 401 No\r\n\r\n", kKey, "p").error().code(), ErrorCode::kDenied);
  EXPECT_EQ(check_upgrade("HTTP/1.1 502 Bad\r\n\r\n", kKey, "p").error().code(), ErrorCode::kUnavailable);
  for (const std::string& head : {"SSH-2.0-OpenSSH\r\n\r\n"s, "HTTP/1.1 "s, replaced(kGood, "s3pP", "S3pP"),
                                  replaced(kGood, "Protocol: p", "Protocol: q"),
                                  replaced(kGood, "upgrade: WebSocket", "upgrade: h2c")}) {
    EXPECT_EQ(check_upgrade(head, kKey, "p").error().code(), ErrorCode::kFailed) << head;
  }
}

/// A server's frame.
std::string frame(unsigned first, const std::string& payload) {
  std::string text(1, static_cast<char>(first));
  if (payload.size() < 126) return text + static_cast<char>(payload.size()) + payload;
  text += static_cast<char>(126);
  text += static_cast<char>(payload.size() >> 8);
  return text + static_cast<char>(payload.size() & 0xff) + payload;
}

TEST(WebSocketMessages, ComeWholeHoweverTheirBytesArrive) {
  const std::string large(70'000, 'x');
  const std::string wire = frame(0x82, "one") + frame(0x02, "tw") + frame(0x89, "ping") + frame(0x80, "o") +
                           "\x82\x7f\0\0\0\0\0\1\x11\x70"s + large + frame(0x88, "\x0f\xa3gone");
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, wire.size()}) {
    MessageReader reader;
    std::vector<Message> messages;
    for (std::size_t at = 0; at < wire.size(); at += piece) {
      reader.feed(std::string_view(wire).substr(at, piece));
      while (true) {
        auto next = reader.next();
        ASSERT_TRUE(next.ok()) << next.error().message();
        if (!*next) break;
        messages.push_back(std::move(**next));
      }
    }
    ASSERT_EQ(messages.size(), 5U) << piece;
    EXPECT_EQ(messages[0].payload, "one");
    EXPECT_EQ(messages[1].opcode, Opcode::kPing) << "a control frame between two fragments";
    EXPECT_EQ(messages[2].payload, "two");
    EXPECT_EQ(messages[3].payload, large);
    EXPECT_EQ(messages[4].close_code(), 4003);
    EXPECT_EQ(messages[4].close_reason(), "gone");
  }
}

TEST(WebSocketMessages, ThatNoServerMaySendAreErrors) {
  for (const std::string& wire : {"\x82\x83"s + "maskabc", "\xc2\1x"s, frame(0x09, "ping in parts"),
                                  frame(0x80, "a fragment of nothing"), frame(0x02, "a") + frame(0x82, "b"),
                                  "\x89\x7e\0\x7e"s, "\x82\x7f\0\0\0\1\0\0\0\0"s}) {
    MessageReader reader;
    reader.feed(wire);
    Result<std::optional<Message>> next = reader.next();
    if (next.ok()) next = reader.next();
    EXPECT_FALSE(next.ok());
  }
}

TEST(WebSocketMessages, OfOursAreMaskedInEverySize) {
  EXPECT_EQ(masked_frame(Opcode::kBinary, "Hello", 0x37fa213d),
            "\x82\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"s)
      << "RFC 6455 section 5.7, as a binary one";
  EXPECT_EQ(masked_frame(Opcode::kBinary, std::string(300, 'x'), 0).substr(0, 4), "\x82\xfe\x01\x2c"s);
  EXPECT_EQ(masked_frame(Opcode::kBinary, std::string(70'000, 'x'), 0).substr(0, 10),
            "\x82\xff\0\0\0\0\0\1\x11\x70"s);
}

}  // namespace
}  // namespace slipway::tunnel
