// What --dry-run=curl prints, pasted into a shell against an emulator.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "e2e/slipway_user.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::test {
namespace {

/// An emulator, and a curl that writes its arguments down before it does its work.
class Pasting : public ::testing::Test {
 protected:
  Pasting() {
    const std::string folder = user_.home() / "bin";
    EXPECT_TRUE(make_directories(folder).ok());
    EXPECT_TRUE(write_file_atomically(folder + "/curl",
                                      "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$HOME/curl-arguments\"\n"
                                      "exec /usr/bin/curl --fail \"$@\"\n",
                                      0755)
                    .ok());
    token_ = std::string(trim(read_file(user_.environment.at("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE")).value()));
  }

  /// Prints the line, pastes it into `shell`, and gives what came of that.
  Ended paste(const std::vector<std::string>& words, const std::string& shell) const {
    const Ended shown = user_.slipway(words);
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.out.find(token_), std::string::npos);
    const std::string file = user_.home() / "line.sh";
    EXPECT_TRUE(write_file_atomically(file, shown.out).ok());
    return user_.shell("PATH=\"$HOME/bin:$PATH\" " + shell + " \"$HOME/line.sh\"");
  }

  std::vector<std::string> create(const std::vector<std::string>& more) const {
    std::vector<std::string> words{
        "create",    "q", "--accelerator-type", "v4-16", "--runtime-version", "tpu-ubuntu2204-base",
        "--node-id", "n", "--dry-run=curl"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Json metadata() const {
    const Ended described = user_.slipway({"describe", "q", "--format", "json"});
    EXPECT_EQ(described.code, 0) << described.err;
    return (*parse_json(described.out))["tpu"]["nodeSpec"][0]["node"]["metadata"];
  }

  const EmulatorUser user_;
  std::string token_;
};

TEST_F(Pasting, CreateAndDeleteWorkInBashAndInShAndTheTokenIsNobodysArgument) {
  const std::string odd = "it's \"quoted\" $HOME `touch x` $(touch y) \\ ü 日本 \u202e\nsecond line\ttab !";
  const std::string file = user_.home() / "odd";
  ASSERT_TRUE(write_file_atomically(file, odd).ok());
  for (const char* shell : {"bash", "sh"}) {
    const Ended created = paste(create({"--metadata-from-file", "k=" + file}), shell);
    ASSERT_EQ(created.code, 0) << created.err << created.out;
    ASSERT_EQ(user_.slipway({"wait", "q", "--timeout", "60s"}).code, 0);
    EXPECT_EQ(metadata()["k"], odd);
    const Ended deleted = paste({"delete", "q", "--force", "--yes", "--dry-run=curl"}, shell);
    EXPECT_EQ(deleted.code, 0) << deleted.err << deleted.out;
    EXPECT_EQ(user_.slipway({"delete", "q", "--yes", "--if-exists", "--force"}).code, 0);
  }
  const std::string arguments = read_file(user_.home() / "curl-arguments").value();
  EXPECT_NE(arguments.find("requestId="), std::string::npos);
  EXPECT_EQ(arguments.find(token_), std::string::npos);
}

TEST_F(Pasting, ABodyTooLongForOneWordStillArrives) {
  const std::string file = user_.home() / "long";
  const std::string text(200 * 1024, 'x');
  ASSERT_TRUE(write_file_atomically(file, text).ok());
  const Ended created = paste(create({"--metadata-from-file", "k=" + file}), "bash");
  ASSERT_EQ(created.code, 0) << created.err;
  EXPECT_EQ(metadata()["k"], text);
}

}  // namespace
}  // namespace slipway::test
