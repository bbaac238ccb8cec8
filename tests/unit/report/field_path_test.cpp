#include "slipway/report/field_path.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

const Json& document() {
  static const Json parsed = parse_json(R"({
    "name": "projects/p/locations/z/queuedResources/train-1",
    "state": {"state": "ACTIVE"},
    "labels": {"a.b": "dotted", "team": "red"},
    "tpu": {"nodeSpec": [{"nodeId": "t-0", "node": {"tags": ["x", "y"]}}, {"nodeId": "t-1"}]},
    "none": null, "empty": []
  })")
                                 .value();
  return parsed;
}

Json found(const std::string& path) {
  const Result<FieldPath> parsed = FieldPath::parse("--fields", path);
  EXPECT_TRUE(parsed.ok()) << path << ": " << (parsed.ok() ? "" : parsed.error().message());
  return parsed.ok() ? parsed->find(document()) : Json("not parsed");
}

TEST(FieldPath, FollowsNamesIndicesAndSlices) {
  EXPECT_EQ(found("state.state"), "ACTIVE");
  EXPECT_EQ(found("tpu.nodeSpec[1].nodeId"), "t-1");
  EXPECT_EQ(found("tpu.nodeSpec[-1].nodeId"), "t-1");
  EXPECT_EQ(found("tpu.nodeSpec[].nodeId"), Json({"t-0", "t-1"}));
  EXPECT_EQ(found("labels.\"a.b\""), "dotted");
  EXPECT_EQ(found("labels[team]"), "red");
  EXPECT_EQ(found("labels[]"), document()["labels"]);
}

TEST(FieldPath, AListWithoutBracketsStandsForAllItsItems) {
  EXPECT_EQ(found("tpu.nodeSpec.nodeId"), Json({"t-0", "t-1"}));
  EXPECT_EQ(found("tpu.nodeSpec.node.tags"), Json::array({Json({"x", "y"}), nullptr}));
  EXPECT_EQ(found("tpu.nodeSpec.nothing"), Json());
}

TEST(FieldPath, TakesBothSpellingsOfAName) {
  EXPECT_EQ(found("tpu.node_spec.node_id"), Json({"t-0", "t-1"}));
}

TEST(FieldPath, WhatIsNotThereIsNull) {
  for (const char* path :
       {"missing", "state.state.deeper", "none", "none.deeper", "tpu.nodeSpec[7].nodeId", "name[0]"})
    EXPECT_EQ(found(path), Json()) << path;
}

TEST(FieldPath, HasGcloudsCommonTransforms) {
  EXPECT_EQ(found("name.basename()"), "train-1");
  EXPECT_EQ(found("name.segment(3)"), "z");
  EXPECT_EQ(found("name.segment(-3)"), "z");
  EXPECT_EQ(found("name.segment(99)"), "");
  EXPECT_EQ(found("tpu.nodeSpec.len()"), 2);
  EXPECT_EQ(found("missing.len()"), 0);
}

TEST(FieldPath, AnErrorShowsThePlace) {
  const Result<FieldPath> path = FieldPath::parse("--fields", "name.date()");
  ASSERT_FALSE(path.ok());
  EXPECT_EQ(path.error().message(),
            "--fields: there is no transform date(); there are basename(), segment(N) and len()");
  EXPECT_EQ(path.error().why(), "name.date()\n     ^");
  for (const char* text : {"", ".", "a..b", "a.", "a[", "a[0", "a]", "a b", "a,", "basename()", "a.len().b",
                           "a:sort=1", "a.\"b"}) {
    EXPECT_FALSE(FieldPath::parse_list("--fields", text).ok()) << text;
  }
}

TEST(FieldPath, AProjectionKeepsTheShapeOfTheDocument) {
  const auto fields =
      FieldPath::parse_list("--fields", "state.state,tpu.nodeSpec[].nodeId,tpu.nodeSpec.node.tags");
  ASSERT_TRUE(fields.ok());
  EXPECT_EQ(project(document(), *fields), parse_json(R"({"state": {"state": "ACTIVE"},
                           "tpu": {"nodeSpec": [{"nodeId": "t-0", "node": {"tags": ["x", "y"]}}, {"nodeId": "t-1"}]}})")
                                              .value());
}

TEST(FieldPath, HeadingsAreGclouds) {
  EXPECT_EQ(FieldPath::parse("f", "tpu.nodeSpec[].nodeId")->heading(), "NODE_ID");
  EXPECT_EQ(FieldPath::parse("f", "tpu.nodeSpec[].nodeId:label=id")->heading(), "id");
}

}  // namespace
}  // namespace slipway::report
