#include "cli/output_format.h"

#include <gtest/gtest.h>

#include "cli/settings.h"

namespace slipway::cli {
namespace {

Result<OutputFormat> parsed(const std::string& format, const std::string& fields = "",
                            FormatKind kind = FormatKind::kList) {
  GlobalOptions options;
  options.format = format;
  options.fields = fields;
  return output_format(options, kind);
}

TEST(OutputFormat, AFormatThatIsNotThereIsAnsweredWithTheNearest) {
  EXPECT_EQ(parsed("jsno").error().why(), "did you mean 'json'?");
  EXPECT_EQ(parsed("json")->format, Format::kJson);
  EXPECT_EQ(parsed("hosts").error().code(), ErrorCode::kUsage) << "only workers has it";
  EXPECT_EQ(parsed("hosts", "", FormatKind::kWorkers)->format, Format::kHosts);
  EXPECT_EQ(parsed("wide", "", FormatKind::kResource).error().code(), ErrorCode::kUsage);
}

TEST(OutputFormat, GcloudsOneWordMeansTheSameAsTwoFlags) {
  const auto fields = [](const Result<OutputFormat>& output) {
    std::string names;
    for (const report::FieldPath& field : output->fields) names += field.text() + " ";
    return names;
  };
  EXPECT_EQ(fields(parsed("value(name,state.state)")), "name state.state ");
  EXPECT_EQ(fields(parsed("value", "name,state.state")), "name state.state ");
  EXPECT_EQ(fields(parsed("csv[no-heading](tpu.nodeSpec[].nodeId)")), "tpu.nodeSpec[].nodeId ");
  EXPECT_FALSE(parsed("csv[no-heading](name)")->heading);
  EXPECT_TRUE(parsed("get(name)")->raw_values);
  EXPECT_EQ(parsed("table(name.basename():label=ID)")->fields.front().heading(), "ID");
}

TEST(OutputFormat, WhatGcloudHasAndWeHaveNotIsRefusedByName) {
  for (const char* text : {"value(name", "value)", "value()", "csv[separator=x](name)", "value(name.date())",
                           "table(name:sort=1)", "json[no-heading](name)", "none(name)", "wide(name)",
                           "value(name)x", "(name)", "flattened"}) {
    const Result<OutputFormat> output = parsed(text);
    ASSERT_FALSE(output.ok()) << text;
    EXPECT_EQ(output.error().code(), ErrorCode::kUsage) << text;
    EXPECT_FALSE(output.error().why().empty() && output.error().message().size() < 20) << text;
  }
  EXPECT_FALSE(parsed("value(name)", "state.state").ok());
}

}  // namespace
}  // namespace slipway::cli
