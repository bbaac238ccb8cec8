#include <gtest/gtest.h>

#include "cli/commands/create.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

const auto kNow = *parse_rfc3339("2026-11-20T08:00:00Z");

CreateOptions four_slices() {
  CreateOptions options;
  options.id = "q";
  options.accelerator_type = "V4-16";
  options.runtime_version = "tpu-ubuntu2204-base";
  options.node_count = 4;
  return options;
}

ErrorCode refusal(const CreateOptions& options) {
  const Result<CreateSpec> spec = create_spec(options, kNow);
  return spec.ok() ? ErrorCode::kFailed : spec.error().code();
}

TEST(CreateSpec, IsWhatTheWordsSay) {
  CreateOptions options = four_slices();
  options.node_prefix = "s";
  options.spot = true;
  options.tags = {"t1,t2"};
  options.labels = {"team=ml"};
  options.metadata = {"k=v"};
  const CreateSpec spec = create_spec(options, kNow).value();
  EXPECT_EQ(spec.node_count, 4);
  EXPECT_EQ(spec.node_id_prefix, "s");
  EXPECT_EQ(spec.accelerator_type, "v4-16") << "in lower case, as gcloud sends it";
  EXPECT_EQ(spec.tier, Tier::kSpot);
  EXPECT_EQ(spec.tags, (std::vector<std::string>{"t1", "t2"}));
  EXPECT_EQ(spec.labels.at("team"), "ml");
  EXPECT_EQ(spec.metadata.at("k"), "v");
}

TEST(CreateSpec, NamesAllThatIsMissingAtOnce) {
  const auto spec = create_spec(CreateOptions(), kNow);
  ASSERT_FALSE(spec.ok());
  EXPECT_NE(spec.error().message().find("--accelerator-type"), std::string::npos);
  EXPECT_NE(spec.error().message().find("--node-count"), std::string::npos);
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

TEST(CreateSpec, AlmostAllWordsExcludeSomeOther) {
  const auto refused = [](void (*change)(CreateOptions&)) {
    CreateOptions options = four_slices();
    change(options);
    return refusal(options) == ErrorCode::kUsage;
  };
  EXPECT_TRUE(refused([](CreateOptions& o) { o.type = "v4", o.topology = "2x2x2"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.accelerator_type = "", o.type = "v4"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.spot = o.best_effort = true; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.spot = true, o.min_duration = "1h"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.spot = true, o.reservation = "r"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.spot = true, o.provisioning_model = "standard"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.guaranteed = true, o.provisioning_model = "spot"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.provisioning_model = "foo"; }));
  EXPECT_TRUE(
      refused([](CreateOptions& o) { o.reservation_host_folder = o.reservation_host_project = "1"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.reservation = "projects/p/reservations/r"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.network = "n", o.network_config = {"network=n"}; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.network_config = {"net=n"}; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.data_disk = {"mode=read-only"}; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.data_disk = {"source=d,mode=write"}; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.boot_disk = "size-gb=0"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.boot_disk = "confidential-compute=perhaps"; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.metadata = {"a=1", "a=2"}; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.metadata = {"a=\xff"}; }));
  EXPECT_TRUE(refused([](CreateOptions& o) { o.workload_type = "fast"; }));
}

TEST(CreateSpec, TwoStartsOrTwoEndsOrAnEndBeforeTheStartAreRefused) {
  CreateOptions options = four_slices();
  options.valid_after_duration = "1h";
  options.valid_after_time = "2026-12-01T00:00:00Z";
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
  options = four_slices();
  options.valid_until_duration = "1h";
  options.valid_until_time = "2026-12-01T00:00:00Z";
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
  options = four_slices();
  options.valid_after_duration = "PT2H";
  options.valid_until_time = "2026-11-20T09:30:00Z";
  EXPECT_EQ(refusal(options), ErrorCode::kUsage) << "it begins at 10:00";
  options.valid_until_time = "2026-11-20T10:30:00Z";
  EXPECT_TRUE(create_spec(options, kNow).ok());
}

TEST(CreateSpec, TheRuntimeVersionFollowsFromTheAcceleratorWhereItIsDocumented) {
  CreateOptions options = four_slices();
  options.runtime_version = "";
  const auto chosen = [&](const char* type) {
    options.accelerator_type = type;
    const auto spec = create_spec(options, kNow);
    return spec.ok() ? spec->runtime_version : "";
  };
  EXPECT_EQ(chosen("v4-16"), "tpu-ubuntu2204-base");
  EXPECT_EQ(chosen("V5LITEPOD-16"), "v2-alpha-tpuv5-lite");
  EXPECT_EQ(chosen("v5p-128"), "v2-alpha-tpuv5");
  EXPECT_EQ(chosen("v6e-256"), "v2-alpha-tpuv6e");
  EXPECT_EQ(chosen("v9-16"), "") << "it has to be said, where we know none";
  options.runtime_version = "mine";
  EXPECT_EQ(chosen("v9-16"), "mine") << "an accelerator that we do not know is the server's to judge";
}

TEST(CreateSpec, GcloudsShortScopesAreSentWhole) {
  CreateOptions options = four_slices();
  options.scopes = {"storage-rw,https://www.googleapis.com/auth/cloud-platform", "own"};
  const std::vector<std::string> whole = {"https://www.googleapis.com/auth/devstorage.read_write",
                                          "https://www.googleapis.com/auth/cloud-platform", "own"};
  EXPECT_EQ(create_spec(options, kNow)->scopes, whole);
}

TEST(CreateSpec, TheModelSpotIsTheSpotTierToo) {
  CreateOptions options = four_slices();
  options.provisioning_model = "spot";
  EXPECT_EQ(create_spec(options, kNow)->tier, Tier::kSpot);
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
  EXPECT_EQ(create_spec(options, kNow).value().metadata.at("startup-script"), "#!/bin/bash\n");
  ASSERT_TRUE(write_file_atomically(path, std::string(256 * 1024 + 1, 'x')).ok());
  EXPECT_EQ(refusal(options), ErrorCode::kUsage);
}

}  // namespace
}  // namespace slipway::cli
