#include "slipway/core/json.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(dump_json(parse_json(R"({"b":1,"a":[true,null,"x"]})").value()),
            R"({"b":1,"a":[true,null,"x"]})");
}

TEST(ParseJson, RefusesDeepNestingInsteadOfOverflowing) {
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']')).ok());
  EXPECT_FALSE(parse_json(std::string(65, '[') + std::string(65, ']')).ok());
  EXPECT_FALSE(parse_json(std::string(200'000, '[')).ok());
  EXPECT_FALSE(parse_json(std::string(200'000, '[') + std::string(200'000, ']')).ok());
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
  const auto result = parse_json(R"({"a":{"x":1,"x":2}})");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().why().find("'x' stands twice"), std::string::npos);
  EXPECT_TRUE(parse_json(R"({"a":{"x":1},"b":{"x":2}})").ok());
}

TEST(ParseJson, RefusesWhatIsNoJson) {
  for (const char* bad : {"", "<html>", "{", "{\"a\":1}x", "\xff"}) EXPECT_FALSE(parse_json(bad).ok()) << bad;
}

TEST(DumpJson, ReplacesBytesThatAreNoUtf8) { EXPECT_EQ(dump_json(Json("a\xff")), "\"a\xef\xbf\xbd\""); }

TEST(JsonMembers, AreLookedUpWithoutThrowing) {
  const Json value =
      parse_json(R"({"n":"9000000000000000000","i":4,"s":"x","z":null,"o":{"p":{"q":"r"}}})").value();
  EXPECT_EQ(int_member(value, "n"), 9'000'000'000'000'000'000);
  EXPECT_EQ(int_member(value, "i"), 4);
  EXPECT_FALSE(int_member(value, "s"));
  EXPECT_EQ(string_member(value, "s"), "x");
  EXPECT_EQ(string_member(value, "i"), "");
  EXPECT_EQ(find_member(value, "z"), nullptr);
  EXPECT_EQ(find_member(Json(3), "z"), nullptr);
  ASSERT_NE(find_path(value, {"o", "p"}), nullptr);
  EXPECT_EQ(string_member(*find_path(value, {"o", "p"}), "q"), "r");
  EXPECT_EQ(find_path(value, {"o", "x", "q"}), nullptr);
}

}  // namespace
}  // namespace slipway
