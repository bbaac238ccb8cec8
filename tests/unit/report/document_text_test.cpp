#include "slipway/report/document_text.h"

#include <gtest/gtest.h>

#include <random>

#include "slipway/core/text.h"
#include "slipway/core/yaml.h"

namespace slipway::report {
namespace {

/// What a reader of YAML makes of it, every scalar as its text.
Json as_texts(const YamlValue& value) {
  if (value.kind == YamlValue::Kind::kMap) {
    Json object = Json::object();
    for (const YamlValue::Entry& entry : value.entries) object[entry.key] = as_texts(entry.value);
    return object;
  }
  if (value.kind == YamlValue::Kind::kList) {
    Json list = Json::array();
    for (const YamlValue& item : value.items) list.push_back(as_texts(item));
    return list;
  }
  return value.text;
}

Json read_back(const Json& document) {
  const std::string text = to_yaml(document);
  const Result<YamlValue> parsed = parse_yaml(text, "test");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message()) << "\n" << text;
  return parsed.ok() ? as_texts(*parsed) : Json();
}

TEST(Yaml, LooksAsGclouds) {
  const Json document =
      parse_json(
          R"({"createTime": "2026-11-19T10:00:00.123456Z", "spot": {}, "l": [], "tpu": {"nodeSpec": [
              {"nodeId": "a-0", "node": {"enableExternalIps": true, "count": 4}}, {"nodeId": "a-1"}]}, "nothing": null})")
          .value();
  EXPECT_EQ(to_yaml(document),
            "createTime: '2026-11-19T10:00:00.123456Z'\nspot: {}\nl: []\ntpu:\n  nodeSpec:\n  - nodeId: a-0\n"
            "    node:\n      enableExternalIps: true\n      count: 4\n  - nodeId: a-1\nnothing: null\n");
}

TEST(Yaml, LongTextsAreBlocks) {
  EXPECT_EQ(to_yaml({{"script", "#!/bin/sh\n  echo 'a: b'\n"}}), "script: |\n  #!/bin/sh\n    echo 'a: b'\n");
  EXPECT_EQ(to_yaml({{"script", "a\n\nb"}}), "script: |-\n  a\n\n  b\n");
}

TEST(Yaml, WordsThatMeanSomethingAreQuoted) {
  for (const char* word :
       {"yes",   "No",       "on",   "OFF",        "true", "null", "~",     "",     "1e3", "0x1f",
        "1_000", "12:30:45", ".inf", "2026-11-20", "-",    "- a",  "a: b",  "a #b", "a:",  "*a",
        "&a",    "!a",       "%a",   "@a",         "`a",   "? a",  "<<",    "=",    " a",  "a ",
        "{a}",   "[a]",      "a,b",  "|",          ">",    "'a'",  "\"a\"", "y",    "n",   "NaN"}) {
    const std::string text = to_yaml({{"k", word}});
    EXPECT_TRUE(text[3] == '\'' || text[3] == '"') << text;
    EXPECT_EQ(read_back({{"k", word}})["k"], word);
  }
}

TEST(Yaml, AnyTextComesBackAsItWas) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::string> pieces = {"a",
                                           "B",
                                           "0",
                                           "9",
                                           " ",
                                           "  ",
                                           "\n",
                                           "\n\n",
                                           "\t",
                                           ":",
                                           ": ",
                                           "#",
                                           " #",
                                           "-",
                                           "- ",
                                           "'",
                                           "\"",
                                           "\\",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           ",",
                                           "&",
                                           "*",
                                           "!",
                                           "|",
                                           ">",
                                           "%",
                                           "@",
                                           "`",
                                           "~",
                                           "\x01",
                                           "\x1b[31m",
                                           "\x7f",
                                           "\xc2\x85",
                                           "\xc2\xa0",
                                           "\xe2\x80\xa8",
                                           "\xef\xbb\xbf",
                                           "\xc3\xa9",
                                           "\xe6\x97\xa5",
                                           "\xf0\x9f\x9a\x80",
                                           "\r",
                                           "\r\n",
                                           "...",
                                           "---",
                                           "yes",
                                           "."};
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    for (std::size_t length = random() % 8; length > 0; --length) text += pieces[random() % pieces.size()];
    const Json document = {
        {text, Json::array({text, {{"k", text}, {"l", Json::array({Json::array({text})})}}})}};
    ASSERT_EQ(read_back(document), document) << to_yaml(document);
  }
}

TEST(Csv, QuotesWhatRfc4180WantsQuoted) {
  EXPECT_EQ(csv_record({"a", "b,c", "d\"e", "f\ng", " h", ""}), "a,\"b,c\",\"d\"\"e\",\"f\ng\",\" h\",\n");
}

TEST(CellText, IsGclouds) {
  const auto text = [](const char* json) { return cell_text(parse_json(json).value()); };
  EXPECT_EQ(text("null"), "");
  EXPECT_EQ(text("true"), "True");
  EXPECT_EQ(text("12"), "12");
  EXPECT_EQ(text(R"(["a", null, "b"])"), "a;;b");
  EXPECT_EQ(text(R"({"k": "v", "m": 1})"), "k=v;m=1");
  EXPECT_EQ(text(R"([{"k": [1]}])"), R"({"k":[1]})");
}

}  // namespace
}  // namespace slipway::report
