// The live view as a person sees it: the real one, in a real terminal (tmux), with 4,096 workers and no
// network.
#include "slipway/report/live_view.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "support/fake_clock.h"
#include "support/program.h"
#include "support/string_output.h"
#include "support/targets.h"
#include "support/temp_folder.h"

namespace slipway::report {
namespace {

using slipway::test::Ended;
using slipway::test::TempFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Screen = std::vector<std::string>;

/// A terminal of its own that runs the view between "before" and "after".
class LiveViewInTmux : public ::testing::Test {
 protected:
  void SetUp() override {
    if (tmux({"-V"}).code != 0) GTEST_SKIP() << "no tmux here";
    ASSERT_EQ(::mkfifo((temp_ / "fifo").c_str(), 0600), 0);
    fifo_.reset(::open((temp_ / "fifo").c_str(), O_RDWR | O_CLOEXEC));
  }
  void TearDown() override { tmux({"kill-server"}); }

  Ended tmux(std::vector<std::string> words) const {
    words.insert(words.begin(), {"tmux", "-S", temp_ / "socket", "-f", "/dev/null"});
    return test::run_program(words, {{"HOME", temp_.path()}, {"LANG", "C.UTF-8"}, {"SHELL", "/bin/sh"}});
  }
  void open(int columns, int rows, const std::string& size = "16 256") {
    const std::string line = "echo before; " SLIPWAY_LIVE_VIEW_PROGRAM " " + size + " " + (temp_ / "fifo") +
                             " " + (temp_ / "ack") + " & echo $! > " + (temp_ / "pid") +
                             "; fg >/dev/null; echo after; cat";
    const Ended started = tmux(
        {"new-session", "-d", "-x", std::to_string(columns), "-y", std::to_string(rows), "sh", "-mc", line});
    ASSERT_EQ(started.code, 0) << started.err;
    tmux({"set-option", "-g", "window-size", "manual"});
  }
  /// Has it done, and on its way to the screen.
  void tell(const std::string& command) {
    const std::string line = command + "\n";
    ASSERT_EQ(::write(fifo_.get(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
    ++told_;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (acknowledged() < told_ && std::chrono::steady_clock::now() < deadline) tmux({"list-sessions"});
    ASSERT_EQ(acknowledged(), told_) << command;
  }
  std::size_t acknowledged() const {
    return file_exists(temp_ / "ack") ? read_file(temp_ / "ack").value().size() : 0;
  }
  Screen screen() const { return captured({}); }
  /// With what the terminal has pushed out at the top: tmux does when it wraps lines, also when there is room
  /// below.
  Screen history() const { return captured({"-S", "-"}); }
  Screen captured(const std::vector<std::string>& how) const {
    std::vector<std::string> words{"capture-pane", "-p"};
    words.insert(words.end(), how.begin(), how.end());
    Screen lines = split(tmux(words).out, '\n');
    for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }
  /// Looks until it is as wanted, or for too long.
  template <typename Holds>
  Screen screen_when(Holds holds) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    Screen now = screen();
    while (!holds(now) && std::chrono::steady_clock::now() < deadline) now = screen();
    return now;
  }
  Screen screen_with(const std::string& text) const {
    return screen_when([&](const Screen& now) { return count(now, text) > 0; });
  }
  static std::ptrdiff_t count(const Screen& lines, const std::string& text) {
    return std::count_if(lines.begin(), lines.end(),
                         [&](const std::string& line) { return line.find(text) != std::string::npos; });
  }
  static std::ptrdiff_t letters(const Screen& lines, char letter) {
    std::ptrdiff_t found = 0;
    for (const std::string& line : lines) {
      if (line.rfind("qr-", 0) == 0) found += std::count(line.begin() + 10, line.end(), letter);
    }
    return found;
  }
  void end_without_a_trace() {
    tell("end");
    EXPECT_THAT(screen_with("after"), ElementsAre("before", "after"));
  }

  TempFolder temp_;
  Fd fifo_;
  std::size_t told_ = 0;
};

TEST_F(LiveViewInTmux, FourThousandWorkersInASmallWindow) {
  open(80, 24);
  tell("all run");
  tell("one 5 lost");
  const Screen seen = screen_with("1 unreachable or lost");
  EXPECT_THAT(seen.at(1), HasSubstr("r 4095 running"));
  EXPECT_THAT(seen.at(1), HasSubstr("1 letter = 4 workers"));
  EXPECT_EQ(seen.at(2), "qr-0      rX" + std::string(62, 'r'));
  EXPECT_EQ(seen.size(), 18U);
  end_without_a_trace();
}

TEST_F(LiveViewInTmux, FourThousandWorkersInALargeWindow) {
  open(200, 60);
  tell("all run");
  const Screen seen = screen_with("r 4096 running");
  EXPECT_EQ(letters(seen, 'r'), 4096);
  tell("one 4095 ok");
  EXPECT_EQ(letters(screen_with("o 1 ok"), 'o'), 1);
  end_without_a_trace();
}

TEST_F(LiveViewInTmux, LinesGoByAboveIt) {
  open(80, 24, "2 4");
  tell("all run");
  tell("line hello from a worker");
  tell("line and again");
  const Screen seen = screen_when([](const Screen& now) { return now.size() == 6; });
  EXPECT_EQ(seen.at(1), "hello from a worker");
  EXPECT_EQ(seen.at(2), "and again");
  EXPECT_THAT(seen.at(3), HasSubstr("r 8 running"));
  tell("end");
  EXPECT_THAT(screen_with("after"), ElementsAre("before", "hello from a worker", "and again", "after"));
}

TEST_F(LiveViewInTmux, AWiderWindowIsFilledAndANarrowerOneIsNotLittered) {
  open(80, 24);
  tell("all run");
  screen_with("r 4096 running");
  for (const auto& [columns, rows] : {std::pair<int, int>{120, 24}, {60, 40}, {90, 40}}) {
    tmux({"resize-window", "-x", std::to_string(columns), "-y", std::to_string(rows)});
    tell("resized");
    const auto width = static_cast<std::size_t>(columns);
    const auto fits = [&](const Screen& now) {
      return count(now, "running") == 1 && std::all_of(now.begin(), now.end(), [&](const std::string& line) {
               return line.size() < width;
             });
    };
    const Screen seen = screen_when(fits);
    EXPECT_TRUE(fits(seen)) << columns << "\n" << ::testing::PrintToString(seen);
    EXPECT_EQ(count(history(), "before"), 1) << columns << ": what stands above is not ours to erase";
  }
  tell("end");
  EXPECT_EQ(screen_with("after").back(), "after");
  EXPECT_EQ(count(screen(), "qr-"), 0);
}

/// What the terminal itself has pushed out at the top is out of reach.
TEST_F(LiveViewInTmux, AWindowThatBecomesTooSmallForItShowsItOnce) {
  open(200, 60);
  tell("all run");
  screen_with("r 4096 running");
  tmux({"resize-window", "-x", "40", "-y", "10"});
  tell("resized");
  const Screen seen =
      screen_when([](const Screen& now) { return now.size() < 10 && count(now, "running") == 1; });
  EXPECT_EQ(count(seen, "running"), 1);
  tell("end");
  EXPECT_EQ(count(screen_with("after"), "running"), 0);
}

TEST_F(LiveViewInTmux, AfterAKillTheTerminalIsUsable) {
  open(80, 24, "2 4");
  tell("all run");
  screen_with("r 8 running");
  const pid_t pid = static_cast<pid_t>(std::stol(read_file(temp_ / "pid").value()));
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  screen_with("after");
  EXPECT_EQ(tmux({"display-message", "-p", "#{cursor_flag}#{alternate_on}#{insert_flag}#{wrap_flag}"}).out,
            "1001\n");
}

TEST_F(LiveViewInTmux, AfterAStopItBeginsBelowWhatOthersWrote) {
  open(80, 24, "2 4");
  tell("all run");
  screen_with("r 8 running");
  const pid_t pid = static_cast<pid_t>(std::stol(read_file(temp_ / "pid").value()));
  ASSERT_EQ(::kill(pid, SIGSTOP), 0);
  screen_with("after");  // the shell has the terminal again
  ASSERT_EQ(::kill(pid, SIGCONT), 0);
  tell("one 0 ok");
  const Screen seen = screen();
  EXPECT_EQ(count(seen, "r 8 running"), 1)
      << "what is above is left alone, and in the background nothing is drawn";
  EXPECT_EQ(count(seen, "o 1 ok"), 0);
  tell("end");
}

class LiveViewTest : public ::testing::Test {
 protected:
  std::vector<fleet::Target> targets_ = test::make_targets(16, 256);
  test::StringStreams to_;
  Console console_{to_.streams};
  test::FakeClock clock_;
};

TEST_F(LiveViewTest, DrawsAtMostTenTimesASecondAndOnlyWhatIsNew) {
  LiveView view(targets_, console_, clock_, LiveView::Share::kWindow, [] { return TerminalSize{80, 24}; });
  view.drain();
  const std::size_t first = to_.err->written.size();
  EXPECT_GT(first, 1'000U);
  for (std::size_t i = 0; i < 100; ++i) {
    view.on_phase(i, ssh::Phase::kRun);
    view.drain();
  }
  EXPECT_EQ(to_.err->written.size(), first) << "not before a tenth of a second has passed";
  EXPECT_EQ(view.next_drain(), clock_.now() + std::chrono::milliseconds(100));
  clock_.advance(std::chrono::milliseconds(100));
  view.drain();
  EXPECT_LT(to_.err->written.size() - first, 400U) << "one slice and the counts";
}

TEST_F(LiveViewTest, IsGoneWhenAllHaveEnded) {
  targets_.resize(1);
  LiveView view(targets_, console_, clock_, LiveView::Share::kWindow, [] { return TerminalSize{80, 24}; });
  view.drain();
  view.on_outcome(0, {});
  view.drain();
  EXPECT_FALSE(console_.has_drawing());
  EXPECT_EQ(view.next_drain(), std::nullopt);
}

}  // namespace
}  // namespace slipway::report
