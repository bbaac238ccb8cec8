#include <gtest/gtest.h>

#include <set>

#include "cli/command_line.h"
#include "slipway/core/file.h"
#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::cli {
namespace {

/// Which layer says a flag, where flags of several layers exclude each other.
class Rivals : public ::testing::Test {
 protected:
  /// The flags of `words` with their values as "flag=value", under a settings file with `text`.
  std::set<std::string> said(const std::string& text, std::vector<std::string> words) {
    EXPECT_TRUE(write_file_atomically(path_, text).ok());
    const test::ScopedEnv file("SLIPWAY_CONFIG", path_);
    CommandLine line;
    add_all_commands(line);
    const auto parsed = line.parse(words);
    if (!parsed.ok()) return {parsed.error().message()};
    std::set<std::string> flags;
    const auto states = line.explain(parsed->command);
    for (const FlagState& state : *states) {
      if (!state.origin.empty()) flags.insert(state.flag + "=" + state.value);
    }
    return flags;
  }

  test::TempFolder folder_;
  const std::string path_ = folder_ / "s.yaml";
};

using Flags = std::set<std::string>;

TEST_F(Rivals, TheCommandLinesKeepOutTheFiles) {
  EXPECT_EQ(said("accelerator-type: v4-16\n", {"create", "q", "--type", "v5p", "--topology", "2x2x2"}),
            (Flags{"type=v5p", "topology=2x2x2"}));
  EXPECT_EQ(said("type: v5p\ntopology: 2x2x2\n", {"create", "q", "--accelerator-type", "v4-16"}),
            Flags{"accelerator-type=v4-16"});
  EXPECT_EQ(said("node-count: 2\n", {"create", "q", "--node-id", "z"}), Flags{"node-id=z"});
  EXPECT_EQ(said("spot: true\n", {"create", "q", "--reserved"}), Flags{"reserved=true"});
  EXPECT_EQ(said("wait: true\n", {"create", "q", "--async"}), Flags{"async=true"});
  EXPECT_EQ(said("wait: true\n", {"delete", "q", "--async"}), Flags{"async=true"});
  EXPECT_EQ(said("spot: true\nnode-count: 2\nlabels: {a: b}\nuser: u\n", {"create", "q", "--from-file", "f"}),
            (Flags{"from-file=f", "user=u"}));
  EXPECT_EQ(said("jump: u@h\n", {"run", "q", "--tunnel-through-iap"}), Flags{"tunnel-through-iap=true"});
}

TEST_F(Rivals, WordsBehindDashesKeepOutTheFilesCommand) {
  EXPECT_EQ(said("run: {command: hostname}\n", {"run", "q", "--", "true"}), Flags{});
  EXPECT_EQ(said("run: {script: f.sh}\n", {"run", "q", "--", "true"}), Flags{});
  EXPECT_EQ(said("run: {command: hostname}\n", {"run", "q"}), Flags{"command=hostname"});
}

TEST_F(Rivals, TheEnvironmentAndASectionStandAboveTheRestOfTheFile) {
  EXPECT_EQ(said("accelerator-type: v4-16\ncreate: {type: v5p}\n", {"create", "q"}), Flags{"type=v5p"});
  const test::ScopedEnv type("SLIPWAY_TYPE", "v6e");
  EXPECT_EQ(said("create: {accelerator-type: v4-16}\n", {"create", "q"}), Flags{"type=v6e"});
}

TEST_F(Rivals, ASwitchThatIsOffKeepsNothingOut) {
  EXPECT_EQ(said("spot: true\n", {"create", "q", "--reserved=false"}),
            (Flags{"spot=true", "reserved=false"}));
  EXPECT_EQ(said("spot: false\nreserved: true\n", {"create", "q"}), (Flags{"spot=false", "reserved=true"}));
}

TEST_F(Rivals, OfOneLayerAreAnErrorThatNamesTheirPlaces) {
  EXPECT_EQ(said("type: v5p\naccelerator-type: v4-16\n", {"create", "q"}),
            Flags{"create: --accelerator-type (" + path_ + ":2:1) and --type (" + path_ +
                  ":1:1) exclude each other"});
  EXPECT_EQ(said("", {"create", "q", "--wait", "--async"}),
            Flags{"create: --async and --wait exclude each other"});
}

}  // namespace
}  // namespace slipway::cli
