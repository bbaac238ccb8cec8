#pragma once

#include <chrono>
#include <functional>
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
  /// Handshakes in flight. Never a limit on running commands: those wait for each other.
  std::size_t max_starting = 256;
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
  /// What a stopped command gets between TERM and KILL, and how long we wait for the ends after an interrupt.
  std::chrono::milliseconds grace{5'000};
  /// Spreads the tries of many targets over time.
  RandomUnit random = system_random_unit();
};

/// The command for one target; asked for at its release, so that ranks can differ.
using CommandFor = std::function<ssh::RemoteCommand(std::size_t target)>;

/// Starts the command on every target and waits for all of them. `max_starting` limits handshakes only: a
/// target gives its place back as soon as it is ready to run, so a command that waits for its peers never
/// holds up their start. Unless `require` relaxes it nothing starts before every target could start. One
/// target's failure stops nothing that runs. The first interrupt stops starting, sends INT to what runs and
/// waits `grace` for the ends; the second leaves at once. Outcomes come back in the order of `targets`.
/// Errors (kLocal): no event loop to be had, or more targets than descriptors, before anything is connected.
Result<std::vector<Outcome>> fan_out(const std::vector<Target>& targets, const CommandFor& command_for,
                                     const FanOutOptions& options, Clock& clock, const Interrupt& interrupt,
                                     Reporter& reporter);

/// Raises RLIMIT_NOFILE to the hard limit. kLocal, with the number of workers that do fit, when `workers` do
/// not.
Result<void> reserve_descriptors(std::size_t workers);

}  // namespace slipway::fleet
