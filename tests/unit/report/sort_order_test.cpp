#include "slipway/report/sort_order.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slipway::report {
namespace {

std::string sorted(const std::string& by, const std::string& documents) {
  const Result<SortOrder> order = SortOrder::parse(by);
  EXPECT_TRUE(order.ok()) << by;
  const Json list = parse_json(documents).value();
  std::vector<Json> items(list.begin(), list.end());
  std::stable_sort(items.begin(), items.end(), [&](const Json& a, const Json& b) {
    return order->before(order->key_of(a), order->key_of(b));
  });
  std::string ids;
  for (const Json& item : items) ids += string_member(item, "id");
  return ids;
}

TEST(SortOrder, NumbersInNamesCount) {
  EXPECT_LT(compare_naturally("v4-8", "v4-16"), 0);
  EXPECT_LT(compare_naturally("a9b", "a10b"), 0);
  EXPECT_EQ(compare_naturally("a007", "a7"), 0);
  EXPECT_LT(compare_naturally("a", "ab"), 0);
  EXPECT_GT(compare_naturally("9999999999999999999999", "8888888888888888888888"), 0);
}

TEST(SortOrder, SeveralFieldsEachWithItsOwnDirection) {
  const std::string documents = R"([{"id": "1", "a": "x", "b": 1}, {"id": "2", "a": "y", "b": 2},
                                    {"id": "3", "a": "x", "b": 3}, {"id": "4"}])";
  EXPECT_EQ(sorted("a", documents), "4132") << "nothing first, equals as they came";
  EXPECT_EQ(sorted("~a", documents), "2134");
  EXPECT_EQ(sorted("a,~b", documents), "4312");
  EXPECT_EQ(sorted("~b", documents), "3214");
}

TEST(SortOrder, AListCountsByItsFirstItem) {
  EXPECT_EQ(
      sorted(
          "l[].n",
          R"([{"id": "1", "l": [{"n": 2}]}, {"id": "2", "l": [{"n": 1}, {"n": 9}]}, {"id": "3", "l": []}])"),
      "321");
}

TEST(SortOrder, WhatCannotBeReadIsRefused) {
  for (const char* text : {"~", "a,", ",a", "a b", "a=1"})
    EXPECT_EQ(SortOrder::parse(text).error().code(), ErrorCode::kUsage) << text;
  EXPECT_TRUE(SortOrder::parse("")->is_empty());
}

}  // namespace
}  // namespace slipway::report
