#include "slipway/launch/code_archive.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slipway/core/file.h"
#include "slipway/launch/job_spec.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace slipway::launch {
namespace {

class CodeArchiveTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content, unsigned mode = 0644) {
    const std::string path = folder / name;
    EXPECT_TRUE(make_directories(path.substr(0, path.rfind('/'))).ok());
    EXPECT_TRUE(write_file_atomically(path, content, mode).ok());
    return path;
  }
  /// What the workers' tar makes of it: "PATH MODE CONTENT" lines.
  std::string unpacked(const CodeArchive& archive) {
    const test::TempFolder at;
    EXPECT_TRUE(write_file_atomically(at / "a.tar.gz", archive.bytes).ok());
    const test::Ended ended = test::run_program(
        {"/bin/sh", "-c",
         "mkdir " + (at / "out") + " && tar -xzf " + (at / "a.tar.gz") + " -C " + (at / "out") + " && cd " +
             (at / "out") +
             " && find . -not -type d -printf '%P %m %l ' -exec head -c 20 {} \\; -printf '\\n' | sort"},
        {});
    EXPECT_EQ(ended.err, "");
    return ended.out;
  }
  test::TempFolder folder;
};

TEST_F(CodeArchiveTest, IsUnpackedAsItWasPacked) {
  write("b/run.sh", "echo", 0755);
  write("a.txt", "text");
  write(std::string(60, 'd') + "/" + std::string(90, 'n'), "long");
  ASSERT_EQ(::symlink("../a.txt", (folder / "b/link").c_str()), 0);
  const auto archive = pack_folder(folder.path());
  ASSERT_TRUE(archive.ok()) << archive.error().message();
  EXPECT_EQ(archive->files, 4U);
  EXPECT_EQ(archive->sha256, sha256_hex(archive->bytes));
  EXPECT_EQ(unpacked(*archive), "a.txt 644  text\nb/link 777 ../a.txt text\nb/run.sh 755  echo\n" +
                                    std::string(60, 'd') + "/" + std::string(90, 'n') + " 644  long\n");
}

TEST_F(CodeArchiveTest, IsTheSameForTheSameFilesWhateverTheirTimes) {
  const std::string path = write("a", "1");
  write("b", "2");
  const std::string before = pack_folder(folder.path())->sha256;
  const timespec times[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0) << "only the executable bit counts";
  EXPECT_EQ(pack_folder(folder.path())->sha256, before);
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  EXPECT_NE(pack_folder(folder.path())->sha256, before);
}

TEST_F(CodeArchiveTest, LeavesOutWhatGitIgnoresAndWhatIsGone) {
  write("kept", "x");
  write("new", "x");
  write("gone", "x");
  write("big.bin", "x");
  write(".gitignore", "*.bin");
  const test::Ended git = test::run_program(
      {"/bin/sh", "-c", "cd " + folder.path() + " && git init -q && git add kept gone && rm gone"}, {});
  ASSERT_EQ(git.code, 0) << git.err;
  const auto archive = pack_folder(folder.path());
  ASSERT_TRUE(archive.ok()) << archive.error().message();
  EXPECT_EQ(unpacked(*archive), ".gitignore 644  *.bin\nkept 644  x\nnew 644  x\n");
}

TEST_F(CodeArchiveTest, SaysWhatCannotBePacked) {
  EXPECT_EQ(pack_folder(folder / "none").error().code(), ErrorCode::kUsage);
  EXPECT_EQ(pack_folder(folder.path()).error().code(), ErrorCode::kUsage) << "no file";
  const auto none = pack_revision(folder / "none", "main");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message().find("cannot fetch 'main' of"), std::string::npos);
}

TEST_F(CodeArchiveTest, SaysThatGitIgnoresAllOfAFolder) {
  write("code/run.sh", "x");
  write(".gitignore", "code/");
  ASSERT_EQ(test::run_program({"git", "-C", folder.path(), "init", "-q"}, {}).code, 0);
  const auto archive = pack_folder(folder / "code");
  ASSERT_FALSE(archive.ok());
  EXPECT_EQ(archive.error().message(), "--code: git ignores all of '" + (folder / "code") + "'");
}

TEST_F(CodeArchiveTest, ARevisionStandsBehindTheLastAtOfThePath) {
  const auto place = [](const std::string& text) {
    const auto parsed = parse_git_place(text);
    return parsed.ok() ? parsed->url + " " + parsed->revision : "none";
  };
  EXPECT_EQ(place("https://host/r@v1"), "https://host/r v1");
  EXPECT_EQ(place("https://host/r@feature/x"), "https://host/r feature/x");
  EXPECT_EQ(place("https://user:token@host/r@v1"), "https://user:token@host/r v1");
  EXPECT_EQ(place("ssh://git@host/repo"), "none");
  EXPECT_EQ(place("ssh://git@host/repo@main"), "ssh://git@host/repo main");
  EXPECT_EQ(place("git@host:repo"), "none");
  EXPECT_EQ(place("git@host:repo@v1"), "git@host:repo v1");
  EXPECT_EQ(place("/here/r@v1"), "/here/r v1");
  EXPECT_EQ(place("https://host/r@"), "none");
}

TEST_F(CodeArchiveTest, APasswordInAUrlIsInNoText) {
  EXPECT_EQ(without_password("https://user:token@host/r"), "https://host/r");
  EXPECT_EQ(without_password("https://token@host/r@x"), "https://host/r@x");
  EXPECT_EQ(without_password("ssh://git:word@host/r"), "ssh://git@host/r");
  EXPECT_EQ(without_password("https://host/r@x"), "https://host/r@x");
  const auto none = pack_revision("http://user:TOKEN@127.0.0.1:1/r", "v1");
  ASSERT_FALSE(none.ok());
  const std::string said = none.error().message() + none.error().why() + none.error().next();
  EXPECT_EQ(said.find("TOKEN"), std::string::npos) << said;
  EXPECT_NE(said.find("cannot fetch 'v1' of http://127.0.0.1:1/r"), std::string::npos) << said;
}

TEST_F(CodeArchiveTest, WhatIsTooLargeForEveryWorkerIsRefused) {
  std::string noise(kMaxArchive + (1 << 20), '\0');
  std::uint64_t state = 88'172'645'463'325'252U;
  for (char& c : noise) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    c = static_cast<char>(state);
  }
  write("noise", noise);
  const auto archive = pack_folder(folder.path());
  ASSERT_FALSE(archive.ok());
  EXPECT_NE(archive.error().message().find("larger than 100 MiB"), std::string::npos);
}

}  // namespace
}  // namespace slipway::launch
