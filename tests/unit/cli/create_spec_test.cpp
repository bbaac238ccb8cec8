#include <gtest/gtest.h>

#include "cli/commands/create.h"
#include "slipway/core/file.h"

namespace slipway::cli {
namespace {

CreateOptions four_slices() {
  CreateOptions options;
  options.id = "q";
  options.accelerator_type = "V4-16";
  options.runtime_version = "tpu-ubuntu2204-base";
  options.node_count = 4;
  return options;
}

ErrorCode refusal(const CreateOptions& options) {
  const Result<CreateSpec> spec = create_spec(options);
  return spec.ok() ? ErrorCode::kFailed : spec.error().code();
}

TEST(CreateSpec, IsWhatTheWordsSay) {
  CreateOptions options = four_slices();
  options.node_prefix = "s";
  options.spot = true;
  options.tags = {"t1,t2"};
  options.labels = {"team=ml"};
  options.metadata = {"k=v"};
  const CreateSpec spec = create_spec(options).value();
  EXPECT_EQ(spec.node_count, 4);
  EXPECT_EQ(spec.node_id_prefix, "s");
  EXPECT_EQ(spec.accelerator_type, "v4-16") << "in lower case, as gcloud sends it";
  EXPECT_EQ(spec.tier, Tier::kSpot);
  EXPECT_EQ(spec.tags, (std::vector<std::string>{"t1", "t2"}));
  EXPECT_EQ(spec.labels.at("team"), "ml");
  EXPECT_EQ(spec.metadata.at("k"), "v");
}

TEST(CreateSpec, NamesAllThatIsMissingAtOnce) {
  const auto spec = create_spec(CreateOptions());
  ASSERT_FALSE(spec.ok());
  EXPECT_NE(spec.error().message().find("--accelerator-type"), std::string::npos);
  EXPECT_NE(spec.error().message().find("--runtime-version"), std::string::npos);
}

TEST(CreateSpec, RefusesWordsThatExcludeEachOther) {
  CreateOptions options = four_slices();
  options.node_id = "n";
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
  options = four_slices();
  options.spot = options.reserved = true;
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
  options = four_slices();
  options.startup_script = "/a";
  options.metadata_from_file = {"startup-script=/b"};
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
}

TEST(CreateSpec, RefusesNumbersOfSlicesThatCannotBe) {
  for (const int count : {-1, 1, 257}) {
    CreateOptions options = four_slices();
    options.node_count = count;
    EXPECT_EQ(refusal(options), ErrorCode::kUsage) << count;
  }
  CreateOptions none = four_slices();
  none.node_count = 0;
  EXPECT_EQ(refusal(none), ErrorCode::kUsage);
}

TEST(CreateSpec, RefusesNamesOutsideOfTheGrammar) {
  CreateOptions options = four_slices();
  options.node_prefix = "a/b";
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
}

TEST(CreateSpec, ReadsTheStartupScriptAndItsLimit) {
  const std::string path = ::testing::TempDir() + "slipway-startup.sh";
  ASSERT_TRUE(write_file_atomically(path, "#!/bin/bash\n").ok());
  CreateOptions options = four_slices();
  options.startup_script = path;
  EXPECT_EQ(create_spec(options).value().metadata.at("startup-script"), "#!/bin/bash\n");
  ASSERT_TRUE(write_file_atomically(path, std::string(256 * 1024 + 1, 'x')).ok());
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
}

}  // namespace
}  // namespace slipway::cli
