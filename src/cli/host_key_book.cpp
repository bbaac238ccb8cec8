#include "cli/host_key_book.h"

#include <algorithm>
#include <set>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// A screen must not be full of fingerprints; all of them are in the store.
constexpr std::size_t kMostSaid = 16;

/// PROJECT/ZONE/NODE/ of an alias: whichever instance stood there before.
std::string_view place_of(std::string_view alias) {
  std::size_t end = 0;
  for (int slashes = 0; slashes < 3 && end != std::string_view::npos; ++slashes)
    end = alias.find('/', end) + 1;
  return alias.substr(0, end);
}

std::string_view instance_of(std::string_view alias) { return alias.substr(0, alias.rfind('/')); }

bool have_one_in_common(const ssh::HostKeyPins& a, const ssh::HostKeyPins& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const ssh::HostKey& key) { return std::find(b.begin(), b.end(), key) != b.end(); });
}

}  // namespace

std::string host_key_store() {
  const std::string state = state_directory();
  return state.empty() ? "" : state + "/known_hosts";
}

Result<HostKeyMode> parse_host_key_mode(const std::string& text) {
  if (text == "pinned") return HostKeyMode::kPinned;
  if (text == "accept-new") return HostKeyMode::kAcceptNew;
  if (text == "strict") return HostKeyMode::kStrict;
  const std::string near = nearest(text, {"pinned", "accept-new", "strict"});
  return Error(ErrorCode::kUsage, fmt::format("--host-keys: there is no '{}'", printable(text)))
      .why(near.empty() ? "pinned, accept-new and strict are there"
                        : fmt::format("did you mean '{}'?", near));
}

HostKeys attributes_for(HostKeyMode mode, const ReachOptions& reach) {
  return mode == HostKeyMode::kAcceptNew && !reach.iap ? HostKeys::kSkip : HostKeys::kFetch;
}

std::string host_alias(const Location& location, const Worker& worker) {
  return fmt::format("{}/{}/{}/{}/{}", location.project, location.zone, worker.slice,
                     worker.instance_id.empty() ? "-" : worker.instance_id, worker.index);
}

Result<HostKeyBook> HostKeyBook::open(const std::string& path, HostKeyMode mode, Location location) {
  TRY(ssh::KnownKeys known, ssh::KnownKeys::load(path));
  return HostKeyBook(std::move(known), mode, std::move(location));
}

ssh::HostKeyPins HostKeyBook::add(const Worker& worker) {
  Known entry;
  entry.label = worker.label();
  entry.alias = host_alias(location_, worker);
  entry.keys = known_.find(entry.alias);
  entry.remembered = !entry.keys.empty();
  ssh::HostKeyPins published;
  if (mode_ != HostKeyMode::kAcceptNew) published = ssh::to_pins(worker.host_keys);
  if (entry.keys.empty() || have_one_in_common(entry.keys, published)) {
    for (const ssh::HostKey& key : published) {
      if (std::find(entry.keys.begin(), entry.keys.end(), key) == entry.keys.end()) entry.keys.push_back(key);
    }
  }
  workers_.push_back(entry);
  return entry.keys;
}

fleet::Target target_of(const Worker& worker, const ReachOptions& reach, HostKeyBook& book) {
  fleet::Target target;
  target.slice = worker.slice;
  target.slice_index = worker.slice_index;
  target.worker = worker.index;
  target.address = ssh_address(worker, reach);
  target.port = reach.ssh_port;
  target.pins = book.add(worker);
  return target;
}

std::function<bool(std::size_t, const ssh::HostKey&)> HostKeyBook::accept() {
  if (mode_ == HostKeyMode::kStrict) return nullptr;
  return [this](std::size_t position, const ssh::HostKey& key) { return accept(position, key); };
}

/// A second try of the same worker has to show what the first one showed.
bool HostKeyBook::accept(std::size_t position, const ssh::HostKey& key) {
  Known& worker = workers_[position];
  if (worker.accepted) return worker.keys.front() == key;
  worker.accepted = true;
  worker.keys = {key};
  if (said_++ < kMostSaid)
    say_(fmt::format("first contact with {}, which has not published its host key: {} {}", worker.label,
                     key.type, key.fingerprint()));
  return true;
}

void HostKeyBook::on_phase(std::size_t target, ssh::Phase phase) {
  if (phase >= ssh::Phase::kAuth && phase != ssh::Phase::kClosed) workers_[target].proved = true;
  if (phase != ssh::Phase::kRun || saved_at_start_) return;
  saved_at_start_ = true;
  // What fails here is tried again at the end, and then said.
  static_cast<void>(save());
}

void HostKeyBook::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  const Known& worker = workers_[target];
  if (outcome.kind == fleet::OutcomeKind::kHostKey && worker.remembered && differs_.empty())
    differs_ = worker.alias;
}

void HostKeyBook::say_what_differs() {
  if (differs_.empty()) return;
  say_(fmt::format(
      "{} has the key that this machine showed before, below {}; only if you know that it was set "
      "up anew: ssh-keygen -R {} -f {}",
      path(), differs_, shell_quote(differs_), shell_quote(path())));
}

Result<void> HostKeyBook::save() {
  if (said_ > kMostSaid) {
    say_(fmt::format("and {} more, whose host keys are in {}", said_ - kMostSaid,
                     path().empty() ? "no store: there is no state folder" : path()));
    said_ = kMostSaid;
  }
  std::vector<ssh::KnownKeys::Entry> added;
  std::set<std::string, std::less<>> instances;
  std::set<std::string, std::less<>> places;
  for (const Known& worker : workers_) {
    if (!worker.proved || worker.kept) continue;
    for (const ssh::HostKey& key : worker.keys) added.push_back({worker.alias, key});
    instances.emplace(instance_of(worker.alias));
    places.emplace(place_of(worker.alias));
  }
  if (added.empty()) return {};
  const Result<void> updated = known_.update(added, [&](std::string_view alias) {
    return places.count(place_of(alias)) > 0 && instances.count(instance_of(alias)) == 0;
  });
  for (Known& worker : workers_) worker.kept = worker.kept || (worker.proved && updated.ok());
  return updated;
}

}  // namespace slipway::cli
