#include "cli/settings_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "slipway/core/file.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

using Trust = SettingsFile::Trust;
using Words = std::vector<std::string>;

const FlagCatalog kCatalog = {{"", {"zone", "project", "endpoint", "yes"}},
                              {"run", {"batch-size", "env", "node"}},
                              {"create", {"labels", "wait"}},
                              {"wait", {"for"}}};

class SettingsFileTest : public ::testing::Test {
 protected:
  SettingsFile file(const std::string& text, Trust trust = Trust::kUser) const {
    Result<SettingsFile> loaded = load(text, trust);
    EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : loaded.error().message());
    return loaded.ok() ? std::move(loaded).value() : SettingsFile();
  }

  Result<SettingsFile> load(const std::string& text, Trust trust = Trust::kUser) const {
    EXPECT_TRUE(write_file_atomically(path_, text).ok());
    return SettingsFile::load(path_, trust);
  }

  /// What is said about the file, without its path.
  std::string refusal(const std::string& text, Trust trust = Trust::kUser) const {
    const Result<void> checked = file(text, trust).check(kCatalog);
    if (checked.ok()) return "it was taken";
    EXPECT_EQ(checked.error().code(), ErrorCode::kUsage);
    return checked.error().message().substr(path_.size() + 1) + " | " + checked.error().why();
  }

  Words words(const SettingsFile& file, const std::string& command, const std::string& flag,
              FlagKind kind) const {
    const auto value = file.value(command, flag, kind);
    EXPECT_TRUE(value.ok()) << (value.ok() ? "" : value.error().message());
    return value.ok() && *value ? (*value)->words : Words{"nothing"};
  }

  test::TempFolder folder_;
  const std::string path_ = folder_ / "slipway.yaml";
};

TEST_F(SettingsFileTest, AKeyIsAFlagForEveryCommandAndASectionForOne) {
  const SettingsFile settings = file("batch-size: 8\nzone: z\nrun:\n  zone: z-run\n");
  ASSERT_TRUE(settings.check(kCatalog).ok());
  EXPECT_EQ(words(settings, "run", "batch-size", FlagKind::kText), Words{"8"});
  EXPECT_EQ(words(settings, "run", "zone", FlagKind::kText), Words{"z-run"});
  EXPECT_EQ(words(settings, "list", "zone", FlagKind::kText), Words{"z"});
  EXPECT_EQ(words(settings, "list", "project", FlagKind::kText), Words{"nothing"});
}

TEST_F(SettingsFileTest, ANameThatIsACommandAndAFlagIsToldApartByItsValue) {
  const SettingsFile settings = file("wait: true\n");
  ASSERT_TRUE(settings.check(kCatalog).ok());
  EXPECT_EQ(words(settings, "create", "wait", FlagKind::kSwitch), Words{"true"});
  EXPECT_TRUE(file("wait: {for: READY}\n").check(kCatalog).ok());
}

TEST_F(SettingsFileTest, AnUnknownKeyIsRefusedWithItsPlaceAndTheNearest) {
  EXPECT_EQ(refusal("zone: z\nprojct: p\n"), "2:1: there is no flag 'projct' | did you mean 'project'?");
  EXPECT_EQ(refusal("run:\n  batchsize: 3\n"),
            "2:3: there is no flag 'batchsize' | did you mean 'batch-size'?");
  EXPECT_EQ(refusal("rum:\n  batch-size: 3\n"), "1:1: there is no flag 'rum' | did you mean 'run'?");
  EXPECT_EQ(refusal("run:\n  labels: {a: b}\n"), "2:3: there is no flag 'labels' | ");
}

TEST_F(SettingsFileTest, ListsAndMapsBecomeTheWordsOfTheCommandLine) {
  const SettingsFile settings =
      file("env: {A: 1, B: 'x,y'}\nlabels: {team: a, note: 'x,y'}\nnode: [0, '2-3']\n");
  EXPECT_EQ(words(settings, "run", "env", FlagKind::kRepeated), (Words{"A=1", "B=x,y"}));
  EXPECT_EQ(words(settings, "create", "labels", FlagKind::kPairs), (Words{"team=a", "^\x1f^note=x,y"}));
  EXPECT_EQ(words(settings, "run", "node", FlagKind::kText), Words{"0,2-3"});
}

TEST_F(SettingsFileTest, AValueOfTheWrongFormIsRefused) {
  EXPECT_FALSE(file("zone: {a: b}\n").value("list", "zone", FlagKind::kText).ok());
  EXPECT_FALSE(file("zone:\n").value("list", "zone", FlagKind::kText).ok());
  EXPECT_FALSE(file("yes: perhaps\n").value("list", "yes", FlagKind::kSwitch).ok());
  EXPECT_FALSE(file("env: [{a: b}]\n").value("run", "env", FlagKind::kRepeated).ok());
  EXPECT_FALSE(load("- zone\n").ok());
}

TEST_F(SettingsFileTest, AProjectCannotSayWhatIsTrusted) {
  EXPECT_NE(refusal("endpoint: https://evil.test\n", Trust::kProject).find("cannot set 'endpoint'"),
            std::string::npos);
  EXPECT_NE(refusal("run:\n  yes: true\n", Trust::kProject).find("cannot set 'yes'"), std::string::npos);
  EXPECT_EQ(refusal("endpoint: https://mine.test\n", Trust::kUser), "it was taken");
}

TEST_F(SettingsFileTest, AProjectSendsItsOwnFilesOnly) {
  const SettingsFile inside = file("startup-script: ./up.sh\nlaunch: {code: .}\n", Trust::kProject);
  const std::string base = std::filesystem::canonical(folder_.path()).string();
  EXPECT_EQ(words(inside, "create", "startup-script", FlagKind::kText), Words{base + "/up.sh"});
  EXPECT_EQ(words(inside, "launch", "code", FlagKind::kText).front().rfind(base, 0), 0U);
  const SettingsFile outside = file("script: /etc/hostname\n", Trust::kProject);
  const auto refused = outside.value("run", "script", FlagKind::kText);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), path_ + ":1:9: script: '/etc/hostname' is outside of the project");
  EXPECT_EQ(words(file("script: /etc/hostname\n"), "run", "script", FlagKind::kText), Words{"/etc/hostname"});
}

TEST_F(SettingsFileTest, ThePlaceIsTheOrigin) {
  const auto value = file("# first\nzone: z\n").value("", "zone", FlagKind::kText);
  EXPECT_EQ((*value)->origin, path_ + ":2:1");
}

}  // namespace
}  // namespace slipway::cli
