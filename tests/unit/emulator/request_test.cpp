#include "emulator/request.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

ApiRequest get(std::multimap<std::string, std::string> query) {
  return {"GET", "/x", std::move(query), "", "", ""};
}

TEST(Route, NamesEveryPartOfAPath) {
  const auto route = parse_route("/v2alpha1/projects/p/locations/z/queuedResources/q:reset");
  ASSERT_TRUE(route.has_value());
  EXPECT_EQ(route->version, ApiVersion::kV2Alpha1);
  EXPECT_EQ(route->project, "p");
  EXPECT_EQ(route->location, "z");
  EXPECT_EQ(route->collection, "queuedResources");
  EXPECT_EQ(route->id, "q");
  EXPECT_EQ(route->verb, "reset");
}

TEST(Route, ALocationIsItsOwnCollection) {
  EXPECT_EQ(parse_route("/v2/projects/p/locations")->collection, "locations");
  EXPECT_EQ(parse_route("/v2/projects/p/locations")->location, "");
  EXPECT_EQ(parse_route("/v2/projects/p/locations/z")->location, "z");
}

TEST(Route, OtherPathsAreNone) {
  for (const char* path : {"", "/", "/v2", "/v3/projects/p/locations/z/nodes",
                           "/v2/projects//locations/z/nodes", "/v2/folders/p/locations/z",
                           "/v2/projects/p/locations/z/nodes/n/more", "v2/projects/p/locations/z"}) {
    EXPECT_FALSE(parse_route(path).has_value()) << path;
  }
}

TEST(Query, UnknownAndRepeatedParametersAreErrors) {
  EXPECT_FALSE(
      check_query(get({{"alt", "json"}, {"$.xgafv", "2"}, {"force", "True"}}), {"force"}).has_value());
  EXPECT_TRUE(check_query(get({{"force", "True"}}), {}).has_value());
  EXPECT_TRUE(check_query(get({{"force", "True"}, {"force", "True"}}), {"force"}).has_value());
}

TEST(Query, AFlagIsTrueInAnyCase) {
  bool value = false;
  EXPECT_FALSE(read_flag(get({{"force", "True"}}), "force", value).has_value());
  EXPECT_TRUE(value);
  EXPECT_FALSE(read_flag(get({}), "force", value).has_value());
  EXPECT_FALSE(value);
  EXPECT_TRUE(read_flag(get({{"force", "yes"}}), "force", value).has_value());
}

TEST(Pages, TogetherHoldEveryItemOnce) {
  const std::vector<Json> items = {1, 2, 3, 4, 5};
  std::vector<Json> seen;
  std::string token;
  int pages = 0;
  do {
    const Answer answer = list_answer(get({{"pageSize", "2"}, {"pageToken", token}}), "things", items);
    for (const Json& item : answer.body["things"]) seen.push_back(item);
    token = string_member(answer.body, "nextPageToken");
    ++pages;
  } while (!token.empty());
  EXPECT_EQ(seen, items);
  EXPECT_EQ(pages, 3);
}

TEST(Pages, AnEmptyListHasNoKey) { EXPECT_EQ(dump_json(list_answer(get({}), "things", {}).body), "{}"); }

TEST(Pages, MadeUpTokensAndSizesAreErrors) {
  EXPECT_EQ(list_answer(get({{"pageToken", "next"}}), "things", {}).status, 400);
  EXPECT_EQ(list_answer(get({{"pageSize", "-1"}}), "things", {}).status, 400);
  EXPECT_EQ(list_answer(get({{"pageSize", "99999999999999999999"}}), "things", {}).status, 400);
}

TEST(ResourceId, FollowsTheGrammarOfTheApi) {
  for (const char* id : {"a", "A-1", "x.y_z~+%", "0"}) EXPECT_TRUE(is_resource_id(id)) << id;
  for (const char* id : {"", "a b", "a/b", "a:b", "\xc3\xa9"}) EXPECT_FALSE(is_resource_id(id)) << id;
}

}  // namespace
}  // namespace slipway::emulator
