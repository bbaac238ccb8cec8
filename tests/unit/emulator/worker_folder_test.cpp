#include "emulator/worker_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "slipway/core/file.h"
#include "support/temp_folder.h"

namespace slipway::emulator {
namespace {

class WorkerFolderTest : public ::testing::Test {
 protected:
  std::string text(const std::string& name) const {
    const Result<std::string> content = read_file(folder / ("w/" + name));
    return content.ok() ? *content : "(none)";
  }
  bool has(const std::string& name, const std::string& part) const {
    return text(name).find(part) != std::string::npos;
  }

  test::TempFolder folder;
  WorkerSettings settings{Isolation::kNamespaces, 2'222, "/usr/sbin/sshd", "/usr/bin/ssh-keygen", 902};
  WorkerFolder worker{folder / "w", "127.1.2.3", settings};
};

TEST_F(WorkerFolderTest, TellsSshdWhereToListenAndWhomToTrust) {
  ASSERT_TRUE(worker.prepare({{"alice", "ssh-ed25519 AAAA a"}}, "", "t1v-n-1-w-0").ok());
  EXPECT_TRUE(has("ssh/sshd_config", "ListenAddress 127.1.2.3\nPort 2222\n"));
  EXPECT_TRUE(has("ssh/sshd_config", "PasswordAuthentication no\n"));
  EXPECT_FALSE(has("ssh/sshd_config", "PerSourcePenalties")) << "9.2 does not know it";
  EXPECT_EQ(text("ssh/authorized_keys.d/alice"), "ssh-ed25519 AAAA a\n");
  EXPECT_TRUE(has("etc/passwd", "\nalice:x:"));
  EXPECT_FALSE(file_exists(folder / "w/run/startup-script"));
}

TEST_F(WorkerFolderTest, KeysThatAreNoLongerNamedAreGone) {
  ASSERT_TRUE(worker.prepare({{"alice", "k1"}, {"alice", "k2"}, {"bob", "k3"}}, "", "t1v-n-1-w-0").ok());
  EXPECT_EQ(text("ssh/authorized_keys.d/alice"), "k1\nk2\n");
  ASSERT_TRUE(worker.set_keys({{"bob", "k4"}}).ok());
  EXPECT_EQ(text("ssh/authorized_keys.d/alice"), "(none)");
  EXPECT_EQ(text("ssh/authorized_keys.d/bob"), "k4\n");
}

TEST_F(WorkerFolderTest, AUserIsMadeOnceInTheSameFileThatTheSandboxHasBound) {
  ASSERT_TRUE(worker.prepare({}, "", "t1v-n-1-w-0").ok());
  struct stat before {};
  ASSERT_EQ(::stat((folder / "w/etc/passwd").c_str(), &before), 0);
  ASSERT_TRUE(worker.set_keys({{"carol", "k"}}).ok());
  ASSERT_TRUE(worker.set_keys({{"carol", "k"}}).ok());
  struct stat after {};
  ASSERT_EQ(::stat((folder / "w/etc/passwd").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(text("etc/passwd").find("carol:x:"), text("etc/passwd").rfind("carol:x:"));
}

TEST_F(WorkerFolderTest, ABootKeepsTheHomesAndEmptiesTheRest) {
  ASSERT_TRUE(worker.prepare({}, "echo 1", "t1v-n-1-w-0").ok());
  EXPECT_EQ(text("run/startup-script"), "#!/bin/bash\necho 1");
  for (const char* name : {"w/root/kept", "w/tmp/gone", "w/run/gone"})
    ASSERT_TRUE(write_file_atomically(folder / name, "x").ok());
  ASSERT_TRUE(worker.prepare({}, "#!/usr/bin/env python3\n", "t1v-n-1-w-0").ok());
  EXPECT_TRUE(file_exists(folder / "w/root/kept"));
  EXPECT_FALSE(file_exists(folder / "w/tmp/gone"));
  EXPECT_FALSE(file_exists(folder / "w/run/gone"));
  EXPECT_EQ(text("run/startup-script"), "#!/usr/bin/env python3\n");
}

TEST_F(WorkerFolderTest, SaysWhySshdEnded) {
  ASSERT_TRUE(worker.prepare({}, "", "t1v-n-1-w-0").ok());
  EXPECT_EQ(worker.last_words(), "");
  ASSERT_TRUE(write_file_atomically(folder / "w/log/sshd.log", "first\nCannot bind any address.\n").ok());
  EXPECT_EQ(worker.last_words(), "Cannot bind any address.");
}

}  // namespace
}  // namespace slipway::emulator
