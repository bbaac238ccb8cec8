// A run without a network, for tests that look at a terminal: SLICES x WORKERS, drawn on stderr by the real
// LiveView and Console. Commands come from the FIFO that is named, a line each, and time goes on by a tenth
// of a second with each. The file ACK gets one more byte when what a command changed is on its way to the
// terminal.
//   all PLACE | one N PLACE | line TEXT | resized | end
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <sstream>
#include <string>

#include "slipway/core/fd.h"
#include "slipway/report/live_view.h"
#include "support/fake_clock.h"
#include "support/targets.h"

namespace {

using namespace slipway;

/// The next line of a FIFO.
std::string next_line(int fd) {
  std::string line;
  for (char byte = 0; ::read(fd, &byte, 1) == 1 && byte != '\n';) line += byte;
  return line;
}

/// A terminal tells its size some time after it has changed.
void wait_for_another_size(TerminalSize old) {
  for (int tries = 0; tries < 1000; ++tries) {
    const TerminalSize now = terminal_size();
    if (now.columns != old.columns || now.rows != old.rows) return;
    ::poll(nullptr, 0, 10);
  }
}

void put(report::LiveView& view, std::size_t worker, const std::string& place) {
  fleet::Outcome outcome;
  if (place == "run") return view.on_phase(worker, ssh::Phase::kRun);
  if (place == "connect") return view.on_phase(worker, ssh::Phase::kConnect);
  outcome.kind = place == "ok" ? fleet::OutcomeKind::kOk : fleet::OutcomeKind::kLost;
  view.on_outcome(worker, outcome);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto targets = test::make_targets(std::stoul(argv[1]), std::stoul(argv[2]));
  const Fd commands(::open(argv[3], O_RDWR | O_CLOEXEC));  // for both: it never ends
  const Fd ack(::open(argv[4], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  Streams streams = Streams::standard();
  report::Console console(streams);
  test::FakeClock clock;
  std::optional<report::LiveView> view(std::in_place, targets, console, clock,
                                       report::LiveView::Share::kWindow);
  while (view) {
    const TerminalSize size = terminal_size();
    view->drain();
    std::istringstream words(next_line(commands.get()));
    std::string verb;
    std::string rest;
    words >> verb;
    if (verb == "end") {
      view.reset();
    } else if (verb == "resized") {
      wait_for_another_size(size);
    } else if (verb == "all") {
      words >> rest;
      for (std::size_t i = 0; i < targets.size(); ++i) put(*view, i, rest);
    } else if (verb == "one") {
      std::size_t worker = 0;
      words >> worker >> rest;
      put(*view, worker, rest);
    } else if (verb == "line") {
      std::getline(words >> std::ws, rest);
      console.worker_line(ssh::Stream::kOut, "", rest, report::LineEnd::kNewline);
    }
    clock.advance(std::chrono::milliseconds(100));
    console.flush();
    if (view) view->drain();
    console.flush();
    if (::write(ack.get(), "x", 1) != 1) return 1;
  }
  return 0;
}
