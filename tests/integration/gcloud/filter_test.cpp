// Our filter language held against gcloud's own code, on the same documents.
#include "slipway/report/filter.h"

#include <gtest/gtest.h>

#include <map>

#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace slipway::report {
namespace {

using test::Ended;
using test::TempFolder;

constexpr std::chrono::system_clock::time_point kNow{std::chrono::seconds(1'795'000'000)};

/// Where we do otherwise on purpose, with the reason.
const std::map<std::string, std::string>& exceptions() {
  static const std::map<std::string, std::string> known = {};
  return known;
}

std::string read(const std::string& name) {
  const Result<std::string> text = read_file(std::string(SLIPWAY_GCLOUD_FOLDER "/") + name);
  EXPECT_TRUE(text.ok()) << name;
  return text.ok() ? *text : "";
}

std::vector<std::string> filters() {
  std::vector<std::string> lines = split(trim(read("filters.txt")), '\n');
  return lines;
}

/// The numbers of the documents that our filter lets through; null when it is refused.
Json ours(const std::string& text, const Json& documents) {
  const Result<Filter> filter = Filter::parse(text, kNow);
  if (!filter.ok()) return nullptr;
  Json chosen = Json::array();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (filter.value().matches(documents[i])) chosen.push_back(i);
  }
  return chosen;
}

/// What gcloud's code answers; nothing where there is no gcloud.
std::optional<Json> gclouds(const Json& documents, const std::vector<std::string>& texts) {
  const TempFolder folder;
  const Result<void> written =
      write_file_atomically(folder / "asked.json", dump_json({{"documents", documents}, {"filters", texts}}));
  EXPECT_TRUE(written.ok());
  const std::string script =
      "where=$(gcloud info --format='value(basic.python_location,installation.sdk_root)') || exit 69\n"
      "root=$(printf %s \"$where\" | cut -f2)\n"
      "PYTHONPATH=$root/lib:$root/lib/third_party \"$(printf %s \"$where\" | cut -f1)\" " +
      shell_quote(SLIPWAY_GCLOUD_FOLDER "/gcloud_filter.py") + " < " + shell_quote(folder / "asked.json");
  const Ended ended = test::run_program({"/bin/sh", "-c", script}, {{"HOME", folder.path()}, {"TZ", "UTC"}});
  if (ended.code == 69) return std::nullopt;
  EXPECT_EQ(ended.code, 0) << ended.err;
  const Result<Json> answer = parse_json(ended.out);
  EXPECT_TRUE(answer.ok()) << ended.out;
  return answer.ok() ? *answer : Json();
}

TEST(FilterBesideGcloud, EveryExpressionChoosesTheSameDocuments) {
  const Result<Json> documents = parse_json(read("documents.json"));
  ASSERT_TRUE(documents.ok()) << documents.error().why();
  const std::vector<std::string> texts = filters();
  ASSERT_GE(texts.size(), 60U);
  const std::optional<Json> expected = gclouds(*documents, texts);
  if (!expected) GTEST_SKIP() << "gcloud is not installed";
  ASSERT_EQ(expected->size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Json chosen = ours(texts[i], *documents);
    const auto exception = exceptions().find(texts[i]);
    if (exception == exceptions().end()) {
      EXPECT_EQ(chosen, (*expected)[i]) << "for --filter " << texts[i];
    } else {
      EXPECT_NE(chosen, (*expected)[i]) << "no exception any more: " << texts[i];
    }
  }
}

}  // namespace
}  // namespace slipway::report
