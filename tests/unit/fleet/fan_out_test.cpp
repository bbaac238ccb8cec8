#include "slipway/fleet/fan_out.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fleet/outcome_of.h"
#include "slipway/core/fd.h"
#include "slipway/core/streams.h"
#include "unit/fleet/bed.h"
#include "unit/fleet/recorder.h"

namespace slipway::fleet {
namespace {

using ssh::Phase;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Bed;
using test::Recorder;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MATCHER_P(EndsAs, kind, std::string("ends as ") + std::string(to_string(kind))) {
  *result_listener << to_string(arg.kind) << " " << arg.exit_code << " " << arg.signal << ": " << arg.error;
  return arg.kind == kind;
}

long peak_memory_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class FanOut : public ::testing::Test {
 protected:
  FanOut() { options_ = bed_.options(); }

  std::vector<Outcome> run(const std::vector<Target>& targets, const CommandFor& command_for) {
    SystemClock clock;
    Result<std::vector<Outcome>> outcomes =
        fan_out(targets, command_for, options_, clock, interrupt_, recorder_);
    EXPECT_TRUE(outcomes) << outcomes.error().message();
    return outcomes ? *outcomes : std::vector<Outcome>();
  }
  std::vector<Outcome> run(const std::vector<Target>& targets, const std::string& command) {
    return run(targets, [&](std::size_t) { return ssh::RemoteCommand{.text = command}; });
  }
  /// A command that leaves a file behind as soon as it runs.
  std::string leaves_a_mark(const std::string& then = ":") const {
    return "mktemp -p " + bed_.folder() + "/marks mark.XXXXXX >/dev/null; " + then;
  }
  std::ptrdiff_t marks() const { return bed_.count("marks"); }
  /// Runs until `count` of them run it.
  std::string waits_for_peers(std::size_t count) const {
    return leaves_a_mark("while [ $(ls " + bed_.folder() + "/marks | wc -l) -lt " + std::to_string(count) +
                         " ]; do sleep 0.5; done");
  }

  Bed bed_;
  FanOutOptions options_;
  Interrupt interrupt_;
  Recorder recorder_;
};

TEST_F(FanOut, EveryWorkerRunsItsOwnCommand) {
  const auto outcomes = run(bed_.targets(2, 2), [](std::size_t i) {
    return ssh::RemoteCommand{.text = "echo $RANK of 4; echo warning >&2",
                              .environment = {{"RANK", std::to_string(i)}}};
  });
  ASSERT_THAT(outcomes, Each(EndsAs(OutcomeKind::kOk)));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(recorder_.out[i], std::to_string(i) + " of 4\n");
    EXPECT_EQ(recorder_.err[i], "warning\n");
    ASSERT_TRUE(outcomes[i].started_at && outcomes[i].ended_at);
    EXPECT_LE(*outcomes[i].started_at, *outcomes[i].ended_at);
  }
  EXPECT_THAT(recorder_.ended, ::testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST_F(FanOut, NoTargetsAreNoOutcomes) { EXPECT_THAT(run({}, "true"), IsEmpty()); }

TEST_F(FanOut, CommandsThatWaitForEachOtherAllRunWithTwoStartsAtATime) {
  options_.max_starting = 2;
  options_.timeout = seconds(60);
  std::size_t most = 0;
  std::map<std::size_t, Phase> at;
  recorder_.phase_hook = [&](std::size_t target, Phase phase) {
    at[target] = phase;
    most = std::max<std::size_t>(
        most, static_cast<std::size_t>(std::count_if(
                  at.begin(), at.end(), [](const auto& entry) { return entry.second < Phase::kHeld; })));
  };
  EXPECT_THAT(run(bed_.targets(8, 4), waits_for_peers(32)), Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_EQ(marks(), 32);
  EXPECT_EQ(most, 2u);
}

TEST_F(FanOut, AFailedWorkerDoesNotStopTheOthers) {
  const auto outcomes = run(bed_.targets(1, 4), [&](std::size_t i) {
    const std::vector<std::string> commands = {"exit 0", "exit 3", "kill -9 $$",
                                               leaves_a_mark("sleep 0.2; exit 255")};
    return ssh::RemoteCommand{.text = commands[i]};
  });
  EXPECT_THAT(outcomes, ElementsAre(EndsAs(OutcomeKind::kOk), EndsAs(OutcomeKind::kExit),
                                    EndsAs(OutcomeKind::kSignal), EndsAs(OutcomeKind::kExit)));
  EXPECT_EQ(outcomes[1].exit_code, 3);
  EXPECT_EQ(outcomes[2].signal, "KILL");
  EXPECT_EQ(outcomes[3].exit_code, 255);
  EXPECT_EQ(marks(), 1);
}

TEST_F(FanOut, AGangWithADeadMemberStartsNothingAndSaysWho) {
  options_.limits.connect = milliseconds(300);
  auto targets = bed_.targets(2, 2);
  targets[2].port = bed_.dead_port();
  const auto outcomes = run(targets, leaves_a_mark());
  EXPECT_THAT(outcomes[2], EndsAs(OutcomeKind::kUnreachable));
  for (const std::size_t i : {0u, 1u, 3u}) {
    EXPECT_THAT(outcomes[i], EndsAs(OutcomeKind::kNotStarted));
    EXPECT_THAT(outcomes[i].error, HasSubstr("qr-1/0"));
    EXPECT_FALSE(outcomes[i].started_at);
  }
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, ThousandsOfDeadWorkersAreAllTriedAgainAndAllEndInTime) {
  options_.limits.connect = seconds(1);
  auto targets = bed_.targets(50, 64);
  for (Target& target : targets) target.port = bed_.dead_port();
  const auto before = BootClock::now();
  EXPECT_THAT(run(targets, "true"), Each(EndsAs(OutcomeKind::kUnreachable)));
  EXPECT_GT(recorder_.phases[Phase::kConnect], static_cast<int>(targets.size()));
  EXPECT_LT(BootClock::now() - before, seconds(30));
}

TEST_F(FanOut, ARelaxedRequirementRunsOnThoseThatCould) {
  options_.limits.connect = milliseconds(300);
  options_.require = Requirement::parse("50%").value();
  auto targets = bed_.targets(2, 2);
  targets[0].port = targets[3].port = bed_.dead_port();
  EXPECT_THAT(run(targets, leaves_a_mark()),
              ElementsAre(EndsAs(OutcomeKind::kUnreachable), EndsAs(OutcomeKind::kOk),
                          EndsAs(OutcomeKind::kOk), EndsAs(OutcomeKind::kUnreachable)));
  EXPECT_EQ(marks(), 2);
}

TEST_F(FanOut, ARelaxedRequirementThatIsNotMetStartsNothing) {
  options_.limits.connect = milliseconds(300);
  options_.require = Requirement::parse("3").value();
  auto targets = bed_.targets(2, 2);
  targets[0].port = targets[3].port = bed_.dead_port();
  const auto outcomes = run(targets, leaves_a_mark());
  EXPECT_THAT(outcomes[1], EndsAs(OutcomeKind::kNotStarted));
  EXPECT_THAT(outcomes[1].error, AllOf(HasSubstr("2 of 4"), HasSubstr("--require 3")));
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, AWorkerThatRefusesAtFirstIsTriedAgain) {
  auto targets = bed_.targets(1, 2);
  const int port = targets[0].port;
  targets[0].port = targets[1].port = bed_.dead_port();
  recorder_.phase_hook = [&](std::size_t, Phase phase) {
    if (phase == Phase::kConnect && recorder_.phases[phase] == 3) targets[0].port = targets[1].port = port;
  };
  EXPECT_THAT(run(targets, "true"), Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_GE(recorder_.phases[Phase::kConnect], 3);
}

TEST_F(FanOut, AServerWithoutRoomForAllAtOnceIsTriedAgainMoreSlowly) {
  for (const std::string setting : {"PerSourceMaxStartups 2", "MaxStartups 2:100:2", "MaxStartups 3:100:3"}) {
    SCOPED_TRACE(setting);
    const Bed small({setting});
    options_ = small.options();
    options_.limits.connect = seconds(60);
    recorder_ = Recorder();
    EXPECT_THAT(run(small.targets(4, 8), "true"), Each(EndsAs(OutcomeKind::kOk)));
    EXPECT_GT(recorder_.phases[Phase::kConnect], 32);
    // Without a slower rate each of the 32 is turned away about as often as there are others.
    EXPECT_LT(recorder_.phases[Phase::kConnect], 32 * 8);
    EXPECT_THAT(recorder_.notices,
                ElementsAre(AllOf(HasSubstr("Exceeded MaxStartups"), HasSubstr("starting fewer at once"))));
  }
}

TEST_F(FanOut, OneTryIsAllThatAServerWithMaxAuthTries1Needs) {
  const Bed strict({"MaxAuthTries 1"});
  options_ = strict.options();
  EXPECT_THAT(run(strict.targets(1, 4), "true"), Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_EQ(recorder_.phases[Phase::kConnect], 4);
}

TEST_F(FanOut, OneSessionAConnectionIsAllThatItNeeds) {
  const Bed narrow({"MaxSessions 1"});
  options_ = narrow.options();
  EXPECT_THAT(run(narrow.targets(2, 4), "echo here"), Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_EQ(recorder_.phases[Phase::kConnect], 8);
}

TEST_F(FanOut, AServerThatPunishesAddressesIsTriedAgainWhenItHasForgiven) {
  // OpenSSH 9.8: an address whose clients leave before they have logged in is shut out for a while.
  if (!Bed::knows("PerSourcePenalties yes")) GTEST_SKIP() << "this sshd knows no PerSourcePenalties";
  const Bed stern({"PerSourcePenalties noauth:2s authfail:2s min:1s max:4s"});
  auto strangers = stern.targets(1, 2);
  options_ = stern.options();
  options_.identity = &stern.unknown_identity();
  EXPECT_THAT(run(strangers, "true"), Each(EndsAs(OutcomeKind::kAuth)));
  options_ = stern.options();
  options_.limits.connect = seconds(60);
  EXPECT_THAT(run(stern.targets(2, 2), "true"), Each(EndsAs(OutcomeKind::kOk)));
}

TEST_F(FanOut, AServerThatOpensNoSessionIsSaidToBeOne) {
  const Bed closed({"MaxSessions 0"});
  options_ = closed.options();
  options_.limits.connect = seconds(1);
  const auto outcomes = run(closed.targets(1, 2), leaves_a_mark());
  EXPECT_THAT(outcomes, Each(EndsAs(OutcomeKind::kUnreachable)));
  EXPECT_THAT(outcomes[0].error, HasSubstr("opens no session"));
  EXPECT_EQ(outcomes[0].phase, Phase::kOpen);
}

TEST_F(FanOut, KeysThatChangeInTheMiddleChangeNothingElse) {
  const Bed often({"RekeyLimit 256K 1s"});
  options_ = often.options();
  EXPECT_THAT(run(often.targets(1, 4), "head -c 3000000 /dev/zero; sleep 2; head -c 3000000 /dev/zero"),
              Each(EndsAs(OutcomeKind::kOk)));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(recorder_.out[i].size(), 6'000'000u);
}

TEST_F(FanOut, AWrongHostKeyIsFinalAndNothingIsSentToIt) {
  auto targets = bed_.targets(1, 2);
  targets[1].pins = bed_.other_pins();
  const auto outcomes = run(targets, leaves_a_mark());
  EXPECT_THAT(outcomes, ElementsAre(EndsAs(OutcomeKind::kNotStarted), EndsAs(OutcomeKind::kHostKey)));
  EXPECT_EQ(recorder_.phases[Phase::kConnect], 2);
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, AKeyThatWasJustAddedIsOfferedAgainUntilItIsKnown) {
  options_.identity = &bed_.unknown_identity();
  options_.auth_patience = seconds(60);
  recorder_.phase_hook = [&](std::size_t, Phase phase) {
    if (phase == Phase::kConnect && recorder_.phases[phase] == 3) bed_.authorize_unknown();
  };
  EXPECT_THAT(run(bed_.targets(1, 2), "true"), Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_GE(recorder_.phases[Phase::kConnect], 4);
}

TEST_F(FanOut, PatienceWithARefusedKeyEnds) {
  options_.identity = &bed_.unknown_identity();
  options_.auth_patience = milliseconds(300);
  EXPECT_THAT(run(bed_.targets(1, 2), leaves_a_mark()), Each(EndsAs(OutcomeKind::kAuth)));
  EXPECT_GE(recorder_.phases[Phase::kConnect], 3);
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, ARefusedKeyIsFinal) {
  options_.identity = &bed_.unknown_identity();
  EXPECT_THAT(run(bed_.targets(1, 2), leaves_a_mark()), Each(EndsAs(OutcomeKind::kAuth)));
  EXPECT_EQ(recorder_.phases[Phase::kConnect], 2);
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, AWorkerThatIsLostIsNeverRunAgainAndTheOthersFinish) {
  const std::string end_own_sshd =
      "p=$$; while [ \"$(cat /proc/$p/comm)\" != sshd ]; do p=$(cut -d' ' -f4 /proc/$p/stat); done; kill -9 "
      "$p; sleep 5";
  const auto outcomes = run(bed_.targets(1, 3), [&](std::size_t i) {
    return ssh::RemoteCommand{.text = leaves_a_mark(i == 1 ? end_own_sshd : "sleep 0.3; echo done")};
  });
  EXPECT_THAT(outcomes,
              ElementsAre(EndsAs(OutcomeKind::kOk), EndsAs(OutcomeKind::kLost), EndsAs(OutcomeKind::kOk)));
  EXPECT_EQ(outcomes[1].phase, Phase::kRun);
  EXPECT_FALSE(outcomes[1].error.empty());
  EXPECT_EQ(recorder_.out[2], "done\n");
  EXPECT_EQ(marks(), 3);
}

TEST_F(FanOut, TheTimeoutStopsWhatStillRuns) {
  options_.timeout = seconds(3);
  options_.grace = milliseconds(5'000);
  const auto outcomes = run(bed_.targets(1, 2), [&](std::size_t i) {
    return ssh::RemoteCommand{.text = i == 0 ? "echo quick"
                                             : "trap 'echo told; exit 7' TERM; while :; do sleep 0.1; done"};
  });
  EXPECT_THAT(outcomes, ElementsAre(EndsAs(OutcomeKind::kOk), EndsAs(OutcomeKind::kTimeout)));
  EXPECT_EQ(recorder_.out[1], "told\n");
  EXPECT_THAT(outcomes[1].error, HasSubstr("told to stop after 3"));
}

TEST_F(FanOut, ACommandThatIgnoresTermIsKilled) {
  options_.timeout = milliseconds(300);
  options_.grace = milliseconds(300);
  const auto before = BootClock::now();
  EXPECT_THAT(run(bed_.targets(1, 1), "trap '' TERM; while :; do sleep 0.1; done"),
              Each(EndsAs(OutcomeKind::kTimeout)));
  EXPECT_LT(BootClock::now() - before, seconds(4));
}

TEST_F(FanOut, AnInterruptBeforeTheGangIsCompleteStartsNothing) {
  for (const Phase phase : {Phase::kConnect, Phase::kHandshake, Phase::kAuth, Phase::kHeld}) {
    SCOPED_TRACE(ssh::to_string(phase));
    Interrupt interrupt;
    Recorder recorder;
    SystemClock clock;
    recorder.phase_hook = [&](std::size_t target, Phase reached) {
      if (target == 0 && reached == phase) interrupt.notify(2);
    };
    const auto outcomes = fan_out(
        bed_.targets(2, 2), [&](std::size_t) { return ssh::RemoteCommand{.text = leaves_a_mark()}; },
        options_, clock, interrupt, recorder);
    ASSERT_TRUE(outcomes);
    EXPECT_THAT(*outcomes, Each(EndsAs(OutcomeKind::kNotStarted)));
    EXPECT_THAT(recorder.notices, ElementsAre(HasSubstr("nothing")));
  }
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, AnInterruptWhileAWorkerIsTriedAgainEndsAtOnce) {
  auto targets = bed_.targets(1, 1);
  targets[0].port = bed_.dead_port();
  options_.limits.connect = seconds(60);
  recorder_.phase_hook = [&](std::size_t, Phase phase) {
    if (phase == Phase::kConnect && recorder_.phases[phase] == 2) interrupt_.notify(2);
  };
  const auto before = BootClock::now();
  EXPECT_THAT(run(targets, "true"), Each(EndsAs(OutcomeKind::kNotStarted)));
  EXPECT_LT(BootClock::now() - before, seconds(5));
}

TEST_F(FanOut, AnInterruptStopsWhatRunsAndItsEndIsSeen) {
  recorder_.output_hook = [&](std::size_t, std::string_view) {
    if (recorder_.out.size() == 2 && !interrupt_.requested()) interrupt_.notify(2);
  };
  const auto outcomes = run(bed_.targets(1, 2), [&](std::size_t i) {
    return ssh::RemoteCommand{.text = i == 0 ? "echo up; exec sleep 60"
                                             : "trap 'exit 9' INT; echo up; while :; do sleep 0.1; done"};
  });
  EXPECT_THAT(outcomes, ElementsAre(EndsAs(OutcomeKind::kSignal), EndsAs(OutcomeKind::kExit)));
  EXPECT_EQ(outcomes[0].signal, "INT");
  EXPECT_EQ(outcomes[1].exit_code, 9);
  EXPECT_THAT(recorder_.notices, ElementsAre(AllOf(HasSubstr("INT"), HasSubstr("2 workers"))));
}

TEST_F(FanOut, ASecondInterruptIsTerm) {
  options_.grace = seconds(60);
  recorder_.output_hook = [&](std::size_t, std::string_view bytes) {
    if (bytes == "up\n" || bytes == "deaf\n") interrupt_.notify(2);
  };
  const auto outcomes = run(bed_.targets(1, 1),
                            "trap 'echo deaf' INT; trap 'exit 6' TERM; echo up; while :; do sleep 0.1; done");
  EXPECT_THAT(outcomes, Each(EndsAs(OutcomeKind::kExit)));
  EXPECT_EQ(outcomes[0].exit_code, 6);
  EXPECT_THAT(recorder_.notices,
              ElementsAre(HasSubstr("INT"), AllOf(HasSubstr("TERM"), HasSubstr("qr-0/0"))));
}

TEST_F(FanOut, AThirdInterruptIsKill) {
  options_.grace = seconds(60);
  recorder_.output_hook = [&](std::size_t, std::string_view) { interrupt_.notify(2); };
  const auto outcomes =
      run(bed_.targets(1, 1),
          "trap 'echo deaf' INT; trap 'echo deaf to that too' TERM; echo up; while :; do sleep 0.1; done");
  EXPECT_THAT(outcomes, Each(EndsAs(OutcomeKind::kSignal)));
  EXPECT_EQ(outcomes[0].signal, "KILL");
  EXPECT_THAT(recorder_.notices, ElementsAre(HasSubstr("INT"), HasSubstr("TERM"), HasSubstr("KILL")));
}

TEST_F(FanOut, ThreeInterruptsAtOnceAreKill) {
  options_.grace = seconds(60);
  recorder_.output_hook = [&](std::size_t, std::string_view) {
    for (int i = 0; i < 3; ++i) interrupt_.notify(2);
  };
  EXPECT_THAT(run(bed_.targets(1, 1), "trap '' INT TERM; echo up; while :; do sleep 0.1; done"),
              Each(EndsAs(OutcomeKind::kSignal)));
}

TEST_F(FanOut, AWorkerThatCannotBeStoppedIsSaidToRunOn) {
  options_.grace = milliseconds(100);
  pid_t server = 0;
  recorder_.output_hook = [&](std::size_t, std::string_view bytes) {
    server = test::serving_sshd(std::stoi(std::string(bytes)));
    ::kill(server, SIGSTOP);
    interrupt_.notify(2);
  };
  const auto outcomes = run(bed_.targets(1, 1), [&](std::size_t) {
    return ssh::RemoteCommand{.text = "echo $$; exec sleep 60", .kill_on_disconnect = false};
  });
  ::kill(server, SIGKILL);
  EXPECT_THAT(outcomes, Each(EndsAs(OutcomeKind::kLost)));
  EXPECT_THAT(outcomes[0].error, HasSubstr("may still run"));
}

TEST_F(FanOut, WithFailFastTheFirstFailureStopsAll) {
  options_.fail_fast = true;
  const auto outcomes = run(bed_.targets(1, 3), [&](std::size_t i) {
    return ssh::RemoteCommand{.text = i == 1 ? "sleep 0.5; exit 3" : "exec sleep 60"};
  });
  EXPECT_THAT(outcomes, ElementsAre(EndsAs(OutcomeKind::kSignal), EndsAs(OutcomeKind::kExit),
                                    EndsAs(OutcomeKind::kSignal)));
  EXPECT_EQ(outcomes[0].signal, "TERM");
  EXPECT_THAT(outcomes[0].error, AllOf(HasSubstr("qr-0/1"), HasSubstr("exit 3")));
  EXPECT_TRUE(outcomes[1].error.empty());
  EXPECT_THAT(recorder_.notices, ElementsAre(AllOf(HasSubstr("qr-0/1 failed (exit 3)"), HasSubstr("TERM"))));
}

TEST_F(FanOut, WithFailFastAFailureThatTheRequirementAllowsStopsNothing) {
  options_.fail_fast = true;
  options_.require = Requirement::parse("2").value();
  const auto outcomes = run(bed_.targets(1, 3), [&](std::size_t i) {
    return ssh::RemoteCommand{.text = i == 1 ? "exit 3" : "sleep 0.7; exit 0"};
  });
  EXPECT_THAT(outcomes,
              ElementsAre(EndsAs(OutcomeKind::kOk), EndsAs(OutcomeKind::kExit), EndsAs(OutcomeKind::kOk)));
}

TEST_F(FanOut, WithFailFastAMissingMemberEndsTheWaitForTheOthers) {
  options_.fail_fast = true;
  options_.limits.connect = seconds(60);
  auto targets = bed_.targets(1, 3);
  targets[0].pins = bed_.other_pins();
  targets[2].port = bed_.dead_port();
  const auto before = BootClock::now();
  const auto outcomes = run(targets, leaves_a_mark());
  EXPECT_THAT(outcomes, ElementsAre(EndsAs(OutcomeKind::kHostKey), EndsAs(OutcomeKind::kNotStarted),
                                    EndsAs(OutcomeKind::kNotStarted)));
  EXPECT_LT(BootClock::now() - before, seconds(20));
  EXPECT_EQ(marks(), 0);
}

TEST_F(FanOut, AStragglerIsNamed) {
  options_.straggler_after = milliseconds(300);
  run(bed_.targets(1, 9),
      [&](std::size_t i) { return ssh::RemoteCommand{.text = i == 4 ? "sleep 2" : "true"}; });
  ASSERT_FALSE(recorder_.notices.empty());
  EXPECT_THAT(recorder_.notices[0], AllOf(HasSubstr("qr-0/4 alone"), HasSubstr("8 other workers ended")));
}

TEST_F(FanOut, WhereHalfStillRunsNobodyIsAStraggler) {
  options_.straggler_after = milliseconds(100);
  run(bed_.targets(1, 4),
      [&](std::size_t i) { return ssh::RemoteCommand{.text = i < 2 ? "true" : "sleep 1"}; });
  EXPECT_THAT(recorder_.notices, IsEmpty());
}

TEST_F(FanOut, InputReachesEveryWorker) {
  const std::string input(200'000, 'i');
  run(bed_.targets(1, 3), [&](std::size_t) { return ssh::RemoteCommand{.text = "wc -c", .input = input}; });
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(recorder_.out[i], "200000\n");
}

TEST_F(FanOut, AFloodFromOneWorkerDoesNotHoldUpTheOthers) {
  constexpr std::size_t kFlood = std::size_t{48} << 20;
  struct Counter final : Recorder {
    void on_output(std::size_t target, ssh::Stream, std::string_view bytes) override {
      if (target == 0) flood += bytes.size();
      largest = std::max(largest, bytes.size());
    }
    std::size_t flood = 0;
    std::size_t largest = 0;
  } counter;
  SystemClock clock;
  const long before = peak_memory_kib();
  const auto outcomes = fan_out(
      bed_.targets(1, 4),
      [&](std::size_t i) {
        return ssh::RemoteCommand{.text = i == 0 ? "head -c " + std::to_string(kFlood) + " /dev/zero"
                                                 : "echo quick"};
      },
      options_, clock, interrupt_, counter);
  ASSERT_TRUE(outcomes);
  EXPECT_THAT(*outcomes, Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_EQ(counter.flood, kFlood);
  EXPECT_EQ(counter.ended.back(), 0u);
#ifndef __SANITIZE_ADDRESS__  // it keeps what was freed
  EXPECT_LT(peak_memory_kib() - before, 16 * 1024);
#else
  EXPECT_GT(before, 0);
#endif
  EXPECT_LE(counter.largest, std::size_t{64} * 1024);
}

TEST_F(FanOut, ASlowReaderMakesTheWorkersWaitAndLosesNothing) {
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  /// Takes a little at each drain(): slower than any worker.
  struct SlowReader final : Recorder {
    void on_output(std::size_t, ssh::Stream, std::string_view bytes) override {
      taken += bytes.size();
      waiting += bytes.size();
      most = std::max(most, waiting);
    }
    bool congested() const override { return waiting > 256 * 1024; }
    void drain() override { waiting -= std::min<std::size_t>(waiting, 64 * 1024); }
    std::size_t taken = 0;
    std::size_t waiting = 0;
    std::size_t most = 0;
  } reader;
  SystemClock clock;
  const auto outcomes = fan_out(
      bed_.targets(1, 3),
      [&](std::size_t) {
        return ssh::RemoteCommand{.text = "head -c " + std::to_string(kBytes) + " /dev/zero"};
      },
      options_, clock, interrupt_, reader);
  ASSERT_TRUE(outcomes);
  EXPECT_THAT(*outcomes, Each(EndsAs(OutcomeKind::kOk)));
  EXPECT_EQ(reader.taken, 3 * kBytes);
  EXPECT_LE(reader.most, std::size_t{256 + 2 * 64} * 1024);
}

/// Reads `fd` to its end in a process of its own; true when it got `expected` bytes.
class ReadingProcess {
 public:
  ReadingProcess(int fd, int other_end, std::size_t expected) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::close(other_end);
    std::size_t got = 0;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(fd, buffer, sizeof(buffer))) > 0;)
      got += static_cast<std::size_t>(count);
    ::_exit(got == expected ? 0 : 1);
  }
  bool got_all() const {
    int status = -1;
    ::waitpid(pid_, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t pid_;
};

TEST_F(FanOut, AReaderBehindAPipeGetsEveryByteAndBoundsWhatWaits) {
  constexpr std::size_t kBytes = std::size_t{6} << 20;
  struct Pipe final : Recorder {
    explicit Pipe(int fd) : stream(make_fd_output(fd)) {}
    void on_output(std::size_t, ssh::Stream, std::string_view bytes) override {
      stream->queue(bytes);
      most = std::max(most, stream->backlog());
    }
    bool congested() const override { return stream->backlog() > 256 * 1024; }
    bool pending() const override { return stream->backlog() > 0; }
    int wait_fd() const override { return stream->fd(); }
    void drain() override { stream->drain(); }
    std::unique_ptr<OutputStream> stream;
    std::size_t most = 0;
  };
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  const ReadingProcess reader(read_end.get(), write_end.get(), 2 * kBytes);
  read_end.reset();
  Pipe reporter(write_end.get());
  SystemClock clock;
  const auto outcomes = fan_out(
      bed_.targets(1, 2),
      [&](std::size_t) {
        return ssh::RemoteCommand{.text = "head -c " + std::to_string(kBytes) + " /dev/zero"};
      },
      options_, clock, interrupt_, reporter);
  ASSERT_TRUE(outcomes);
  EXPECT_THAT(*outcomes, Each(EndsAs(OutcomeKind::kOk)));
  reporter.stream->flush();
  write_end.reset();
  EXPECT_TRUE(reader.got_all());
  EXPECT_LE(reporter.most, std::size_t{256 + 3 * 64} * 1024);
}

TEST(OutcomeOf, AFailureAfterTheCommandWasSentIsLost) {
  EXPECT_EQ(outcome_of(ssh::Failed{ssh::Failed::Kind::kUnreachable, Phase::kExec, true, "x"}).kind,
            OutcomeKind::kLost);
  EXPECT_EQ(outcome_of(ssh::Failed{ssh::Failed::Kind::kLost, Phase::kHeld, false, "x"}).kind,
            OutcomeKind::kUnreachable);
  EXPECT_EQ(outcome_of(ssh::Failed{ssh::Failed::Kind::kAuth, Phase::kAuth, false, "x"}).kind,
            OutcomeKind::kAuth);
  EXPECT_EQ(outcome_of(ssh::Failed{ssh::Failed::Kind::kHostKey, Phase::kHostKey, false, "x"}).kind,
            OutcomeKind::kHostKey);
  EXPECT_EQ(outcome_of(ssh::Failed{ssh::Failed::Kind::kTimedOut, Phase::kAuth, false, "x"}).kind,
            OutcomeKind::kUnreachable);
}

}  // namespace
}  // namespace slipway::fleet
