#include "tunnel/relay_stream.h"

#include <gtest/gtest.h>

namespace slipway::tunnel {
namespace {

using namespace std::string_literals;

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  while (bytes-- > 0) text += static_cast<char>(value >> (8 * bytes) & 0xff);
  return text;
}
std::string sid(const std::string& name) { return number(1, 2) + number(name.size(), 4) + name; }
std::string data(const std::string& bytes) { return number(4, 2) + number(bytes.size(), 4) + bytes; }
std::string ack(std::uint64_t total) { return number(7, 2) + number(total, 8); }
std::string reconnected(std::uint64_t total) { return number(2, 2) + number(total, 8); }

RelayStream established() {
  RelayStream stream;
  EXPECT_TRUE(stream.receive(sid("S1")).ok());
  return stream;
}

TEST(RelayStream, SendsNothingBeforeItHasAName) {
  RelayStream stream;
  EXPECT_EQ(stream.write("hello"), 5U);
  EXPECT_FALSE(stream.next_message(true));
  ASSERT_TRUE(stream.receive(sid("S1")).ok());
  EXPECT_EQ(stream.sid(), "S1");
  EXPECT_EQ(stream.next_message(false), data("hello"));
  EXPECT_FALSE(stream.next_message(true));
}

TEST(RelayStream, CutsWhatIsLongAndHoldsBackWhenTooMuchIsUnconfirmed) {
  RelayStream stream = established();
  const std::string much(1 << 20, 'x');
  const std::size_t taken = stream.write(much);
  EXPECT_EQ(taken, std::size_t{256} << 10);
  EXPECT_EQ(stream.write("more"), 0U);
  EXPECT_EQ(stream.next_message(false)->size(), 2U + 4 + 16384);
  ASSERT_TRUE(stream.receive(ack(16384)).ok());
  EXPECT_EQ(stream.write(much), 16384U);
}

TEST(RelayStream, ConfirmsMuchAtOnceAndLittleWhenIdle) {
  RelayStream stream = established();
  ASSERT_TRUE(stream.receive(data("little")).ok());
  EXPECT_EQ(stream.input(), "little");
  EXPECT_TRUE(stream.owes_confirmation());
  EXPECT_FALSE(stream.next_message(false));
  EXPECT_EQ(stream.next_message(true), ack(6));
  EXPECT_FALSE(stream.owes_confirmation());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(stream.receive(data(std::string(16384, 'x'))).ok());
  EXPECT_EQ(stream.next_message(false), ack(6 + 3 * 16384));
}

TEST(RelayStream, AfterAReconnectSendsAgainWhatWasNotConfirmedAndNothingElse) {
  RelayStream stream = established();
  stream.write("abcdef");
  ASSERT_TRUE(stream.next_message(false));
  ASSERT_TRUE(stream.receive(ack(2)).ok());
  stream.interrupt();
  stream.write("ghi");
  EXPECT_FALSE(stream.next_message(true)) << "not before the relay has said where to go on";
  ASSERT_TRUE(stream.receive(reconnected(4)).ok());
  EXPECT_EQ(stream.next_message(false), data("efghi"));
  ASSERT_TRUE(stream.receive(ack(9)).ok());
  EXPECT_FALSE(stream.next_message(false));
}

TEST(RelayStream, TagsThatItDoesNotKnowAreForOthers) {
  RelayStream stream = established();
  EXPECT_TRUE(stream.receive(number(0x99, 2) + "whatever").ok());
}

TEST(RelayStream, WhatBreaksTheProtocolIsAnError) {
  for (const std::string& message :
       {""s, "\0"s, number(4, 2) + number(10, 4) + "short", number(7, 2) + "1", ack(1), sid("S2"), sid(""),
        number(1, 2) + number(0xffffffff, 4), reconnected(1)}) {
    RelayStream stream = established();
    EXPECT_FALSE(stream.receive(message).ok());
  }
  RelayStream nameless;
  EXPECT_FALSE(nameless.receive(data("x")).ok());
  EXPECT_FALSE(nameless.receive(reconnected(0)).ok());
}

}  // namespace
}  // namespace slipway::tunnel
