#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipway/core/clock.h"
#include "slipway/core/interrupt.h"
#include "slipway/core/random.h"
#include "slipway/fleet/outcome.h"
#include "slipway/fleet/target.h"
#include "slipway/model/selection.h"
#include "slipway/ssh/identity.h"
#include "slipway/ssh/remote_command.h"

namespace slipway::fleet {

/// Is told what happens while it happens, and returns nothing: it cannot steer. Indices are positions in
/// `targets`.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void on_phase(std::size_t target, ssh::Phase phase) = 0;
  virtual void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) = 0;
  virtual void on_outcome(std::size_t target, const Outcome& outcome) = 0;
  /// A sentence for the person who watches: an interrupt, a hint.
  virtual void on_notice(std::string_view text) = 0;
  /// True while the reader of our output is slower than the workers. The engine then reads from none of them
  /// (their ssh windows fill, and they wait) until drain() has made room. `wait_fd` is what to wait on; -1 to
  /// call drain() again at once.
  virtual bool congested() const { return false; }
  /// True while anything waits to be written: drain() is then called again when wait_fd() has room.
  virtual bool pending() const { return congested(); }
  virtual int wait_fd() const { return -1; }
  /// When drain() is wanted again although nothing happens until then: a clock on the screen, a reminder.
  virtual std::optional<Clock::time_point> next_drain() const { return std::nullopt; }
  virtual void drain() {}
};

struct FanOutOptions {
  std::string user;
  const ssh::Identity* identity = nullptr;
  /// Handshakes in flight. Never a limit on running commands: those wait for each other. None: 256, and as
  /// many more, up to 4,096, as the time of a start asks for.
  std::optional<std::size_t> max_starting;
  /// The way to a target; TCP to its address where there is none.
  std::function<std::unique_ptr<ssh::Socket>(std::size_t target)> make_socket;
  /// Decides about the host key of a target without pins (see ssh::SessionOptions); without it such a target
  /// ends as kHostKey.
  std::function<bool(std::size_t target, const ssh::HostKey&)> accept_host_key;
  Requirement require = Requirement::all();
  /// limits.connect also bounds all tries of one target together: a VM that boots refuses at first.
  ssh::PhaseLimits limits;
  /// From the release of the gang to the end of the last command.
  std::optional<std::chrono::milliseconds> timeout;
  /// How long a worker that refuses the key is asked again: one that was told of it a moment ago needs that
  /// moment.
  std::chrono::milliseconds auth_patience{0};
  /// Stop all as soon as so many have failed that `require` cannot be met any more.
  bool fail_fast = false;
  /// What a stopped command gets between INT, TERM and KILL.
  std::chrono::milliseconds grace{5'000};
  /// When the others have all ended for so long, the few that still run are named; and again after twice
  /// that.
  std::chrono::milliseconds straggler_after{60'000};
  /// Spreads the tries of many targets over time.
  RandomUnit random = system_random_unit();
};

/// The command for one target; asked for at its release, so that ranks can differ.
using CommandFor = std::function<ssh::RemoteCommand(std::size_t target)>;

/// Starts the command on every target and waits for all of them. `max_starting` limits handshakes only (and
/// workers that turn connections away lower it): a target gives its place back as soon as it is ready to run,
/// so a command that waits for its peers never holds up their start. Unless `require` relaxes it nothing
/// starts before every target could start. One target's failure stops nothing that runs. The first interrupt
/// stops starting and sends INT to what runs, the second TERM, the third KILL; left alone, they follow each
/// other after `grace`. Outcomes come back in the order of `targets`. Errors (kLocal): no event loop to be
/// had, or more targets than descriptors or memory, before anything is connected.
Result<std::vector<Outcome>> fan_out(const std::vector<Target>& targets, const CommandFor& command_for,
                                     const FanOutOptions& options, Clock& clock, const Interrupt& interrupt,
                                     Reporter& reporter);

/// Raises RLIMIT_NOFILE to the hard limit. kLocal, with the number of workers that do fit beside `files` more
/// open files, when `workers` do not. Nothing is ever run in portions: commands that wait for each other
/// would hang.
Result<void> reserve_descriptors(std::size_t workers, std::size_t files = 0);

/// kLocal, with the number of workers that do fit, when the memory that is free here does not do for
/// `workers`.
Result<void> reserve_memory(std::size_t workers);

}  // namespace slipway::fleet
