#include "slipway/core/yaml.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

YamlValue parsed(std::string_view text) {
  Result<YamlValue> value = parse_yaml(text, "f.yaml");
  EXPECT_TRUE(value.ok()) << (value.ok() ? "" : value.error().message());
  return value.ok() ? std::move(value).value() : YamlValue{};
}

std::string refusal(std::string_view text) {
  const Result<YamlValue> value = parse_yaml(text, "f.yaml");
  EXPECT_FALSE(value.ok());
  if (value.ok()) return "";
  EXPECT_EQ(value.error().code(), ErrorCode::kUsage);
  return value.error().message();
}

TEST(Yaml, KeepsScalarsAsTheyWereWritten) {
  const YamlValue value = parsed("a: yes\nb: 0644\nc: \"quoted: text\"\nd: 1e3\n");
  EXPECT_EQ(value.find("a")->text, "yes");
  EXPECT_EQ(value.find("b")->text, "0644");
  EXPECT_EQ(value.find("c")->text, "quoted: text");
  EXPECT_EQ(value.find("d")->text, "1e3");
  EXPECT_EQ(value.find("e"), nullptr);
}

TEST(Yaml, KnowsWhereEachKeyAndValueStands) {
  const YamlValue value = parsed("# a comment\nrun:\n  env: {A: 1}\n");
  const YamlValue::Entry& run = value.entries.at(0);
  EXPECT_EQ(run.place.line, 2);
  const YamlValue::Entry& env = run.value.entries.at(0);
  EXPECT_EQ(env.place.line, 3);
  EXPECT_EQ(env.place.column, 3);
  EXPECT_EQ(yaml_position("f", env.value.entries.at(0).place), "f:3:9");
}

TEST(Yaml, AnEmptyFileIsNull) {
  EXPECT_EQ(parsed("").kind, YamlValue::Kind::kNull);
  EXPECT_EQ(parsed("# only a comment\n").kind, YamlValue::Kind::kNull);
  EXPECT_EQ(parsed("---\n").kind, YamlValue::Kind::kNull);
}

TEST(Yaml, RefusesAKeyTwice) {
  EXPECT_EQ(refusal("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1: the key 'a' stands twice");
}

TEST(Yaml, RefusesASecondDocumentAndAKeyThatIsNoWord) {
  EXPECT_NE(refusal("a: 1\n---\nb: 2\n").find("second document"), std::string::npos);
  EXPECT_NE(refusal("? [a, b]\n: c\n").find("a key must be a word"), std::string::npos);
}

TEST(Yaml, PointsAtWhatIsNotYaml) {
  EXPECT_EQ(refusal("a: 1\nb: [1, 2\n").find("f.yaml:"), 0u);
  EXPECT_EQ(refusal("a: b: c\n").find("f.yaml:1:"), 0u);
  EXPECT_NE(refusal("a: *unknown\n").find("not usable as YAML"), std::string::npos);
}

TEST(Yaml, AnUnclosedQuoteIsAnErrorWhereItBegins) {
  EXPECT_EQ(refusal("zone: \"unclosed\n"), "f.yaml:1:7: the \" that begins here is not closed");
  EXPECT_EQ(refusal("a: b\nzone: 'it''s\n"), "f.yaml:2:7: the ' that begins here is not closed");
  EXPECT_EQ(refusal("a: \"with a \\\" inside\n"), "f.yaml:1:4: the \" that begins here is not closed");
  EXPECT_EQ(refusal("\xef\xbb\xbf# \xc3\xa4\nenv: {\xc3\xa4: '\xc3\xa4'}\nzone: \"d\n"),
            "f.yaml:3:7: the \" that begins here is not closed");
  EXPECT_EQ(refusal("a: &x \"y\n").rfind("f.yaml:1:", 0), 0U);
  EXPECT_EQ(refusal("'key: x\n").rfind("f.yaml:1:1: ", 0), 0U);
}

TEST(Yaml, AClosedQuoteMayHoldWhatItLikes) {
  EXPECT_EQ(parsed("a: 'it''s'\nb: \"x\\\"\\\\\"\nc: \"\"\nd: ''").find("b")->text, "x\"\\");
  EXPECT_EQ(parsed("\xef\xbb\xbf"
                   "a: \"\xc3\xa4\"\nb: &x 'y'\nc: *x\nd: ! plain \"word\n")
                .find("c")
                ->text,
            "y");
  EXPECT_EQ(parsed("a: \"over\n  lines\"\r\nb: 'z'\r\n").find("a")->text, "over lines");
}

TEST(Yaml, AnAliasThatMultipliesItselfIsStopped) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += std::string(k == 0 ? "" : ", ") + "*a" + std::to_string(i - 1);
    bomb += "]\n";
  }
  EXPECT_NE(refusal(bomb).find("more than 100,000 values"), std::string::npos);
}

TEST(Yaml, DeepNestingIsAnErrorAndNotACrash) {
  EXPECT_NE(refusal(std::string(100, '[') + std::string(100, ']')).find("64 levels"), std::string::npos);
  EXPECT_FALSE(parse_yaml(std::string(100'000, '['), "f.yaml").ok());
}

}  // namespace
}  // namespace slipway
