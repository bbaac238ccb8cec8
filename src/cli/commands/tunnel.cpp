#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/exit_code.h"
#include "cli/resource_workers.h"
#include "cli/slice_source.h"
#include "cli/way.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(stdin and stdout become a connection to a port of the worker, through Google's Identity-Aware Proxy: what ssh wants of a ProxyCommand.
It ends when the other side ends, or two seconds after the last answer when stdin has ended.

Examples:
  ssh -o ProxyCommand='slipway tunnel train-1 --node 1 --port %p' me@train-1-1
  slipway tunnel node:my-tpu --worker 3 --port 22)";

/// After the end of our input, the other side may still answer. IAP cannot pass on half an end.
constexpr std::chrono::seconds kLinger{2};

struct TunnelOptions {
  std::string id;
  std::string node = "0";
  std::string worker = "0";
  int port = 22;
  std::string iap_url = tunnel::kIapUrl;
};

/// Carries bytes between our two descriptors and a socket, until either side ends.
class Carrier {
 public:
  Carrier(ssh::Socket& socket, const Interrupt& interrupt) : socket_(socket), interrupt_(interrupt) {}

  Result<void> run() {
    if (const int error = socket_.connect(); error != 0) return broken(error);
    // A hangup is how ssh ends the program of its ProxyCommand.
    while (interrupt_.signal_number() != SIGHUP) {
      if (interrupt_.requested()) return Error::interrupted(interrupt_.signal_number(), "interrupted");
      if (!connected_) {
        const int error = socket_.connect_result();
        if (error != 0 && error != EINPROGRESS) return broken(error);
        connected_ = error == 0;
      }
      if (connected_) {
        TRY(const bool ended, turn());
        if (ended) return {};
      }
      wait();
    }
    return {};
  }

 private:
  using Buffer = std::array<char, 16384>;

  Error broken(int error) const {
    const std::string problem = socket_.problem();
    return Error(ErrorCode::kUnavailable, "no tunnel").why(problem.empty() ? std::strerror(error) : problem);
  }

  /// True at the end: of the other side, or of what it had to say after ours.
  Result<bool> turn() {
    Buffer buffer;
    while (true) {
      const ssize_t count = socket_.receive(buffer.data(), buffer.size());
      if (count == 0) return true;
      if (count == -EAGAIN) break;
      if (count < 0) return broken(static_cast<int>(-count));
      ++count_;
      if (!write_out({buffer.data(), static_cast<std::size_t>(count)})) return true;
    }
    while (!pending_.empty()) {
      const ssize_t count = socket_.send(pending_.data(), pending_.size());
      if (count == -EAGAIN) break;
      if (count < 0) return broken(static_cast<int>(-count));
      pending_.erase(0, static_cast<std::size_t>(count));
    }
    if (!input_ended_ || !pending_.empty()) return false;
    const Clock::time_point now = BootClock::now();
    if (count_ != counted_ || !linger_until_) linger_until_ = now + kLinger;
    counted_ = count_;
    return now >= *linger_until_;
  }

  /// Whoever reads us is as fast as it is: that holds up the tunnel, as it should.
  static bool write_out(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno != EAGAIN) return false;
      if (count < 0) {
        pollfd room{STDOUT_FILENO, POLLOUT, 0};
        ::poll(&room, 1, -1);  // its reader ends it, by reading or by leaving
        continue;
      }
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  void wait() {
    ssh::SocketWant want = connected_ ? socket_.own_want() : socket_.connecting();
    int timeout = want.again ? 0 : -1;
    if (linger_until_) want.until = std::min(*linger_until_, want.until.value_or(*linger_until_));
    if (want.until && !want.again) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*want.until - BootClock::now());
      timeout = static_cast<int>(std::max<std::int64_t>(0, left.count()));
    }
    const bool listens = connected_ && !input_ended_ && pending_.empty();
    pollfd watched[3] = {
        {socket_.fd(), static_cast<short>(POLLIN | (want.write || !pending_.empty() ? POLLOUT : 0)), 0},
        {interrupt_.fd(), POLLIN, 0},
        {listens ? STDIN_FILENO : -1, POLLIN, 0}};
    ::poll(watched, 3, timeout);
    if (watched[2].revents == 0) return;
    Buffer buffer;
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count > 0) pending_.assign(buffer.data(), static_cast<std::size_t>(count));
    input_ended_ = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
  }

  ssh::Socket& socket_;
  const Interrupt& interrupt_;
  bool connected_ = false;
  bool input_ended_ = false;
  std::string pending_;
  std::size_t count_ = 0;    ///< pieces that came
  std::size_t counted_ = 0;  ///< the same when linger_until_ was set
  std::optional<Clock::time_point> linger_until_;
};

Result<int> run_tunnel(const TunnelOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const Selection slices, Selection::parse(options.node));
  TRY(const Selection workers, Selection::parse(options.worker));
  TRY(const SourceSettings wanted, resolve_settings_for_slices(global, options.id));
  TRY(const std::unique_ptr<Api> api, Api::open(wanted.settings, services));
  TRY(const SliceSet found, find_slices(*api, wanted.source));
  TRY(require_active(found, "reach"));
  TRY(const ResourceWorkers rows, find_workers(api->client(), found, slices, workers, HostKeys::kFetch));
  if (rows.workers.size() != 1) {
    return Error(ErrorCode::kUsage,
                 fmt::format("a tunnel leads to one worker, and these are {}", rows.workers.size()));
  }
  ReachOptions reach;
  reach.iap = true;
  reach.iap_url = options.iap_url;
  TRY(const Way way, Way::open(reach, "", wanted.settings, *api, services));
  std::vector<fleet::Target> targets(1);
  targets.front().port = options.port;
  TRY(way.check(targets, rows.workers));
  const std::unique_ptr<ssh::Socket> socket = way.sockets(targets, rows.workers, "")(0);
  TRY(Carrier(*socket, services.interrupt).run());
  return kOk;
}

}  // namespace

void add_tunnel(CommandLine& line) {
  auto options = std::make_shared<TunnelOptions>();  // filled by the parser, read by the action after it
  line.add("tunnel", "carry stdin and stdout to a port of one worker through IAP", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_tunnel(*options, services, global);
           })
      .word("QR", options->id, "a queued resource, node:NAME, or prefix:P for all nodes P-<number>")
      .text("node", options->node, "SLICE", "a slice: 0, or a name")
      .text("worker", options->worker, "WORKER", "a worker of the slice: 0, 1, ..")
      .number("port", options->port, "PORT", "of the worker", 1, 65535)
      .text("iap-url", options->iap_url, "URL", "where the proxy is");
}

}  // namespace slipway::cli
