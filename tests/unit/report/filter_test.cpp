// The rules one by one; tests/integration/gcloud holds the whole language against gcloud's own code.
#include "slipway/report/filter.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

constexpr std::chrono::system_clock::time_point kNow{std::chrono::seconds(1'795'000'000)};  // 2026-11-18

bool matches(const std::string& text, const std::string& document) {
  const Result<Filter> filter = Filter::parse(text, kNow);
  EXPECT_TRUE(filter.ok()) << text << ": " << (filter.ok() ? "" : filter.error().message());
  return filter.ok() && filter.value().matches(parse_json(document).value());
}

Error refusal(const std::string& text) {
  const Result<Filter> filter = Filter::parse(text, kNow);
  EXPECT_FALSE(filter.ok()) << text;
  return filter.ok() ? Error(ErrorCode::kFailed, "") : filter.error();
}

TEST(Filter, AnEmptyOneLetsEverythingThrough) {
  EXPECT_TRUE(matches("", "{}"));
  EXPECT_TRUE(matches("  ", "{}"));
}

TEST(Filter, EqualIsBlindToCaseAndRegularExpressionsAreNot) {
  EXPECT_TRUE(matches("s=active", R"({"s": "ACTIVE"})"));
  EXPECT_FALSE(matches("s~active", R"({"s": "ACTIVE"})"));
  EXPECT_TRUE(matches("s~'(?i)active'", R"({"s": "ACTIVE"})"));
}

TEST(Filter, NumbersAndTimesAreComparedAsSuch) {
  EXPECT_TRUE(matches("n>9", R"({"n": "10"})")) << "int64 travels as a string";
  EXPECT_TRUE(matches("n=10.0", R"({"n": 10})"));
  EXPECT_TRUE(matches("t>2026-11-17", R"({"t": "2026-11-17T00:30:00+00:00"})"));
  EXPECT_FALSE(matches("t>2026-11-17", R"({"t": "2026-11-17T00:30:00+02:00"})"))
      << "that is the day before, UTC";
  EXPECT_TRUE(matches("t<-P1D", R"({"t": "2026-11-16T00:00:00Z"})"));
  EXPECT_FALSE(matches("t<-PT1H", R"({"t": "2026-11-20T00:00:00Z"})"));
  EXPECT_TRUE(matches("t:2026-11-17", R"({"t": "2026-11-17T00:30:00Z"})")) << "':' looks at the text";
}

TEST(Filter, AndBindsTermsAndParenthesesGroupThem) {
  const std::string document = R"({"a": 1, "b": 2, "c": 3})";
  EXPECT_TRUE(matches("a=1 b=2", document));
  EXPECT_FALSE(matches("a=1 b=3", document));
  EXPECT_TRUE(matches("a=9 OR b=2", document));
  EXPECT_TRUE(matches("(a=9 OR b=2) AND NOT c=4", document));
  EXPECT_TRUE(matches("a=9 OR b=2 c=3", document)) << "side by side binds last, as in gcloud";
  EXPECT_FALSE(matches("a=1 OR b=2 c=4", document));
}

TEST(Filter, ErrorsShowThePlaceWithACaret) {
  EXPECT_EQ(refusal("a=1 AND b=2 OR c=3").message(), "--filter: AND and OR side by side need parentheses");
  EXPECT_EQ(refusal("a=1 AND b=2 OR c=3").why(), "a=1 AND b=2 OR c=3\n            ^");
  EXPECT_EQ(refusal("(a=1").why(), "(a=1\n^");
  EXPECT_EQ(refusal("a=1)").why(), "a=1)\n   ^");
  EXPECT_EQ(refusal("a=\"x").why(), "a=\"x\n  ^");
  EXPECT_EQ(refusal("n~'[a'").message(),
            "--filter: not a regular expression that slipway understands (ECMAScript's)");
  for (const char* text :
       {"a=", "=1", "a==1", "AND", "a=1 AND", "NOT", "()", "a:(", "a:()", "a:*b*", "a.!=x"})
    EXPECT_EQ(refusal(text).code(), ErrorCode::kUsage) << text;
}

TEST(Filter, AnErrorFarOutIsShownWithItsSurroundings) {
  const Error error = refusal(std::string(500, 'a') + "=1 AND \x1b[31m==2");
  EXPECT_LT(error.why().size(), 250U);
  EXPECT_EQ(error.why().find('\x1b'), std::string::npos);
}

TEST(Filter, ALongValueOrAnEvilExpressionTakesNeitherTheStackNorForever) {
  const std::string document = R"({"v": ")" + std::string(100'000, 'a') + R"("})";
  EXPECT_TRUE(matches("v~a$", document));
  EXPECT_FALSE(matches("v~'^(a+)+b$'", R"({"v": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})"));
}

TEST(Filter, DeepParenthesesAreRefusedAndNotFollowed) {
  EXPECT_EQ(refusal(std::string(100'000, '(') + "a=1").message(), "--filter: too many parentheses");
}

TEST(Filter, AnAliasStandsForItsPath) {
  Aliases aliases;
  aliases.emplace("STATE", FieldPath::of({"state", "state"}));
  aliases.emplace("COUNT", FieldPath::parse("alias", "nodes.len()").value());
  const Result<Filter> filter = Filter::parse("STATE=ACTIVE COUNT>1", kNow, aliases);
  ASSERT_TRUE(filter.ok());
  EXPECT_TRUE(
      filter.value().matches(parse_json(R"({"state": {"state": "ACTIVE"}, "nodes": [1, 2]})").value()));
  EXPECT_FALSE(filter.value().matches(parse_json(R"({"state": {"state": "ACTIVE"}, "nodes": [1]})").value()));
}

}  // namespace
}  // namespace slipway::report
