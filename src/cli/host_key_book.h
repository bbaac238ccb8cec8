#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/reach.h"
#include "cli/resource_workers.h"
#include "slipway/fleet/fan_out.h"
#include "slipway/model/resource_name.h"
#include "slipway/model/worker.h"
#include "slipway/ssh/known_keys.h"

namespace slipway::cli {

enum class HostKeyMode {
  kPinned,  ///< what the worker published, or was seen before with; at first contact without either: accepted
  kAcceptNew,  ///< what it was seen before with; at first contact: accepted
  kStrict,     ///< as kPinned, but nothing is accepted at first contact
};
/// Where the host keys that were seen before are kept; empty without a home.
std::string host_key_store();

/// "pinned", "accept-new" or "strict". Errors: kUsage.
Result<HostKeyMode> parse_host_key_mode(const std::string& text);

/// Whether the workers are asked for what they publish: IAP needs their hostnames.
HostKeys attributes_for(HostKeyMode mode, const ReachOptions& reach);

/// What a worker's machine is known by: PROJECT/ZONE/NODE/INSTANCE/WORKER. Never by an address, which
/// somebody else may have tomorrow; and after a repair the instance is another one.
std::string host_alias(const Location& location, const Worker& worker);

/// The host keys of the workers of one run: what is known of them before, and what is learned meanwhile. What
/// was proved by a handshake is kept in the state folder, once the first command runs and at the end.
class HostKeyBook : public fleet::Reporter {
 public:
  /// `path` is the store (ssh::KnownKeys); empty for none. Errors: kLocal.
  static Result<HostKeyBook> open(const std::string& path, HostKeyMode mode, Location location);

  /// The keys that the worker at the next position may show. A machine that was seen before keeps its keys:
  /// published ones that have none of them in common are another machine's.
  ssh::HostKeyPins add(const Worker& worker);
  const std::string& alias(std::size_t position) const { return workers_[position].alias; }
  /// What it may show now, with what was learned since add().
  const ssh::HostKeyPins& pins(std::size_t position) const { return workers_[position].keys; }
  const std::string& path() const { return known_.path(); }

  /// For FanOutOptions::accept_host_key; empty where strangers are refused. The book outlives it.
  std::function<bool(std::size_t, const ssh::HostKey&)> accept();
  /// Takes the sentences about strangers that were accepted: each machine once, with its fingerprint.
  void say_through(std::function<void(std::string_view)> say) { say_ = std::move(say); }

  /// Keeps what is new. Errors (kLocal): the store cannot be written.
  Result<void> save();
  /// After a run: where the key stands that a machine should have shown, if it was from the store.
  void say_what_differs();

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t, ssh::Stream, std::string_view) override {}
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view) override {}

 private:
  struct Known {
    std::string label;
    std::string alias;
    ssh::HostKeyPins keys;
    bool remembered = false;  ///< `keys` are, in part at least, from the store
    bool accepted = false;    ///< `keys` are from this run's first contact
    bool proved = false;      ///< a handshake has shown one of `keys`
    bool kept = false;
  };
  HostKeyBook(ssh::KnownKeys known, HostKeyMode mode, Location location)
      : known_(std::move(known)), mode_(mode), location_(std::move(location)) {}
  bool accept(std::size_t position, const ssh::HostKey& key);

  ssh::KnownKeys known_;
  HostKeyMode mode_;
  Location location_;
  std::vector<Known> workers_;
  std::size_t said_ = 0;
  bool saved_at_start_ = false;
  std::function<void(std::string_view)> say_ = [](std::string_view) {};
  std::string differs_;  ///< the alias of the first machine that showed another key than the store has
};

/// The worker as the engine takes it; `book` learns of it at the same position.
fleet::Target target_of(const Worker& worker, const ReachOptions& reach, HostKeyBook& book);

}  // namespace slipway::cli
