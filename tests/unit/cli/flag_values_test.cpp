#include "cli/flag_values.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

using Dict = std::map<std::string, std::string>;

TEST(ParseDict, TakesListsAndRepetitions) {
  EXPECT_EQ(parse_dict("--labels", {"a=1,b=2", "c=x=y"}).value(),
            (Dict{{"a", "1"}, {"b", "2"}, {"c", "x=y"}}));
  EXPECT_EQ(parse_dict("--labels", {"a="}).value(), (Dict{{"a", ""}}));
  EXPECT_EQ(parse_dict("--labels", {}).value(), Dict{});
}

TEST(ParseDict, TakesAnotherSeparatorAsGcloudDoes) {
  EXPECT_EQ(parse_dict("--metadata", {"^:^a=1,2:b=3"}).value(), (Dict{{"a", "1,2"}, {"b", "3"}}));
  EXPECT_EQ(parse_dict("--metadata", {"^--^a=1,2--b=3"}).value(), (Dict{{"a", "1,2"}, {"b", "3"}}));
}

TEST(ParseDict, RefusesWhatIsNoPairAndAKeyGivenTwice) {
  for (const std::string bad : {"a", "=1", "a=1,b"})
    EXPECT_EQ(parse_dict("--x", {bad}).error().code(), ErrorCode::kUsage) << bad;
  EXPECT_NE(parse_dict("--x", {"a=1", "a=2"}).error().message().find("'a' is given twice"),
            std::string::npos);
}

TEST(ParseList, JoinsRepetitions) {
  EXPECT_EQ(parse_list({"a,b", "c", ""}), (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace slipway::cli
