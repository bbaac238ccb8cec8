#include <signal.h>

#include <fstream>

#include "slipway/core/text.h"

#include "unit/ssh/session_test.h"

// What a command is told, does and says, through a real sshd.
namespace slipway::test {
namespace {

using ssh::RemoteCommand;

class Command : public SessionTest {};

RemoteCommand script(std::string text) {
  RemoteCommand command;
  command.kind = RemoteCommand::Kind::kScript;
  command.text = std::move(text);
  return command;
}

TEST_F(Command, ExitCodesComeBackAsTheyAre) {
  for (const int code : {0, 1, 3, 7, 126, 127, 129, 137, 143, 200, 254, 255}) {
    EXPECT_EQ(end_of(*run("exit " + std::to_string(code))), "exit " + std::to_string(code));
  }
}

TEST_F(Command, ASignalIsToldApartFromTheCodeThatLooksLikeIt) {
  for (const std::string signal : {"KILL", "TERM", "SEGV", "INT", "PIPE", "HUP", "ABRT", "USR1", "ALRM"}) {
    EXPECT_EQ(end_of(*run("kill -" + signal + " $$")), "signal " + signal);
  }
  EXPECT_EQ(end_of(*run("kill -BUS $$")), "exit 135");  // ssh has no name for it
}

TEST_F(Command, StdoutAndStderrStayApartAndALineNeedsNoEnd) {
  const auto ran = run("printf 'to out\\nno end'; printf 'to err' >&2");
  EXPECT_EQ(ran->out, "to out\nno end");
  EXPECT_EQ(ran->err, "to err");
  EXPECT_EQ(end_of(*ran), "exit 0");
}

TEST_F(Command, EveryByteArrives) {
  std::string text = "cat <<'END-OF-IT'\n";
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  bytes += "\n'\"`$(touch nothing)\\\n\n";
  const auto ran = run(text + bytes + "END-OF-IT\n\n\n");
  EXPECT_EQ(ran->out, bytes);
  EXPECT_EQ(ran->err, "");
  EXPECT_EQ(end_of(*ran), "exit 0");
}

TEST_F(Command, AZeroByteIsRefusedAndNothingRuns) {
  const auto ran = run(std::string("echo ran\0; echo more", 20));
  EXPECT_EQ(end_of(*ran), "exit 125");
  EXPECT_EQ(ran->out, "");
  EXPECT_THAT(ran->err, ::testing::HasSubstr("could not be taken in whole"));
}

TEST_F(Command, ALongCommandIsRunFromAFileThatIsGoneAfterwards) {
  std::string text = "name=$0\n";
  while (text.size() < 200'000) text += "x='padding that makes it longer than one argument may be'\n";
  const auto ran = run(text + "echo \"$name\"; exit 4\n");
  EXPECT_EQ(end_of(*ran), "exit 4");
  ASSERT_THAT(ran->out, ::testing::HasSubstr("slipway."));
  EXPECT_NE(::access(ran->out.substr(0, ran->out.find('\n')).c_str(), F_OK), 0);
}

TEST_F(Command, AScriptRunsByItsOwnFirstLine) {
  const auto ran = run(script("#!/usr/bin/awk -f\nBEGIN { print \"awk says\", 6 * 7; exit 9 }\n"));
  EXPECT_EQ(ran->out, "awk says 42\n");
  EXPECT_EQ(end_of(*ran), "exit 9");
  EXPECT_EQ(run(script("echo plain; exit 2"))->out, "plain\n");
}

TEST_F(Command, TheEnvironmentArrivesWhateverItHolds) {
  RemoteCommand command;
  command.text = "printf '%s|%s|%s' \"$A\" \"$B\" \"${sw_env-unset}\"";
  command.environment = {{"A", "it's $HOME\nand \"more\""}, {"B", ""}};
  EXPECT_EQ(run(command)->out, "it's $HOME\nand \"more\"||unset");
}

TEST_F(Command, AVariableNameIsNeverRun) {
  RemoteCommand command;
  command.text = "echo ran";
  command.environment = {{"A;echo injected;B", "1"}};
  const auto ran = run(command);
  EXPECT_EQ(ran->out, "");
  EXPECT_NE(end_of(*ran), "exit 0");
}

TEST_F(Command, ItsStdinIsEmpty) { EXPECT_EQ(end_of(*run("cat; exit 5")), "exit 5"); }

TEST_F(Command, ItHasTheDefaultSignalsAndNoDescriptorOfOurs) {
  const auto ran = run("grep SigIgn /proc/self/status; ls /proc/self/fd | wc -l");
  EXPECT_THAT(ran->out, ::testing::HasSubstr("0000000000000000"));
  EXPECT_THAT(ran->out, ::testing::EndsWith("4\n"));  // 0, 1, 2 and the folder that ls reads
}

TEST_F(Command, ASignalLineReachesTheGroupAndTheCommandMayEndInItsOwnWay) {
  const auto driver = start("trap 'echo bye; exit 6' INT; echo up; while :; do sleep 0.05; done");
  ASSERT_TRUE(driver->until([&] { return driver->out == "up\n"; }));
  driver->session().send_input(ssh::signal_line("INT"));
  ASSERT_TRUE(driver->until_over());
  EXPECT_EQ(driver->out, "up\nbye\n");
  EXPECT_EQ(end_of(*driver), "exit 6");
}

TEST_F(Command, ATermLineEndsItAndAKillLineEndsWhatIgnoresTerm) {
  auto driver = start("echo up; sleep 60");
  ASSERT_TRUE(driver->until([&] { return driver->out == "up\n"; }));
  driver->session().send_input(ssh::signal_line("TERM"));
  ASSERT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "signal TERM");

  driver = start("trap '' TERM; echo up; while :; do sleep 0.1; done");
  ASSERT_TRUE(driver->until([&] { return driver->out == "up\n"; }));
  driver->session().send_input(ssh::signal_line("TERM"));
  driver->session().send_input(ssh::signal_line("KILL"));
  ASSERT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "signal KILL");
}

TEST_F(Command, NothingOfTheWrapperSurvivesItsEnd) {
  const auto ran = run("ps -o pid= -s $(ps -o sess= -p $$)");
  for (const std::string& pid : split(ran->out, '\n')) {
    if (trim(pid).empty()) continue;
    EXPECT_TRUE(ends(std::stoi(pid), std::chrono::seconds(2))) << pid;
  }
}

TEST_F(Command, ItEndsWhenTheClientGoes) {
  auto driver = start("echo $$; sleep 60; echo never");
  ASSERT_TRUE(driver->until([&] { return driver->out.find('\n') != std::string::npos; }));
  const pid_t pid = std::stoi(driver->out);
  driver.reset();
  EXPECT_TRUE(ends(pid, std::chrono::seconds(4)));
}

TEST_F(Command, ItIsKilledWhenItIgnoresTheGoingOfTheClient) {
  auto driver = start("trap '' TERM HUP; echo $$; while :; do sleep 0.1; done");
  ASSERT_TRUE(driver->until([&] { return driver->out.find('\n') != std::string::npos; }));
  const pid_t pid = std::stoi(driver->out);
  driver.reset();
  EXPECT_TRUE(ends(pid, std::chrono::seconds(10)));
}

TEST_F(Command, ItGoesOnWithoutTheClientWhenToldTo) {
  RemoteCommand command;
  command.text =
      "trap '' HUP PIPE; echo $$; while [ ! -e /tmp/slipway-go-$$ ]; do sleep 0.05; done; touch "
      "/tmp/slipway-went-$$";
  command.kill_on_disconnect = false;
  auto driver = start(command);
  ASSERT_TRUE(driver->until([&] { return driver->out.find('\n') != std::string::npos; }));
  const std::string pid(trim(driver->out));
  const pid_t server = serving_sshd(std::stoi(pid));
  driver.reset();
  ASSERT_TRUE(ends(server, std::chrono::seconds(5)));
  const std::string went = "/tmp/slipway-went-" + pid, go = "/tmp/slipway-go-" + pid;
  { std::ofstream touch(go); }
  EXPECT_TRUE(ends(std::stoi(pid), std::chrono::seconds(5)));
  EXPECT_EQ(::access(went.c_str(), F_OK), 0);
  ::unlink(went.c_str());
  ::unlink(go.c_str());
}

/// The number that the command says first.
pid_t said_pid(SessionDriver& driver) {
  EXPECT_TRUE(driver.until([&] { return driver.out.find('\n') != std::string::npos; }));
  return std::stoi(driver.out);
}

TEST_F(Command, WhoHoldsItsStdoutAfterItsEndStillHearsSignals) {
  auto driver =
      start("(while kill -0 $$; do sleep 0.02; done 2>/dev/null; echo $BASHPID; exec sleep 60) & exit 3");
  const pid_t pid = said_pid(*driver);
  driver->session().send_input(ssh::signal_line("TERM"));
  EXPECT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "exit 3");
  EXPECT_TRUE(ends(pid, std::chrono::seconds(2)));
}

TEST_F(Command, WhoHoldsItsStdoutAndIsDeafToTermIsKilled) {
  auto driver = start("(trap '' TERM INT; echo up; while :; do sleep 0.1; done) & exec sleep 60");
  ASSERT_TRUE(driver->until([&] { return driver->out == "up\n"; }));
  driver->session().send_input(ssh::signal_line("TERM"));
  EXPECT_FALSE(driver->until_over(std::chrono::milliseconds(300)));
  driver->session().send_input(ssh::signal_line("KILL"));
  EXPECT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "signal KILL");
}

TEST_F(Command, WhoHoldsItsStdoutAfterItsEndGoesWithTheClient) {
  auto driver = start("(trap '' TERM HUP; while :; do sleep 0.1; done) & echo $!; exit 0");
  const pid_t pid = said_pid(*driver);
  driver.reset();
  EXPECT_TRUE(ends(pid, std::chrono::seconds(10)));
}

TEST_F(Command, AStopTakesAlongWhatItStartedEvenIfThatLetGoOfStdout) {
  auto driver = start("sleep 60 >/dev/null 2>&1 & echo $!; wait");  // bash lets it ignore INT
  pid_t pid = said_pid(*driver);
  driver->session().send_input(ssh::signal_line("INT"));
  EXPECT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "signal INT");
  EXPECT_TRUE(ends(pid, std::chrono::seconds(2)));

  driver = start("(trap '' TERM; while :; do sleep 0.1; done) >/dev/null 2>&1 & echo $!; exec sleep 60");
  pid = said_pid(*driver);
  driver->session().send_input(ssh::signal_line("TERM"));
  EXPECT_TRUE(driver->until_over());
  EXPECT_TRUE(ends(pid, std::chrono::seconds(2)));
}

TEST_F(Command, ADaemonThatLetGoOfStdoutIsLeftAloneWhenItsStarterEndsByItself) {
  const auto driver = start("sleep 60 >/dev/null 2>&1 & echo $!; exit 3");
  const pid_t pid = said_pid(*driver);
  EXPECT_TRUE(driver->until_over());
  EXPECT_EQ(end_of(*driver), "exit 3");
  EXPECT_TRUE(runs(pid));
  ::kill(pid, SIGTERM);
}

}  // namespace
}  // namespace slipway::test
