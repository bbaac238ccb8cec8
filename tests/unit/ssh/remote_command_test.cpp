#include "slipway/ssh/remote_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "ssh/wrapper_text.h"
#include "support/sshd.h"
#include "support/temp_folder.h"

namespace slipway::test {
namespace {

using ssh::RemoteCommand;
using ssh::RemoteExit;

TEST(RemoteCommand, TheExecLineIsFixedTextAndNumbers) {
  const auto wire = ssh::to_wire({RemoteCommand::Kind::kShell, "echo 'it''s'", {{"A", "x y"}}, true});
  EXPECT_EQ(wire.input, "export 'A=x y'\necho 'it''s'");
  EXPECT_EQ(wire.exec_line, "exec sh -c '" + std::string(ssh::kWrapper) + "' slipway 15 12 arg 1 0");
}

TEST(RemoteCommand, TheWrapperIsOneWordInEveryLoginShell) {
  EXPECT_THAT(ssh::kWrapper, ::testing::Not(::testing::ContainsRegex("['\\\\\n]")));
  for (std::size_t at = ssh::kWrapper.find('!'); at != std::string_view::npos;
       at = ssh::kWrapper.find('!', at + 1)) {
    EXPECT_EQ(ssh::kWrapper.substr(at, 2), "! ");  // csh's history leaves it alone before a blank
  }
  EXPECT_LT(ssh::kWrapper.size(), 8'192U);
}

TEST(RemoteCommand, TheModeFollowsTheTextAndItsSize) {
  const auto mode = [](RemoteCommand::Kind kind, std::string text) {
    const std::string line = ssh::to_wire({kind, std::move(text), {}, false}).exec_line;
    return line.substr(line.rfind(' ', line.size() - 5) + 1);
  };
  EXPECT_EQ(mode(RemoteCommand::Kind::kShell, "true"), "arg 0 0");
  EXPECT_EQ(mode(RemoteCommand::Kind::kShell, std::string(120'000, ' ')), "file 0 0");
  EXPECT_EQ(mode(RemoteCommand::Kind::kScript, "true"), "file 0 0");
  EXPECT_EQ(mode(RemoteCommand::Kind::kScript, "#!/bin/sh\n"), "exec 0 0");
}

TEST(RemoteCommand, NoStatusIsNoSuccess) {
  EXPECT_FALSE(ssh::from_wire(0, ""));
  EXPECT_EQ(ssh::from_wire(255, "")->code, 0);
  EXPECT_EQ(ssh::from_wire(3, "")->code, 3);
  EXPECT_EQ(ssh::from_wire(0, "SIG@openssh.com")->code, 255);
  EXPECT_EQ(ssh::from_wire(0, "KILL")->kind, RemoteExit::Kind::kSignal);
  EXPECT_EQ(ssh::from_wire(0, "KILL")->signal, "KILL");
  EXPECT_EQ(ssh::from_wire(0, "\x1b[2J")->signal.find('\x1b'), std::string::npos);
}

/// The exec line under a login shell as sshd and our session carry it: a session of its own, stdin that stays
/// open, and the farewell when nobody holds stdout any more.
class Carried {
 public:
  /// The last `cut_off` bytes of the input never come.
  Carried(const std::string& login_shell, const std::string& sh_folder, const RemoteCommand& command,
          std::size_t cut_off = 0, const std::string& users_shell = "/bin/bash") {
    const auto wire = ssh::to_wire(command);
    Fd reading, writing;
    make_pipe(reading, to_);
    make_pipe(from_, writing);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setsid();
      ::dup2(reading.get(), 0);
      ::dup2(writing.get(), 1);
      ::close_range(3, ~0U, 0);
      const std::string path = "PATH=" + sh_folder + ":/usr/bin:/bin";
      const std::string shell = "SHELL=" + users_shell;
      ::execl("/usr/bin/env", "env", path.c_str(), shell.c_str(), login_shell.c_str(), "-c",
              wire.exec_line.c_str(), static_cast<char*>(nullptr));
      ::_exit(99);
    }
    write(wire.input + std::string(wire.shared_input.substr(0, command.input.size() - cut_off)));
    if (cut_off > 0) to_.reset();
  }

  void write(const std::string& bytes) {
    EXPECT_EQ(::write(to_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  std::string read_line() {
    std::string line;
    for (char byte = 0; ::read(from_.get(), &byte, 1) == 1 && byte != '\n';) line += byte;
    return line;
  }

  /// What waitpid() said, as sshd would put it on the wire.
  std::optional<RemoteExit> end() {
    char ignored[512];
    while (::read(from_.get(), ignored, sizeof ignored) > 0) {
    }
    if (to_) write(ssh::farewell_line());
    int status = 0;
    ::waitpid(pid_, &status, 0);
    if (WIFEXITED(status)) return ssh::from_wire(WEXITSTATUS(status), "");
    if (WTERMSIG(status) == SIGPROF) return ssh::from_wire(0, "SIG@openssh.com");
    return ssh::from_wire(0, sigabbrev_np(WTERMSIG(status)));
  }

 private:
  static void make_pipe(Fd& reading, Fd& writing) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    reading = Fd(ends[0]);
    writing = Fd(ends[1]);
  }

  Fd to_, from_;
  pid_t pid_ = -1;
};

std::optional<RemoteExit> run_under(const std::string& login_shell, const std::string& sh_folder,
                                    const RemoteCommand& command, std::size_t cut_off = 0) {
  return Carried(login_shell, sh_folder, command, cut_off).end();
}

std::string described(const std::optional<RemoteExit>& exit) {
  if (!exit) return "nothing";
  return exit->kind == RemoteExit::Kind::kCode ? std::to_string(exit->code) : exit->signal;
}

RemoteCommand shell(std::string text) { return {RemoteCommand::Kind::kShell, std::move(text), {}, true}; }

/// Each shell that this machine has, as the `sh` of a worker and as its login shell.
class WrapperUnder : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (::access(GetParam(), X_OK) != 0) GTEST_SKIP() << GetParam() << " is not installed";
  }
};

TEST_P(WrapperUnder, AsShTheEndTravels) {
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  const bool bash = std::string(GetParam()) == "/bin/bash";
  for (const int code : {0, 1, 3, 7, 127, 137, 143, 200, 254, 255}) {
    const auto command = shell("exit " + std::to_string(code));
    EXPECT_EQ(described(run_under("/bin/sh", folder.path(), command)), std::to_string(code));
  }
  // bash as sh does not say that a signal ended its child: the code stays.
  EXPECT_EQ(described(run_under("/bin/sh", folder.path(), shell("kill -9 $$"))), bash ? "137" : "KILL");
  EXPECT_EQ(described(run_under("/bin/sh", folder.path(), shell("kill -SEGV $$"))), bash ? "139" : "SEGV");
  EXPECT_EQ(described(run_under("/bin/sh", folder.path(), shell("kill -INT $$"))), "INT");
  EXPECT_EQ(described(run_under("/bin/sh", folder.path(), shell("kill -PIPE $$"))), "PIPE");
}

TEST_P(WrapperUnder, AsShTheInputReachesTheCommandAndEnds) {
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  std::string input = "line 1\nINT\nKILL\n" + std::string(20'000, 'x') + "no newline";
  input += '\0';
  RemoteCommand command = shell("cat >" + (folder / "got") + "; exit 5");
  command.input = input;
  EXPECT_EQ(described(run_under("/bin/sh", folder.path(), command)), "5");
  EXPECT_EQ(read_file(folder / "got").value(), input);
}

TEST_P(WrapperUnder, AsShNothingRunsOnAPartOfTheInput) {
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  RemoteCommand command = shell("touch " + (folder / "ran"));
  command.input = "0123456789";
  EXPECT_EQ(described(run_under("/bin/sh", folder.path(), command, 1)), "125");
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

TEST_P(WrapperUnder, AsShASignalAfterItsEndReachesWhoHoldsItsStdout) {
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  Carried carried(
      "/bin/sh", folder.path(),
      shell("(while kill -0 $$; do sleep 0.02; done 2>/dev/null; echo $BASHPID; exec sleep 60) & exit 6"));
  const pid_t pid = std::stoi(carried.read_line());
  carried.write(ssh::signal_line("TERM"));
  EXPECT_EQ(described(carried.end()), "6");
  EXPECT_TRUE(ends(pid, std::chrono::seconds(2)));
}

TEST_P(WrapperUnder, AsShAStopTakesAlongWhatLetGoOfItsStdout) {
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  Carried carried("/bin/sh", folder.path(), shell("sleep 60 >/dev/null 2>&1 & echo $!; wait"));
  const pid_t pid = std::stoi(carried.read_line());
  carried.write(ssh::signal_line("INT"));  // bash lets what it has in the background ignore it
  EXPECT_EQ(described(carried.end()), "INT");
  EXPECT_TRUE(ends(pid, std::chrono::seconds(2)));
}

TEST_P(WrapperUnder, AsShADaemonIsLeftAlone) {
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  Carried carried("/bin/sh", folder.path(), shell("sleep 60 >/dev/null 2>&1 & echo $!; exit 6"));
  const pid_t pid = std::stoi(carried.read_line());
  EXPECT_EQ(described(carried.end()), "6");
  EXPECT_TRUE(runs(pid));
  ::kill(pid, SIGTERM);
}

TEST_P(WrapperUnder, AsUsersShellACommandThatLooksLikeAnOptionIsACommand) {
  const TempFolder folder;  // busybox is a shell by its name only
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  EXPECT_EQ(described(Carried("/bin/sh", "/usr/bin", shell("-v"), 0, folder / "sh").end()), "127");
}

TEST_P(WrapperUnder, AsLoginShellTheCommandArrives) {
  RemoteCommand command = shell("[ \"$A\" = \"it's !1 \\\\ \\$x\" ] && exit 7");
  command.environment = {{"A", "it's !1 \\ $x"}};
  const TempFolder folder;
  std::filesystem::create_symlink(GetParam(), folder / "sh");
  EXPECT_EQ(described(run_under(folder / "sh", "/usr/bin", command)), "7");
}

INSTANTIATE_TEST_SUITE_P(Shells, WrapperUnder, ::testing::Values("/bin/dash", "/bin/bash", "/bin/busybox"),
                         [](const auto& test) { return std::string(test.param).substr(5); });

class LoginShell : public WrapperUnder {};
TEST_P(LoginShell, TakesTheExecLine) {
  EXPECT_EQ(described(run_under(GetParam(), "/usr/bin", shell("exit 7"))), "7");
}
TEST_P(LoginShell, TakesACommandThatLooksLikeAnOption) {
  const TempFolder folder;
  for (const std::string name : {"--version", "-v", "-c", "+x"}) {
    ASSERT_TRUE(write_file_atomically(folder / name, "#!/bin/sh\nexit 9\n", 0700).ok());
    const auto command = shell(name);
    EXPECT_EQ(described(Carried("/bin/sh", folder.path(), command, 0, GetParam()).end()), "9") << name;
  }
}
INSTANTIATE_TEST_SUITE_P(Shells, LoginShell,
                         ::testing::Values("/bin/dash", "/bin/bash", "/bin/tcsh", "/bin/csh", "/usr/bin/fish",
                                           "/bin/zsh", "/bin/ksh"),
                         [](const auto& test) {
                           return std::filesystem::path(test.param).filename().string();
                         });

}  // namespace
}  // namespace slipway::test
