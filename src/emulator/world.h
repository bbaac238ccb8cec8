#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emulator/create_request.h"
#include "emulator/time_limits.h"
#include "emulator/worker_host.h"
#include "slipway/core/clock.h"
#include "slipway/emulator/incident.h"

namespace slipway::emulator {

struct WorldOptions {
  std::chrono::milliseconds provision_delay{1'000};
  std::int64_t capacity = 4'096;  ///< chips
  std::string project = "emulator-project";
  std::string zone = "us-central2-b";
  std::vector<std::string> unreachable = {};  ///< zones that a list over all of them does not reach
};

enum class ResourceState {
  kCreating,
  kAccepted,
  kWaiting,
  kProvisioning,
  kActive,
  kFailed,
  kSuspending,
  kSuspended,
  kDeleting
};
enum class SliceState { kCreating, kReady, kRestarting, kRepairing, kPreempted, kDeleting };

/// What the machines of a slice are on their way to.
enum class Motion {
  kNone,
  kHalting,   ///< they stop, and boot again
  kReplaced,  ///< they stop and are erased, and others boot in their place
  kBooting,
  kLeaving,  ///< they stop and are erased, and the slice is no more
};

/// A TPU VM: what it is called, where it answers.
struct Worker {
  std::string address;
  std::string hostname;
  std::int64_t id = 0;   ///< of the instance: another one after a repair, the same after a reset
  bool leaving = false;  ///< it has been told that it will be taken away
  bool lost = false;     ///< taken away: it stays off until the slice is repaired
};

/// A preemption or a maintenance that the machines know of.
struct Departure {
  Incident incident;
  Clock::time_point due{};
  bool announced = false;
};

/// One slice: the API's node.
struct Slice {
  std::string id;
  std::int64_t number = 0;  ///< the API's own, never used twice
  SliceState state = SliceState::kCreating;
  Motion motion = Motion::kBooting;
  bool in_maintenance = false;
  bool repaired = false;  ///< it boots on new machines
  std::optional<Departure> departure{};
  std::optional<Clock::time_point> repair_due{};  ///< when new machines come by themselves
  int subnet = 0;                                 ///< the N of 127.S.N.W
  Json spec;                                      ///< Node as it was asked for, with the metadata of now
  std::vector<Worker> workers;
  std::chrono::system_clock::time_point created{};
  std::size_t os_login_keys = 0;               ///< which version of them its machines have
  std::optional<std::string> patch_operation;  ///< ends when the workers know the new keys
  std::string delete_operation;
};

/// A queued resource, from its request to the moment when it is gone.
struct Resource {
  std::string id;
  ApiVersion version = ApiVersion::kV2;
  Json body;
  Accelerator accelerator;
  std::vector<std::string> node_ids;
  bool multislice = false;
  int address_group = 0;  ///< the S of 127.S.N.W; given with the machines
  ResourceState state = ResourceState::kCreating;
  bool by_user = false;  ///< who brought about the state
  std::chrono::system_clock::time_point created{};
  Clock::time_point due{};    ///< no state but kActive and kFailed is left earlier
  std::vector<Slice> slices;  ///< from PROVISIONING on
  bool expanded = false;      ///< the slices exist, or have existed
  int last_subnet = -1;       ///< given to a slice
  Json failure;               ///< google.rpc.Status of kFailed
  std::string create_operation;
  std::string delete_operation;
  std::string reset_operation;
  std::string maintenance_operation;
  TimeLimits limits;

  std::int64_t chips() const { return accelerator.chips * static_cast<std::int64_t>(node_ids.size()); }
};

struct Operation {
  std::string name;  ///< the full one
  std::string verb;
  std::string target;
  ApiVersion version = ApiVersion::kV2;
  bool done = false;
  bool cancel_requested = false;
  std::chrono::system_clock::time_point created{};
  std::chrono::system_clock::time_point ended{};
  Json response;  ///< with its @type, when it is done and went well
  Json error;     ///< google.rpc.Status, when it did not
};

/// Everything that the emulated zone holds, and everything that happens to it. It does no I/O: time comes
/// from the clock, the machines from a WorkerHost. It is not locked: Service does that.
class World {
 public:
  template <typename T>
  using Outcome = std::variant<T, ApiError>;

  /// `clock` outlives the world.
  World(WorldOptions options, const Clock& clock) : options_(std::move(options)), clock_(clock) {}

  /// Each begins what it is called for and answers with the name of its operation.
  Outcome<std::string> create(const CreateRequest& request, ApiVersion version);
  Outcome<std::string> remove(const std::string& id, bool force, ApiVersion version);
  Outcome<std::string> reset(const std::string& id, ApiVersion version);
  Outcome<std::string> remove_node(const std::string& node_id, ApiVersion version);
  /// `changes` holds the fields of the node that are replaced, or cleared by null.
  Outcome<std::string> patch_node(const std::string& node_id, const Json& changes, ApiVersion version);
  /// performMaintenance of these slices; an empty list is all.
  Outcome<std::string> maintain(const std::string& id, const Incident& incident, ApiVersion version);
  /// FAILED_PRECONDITION while it goes on.
  std::optional<ApiError> forget_operation(const std::string& name);
  std::optional<ApiError> cancel_operation(const std::string& name);

  /// Lets `incident` befall the resource. FAILED_PRECONDITION where it cannot be.
  std::optional<ApiError> befall(const std::string& id, const Incident& incident);

  /// Everybody whom OS Login lets in from now on; `version` is another number for another list.
  void set_os_login_keys(std::vector<SshKey> keys, std::size_t version);
  /// Lets everything happen that is due by now, telling `host` what has to run.
  void advance(WorkerHost& host);
  /// When advance() has something to do without a word from the host; nothing when all is at rest.
  std::optional<Clock::time_point> next_due() const;

  const std::list<Resource>& resources() const { return resources_; }
  const std::map<std::string, Operation>& operations() const { return operations_; }
  const Resource* find(const std::string& id) const;
  /// What the worker at this address can know of itself, as its metadata server has it, with the token of its
  /// service account; nothing when there is no such worker.
  std::optional<Json> metadata(const std::string& address, const std::string& token) const;
  /// The slice and its resource; both null when there is none.
  std::pair<const Resource*, const Slice*> find_node(const std::string& node_id) const;
  std::int64_t chips_in_use() const;
  const WorldOptions& options() const { return options_; }
  /// "projects/P/locations/Z".
  std::string location_name() const;

 private:
  /// find(), to change it.
  Resource* lookup(const std::string& id);
  std::pair<Resource*, Slice*> lookup_node(const std::string& node_id);
  int free_address_group() const;
  std::string begin_operation(const std::string& verb, const std::string& target, ApiVersion version);
  void end_operation(std::string& name, Json response);
  void fail_operation(std::string& name, const ApiError& error);
  void fail_operation_with(std::string& name, Json status);  ///< google.rpc.Status

  void announce(Resource& resource, const Incident& incident);
  void preempt(Resource& resource, const Incident& incident);
  void go_on_with_departures(Resource& resource, WorkerHost& host);
  std::optional<ApiError> repair(Resource& resource, const Incident& incident);
  void fail(Resource& resource, const Incident& incident);
  void suspend(Resource& resource, bool by_user);
  void abort_patch(Slice& slice, const Json& status);
  std::vector<Slice*> chosen_slices(Resource& resource, const Incident& incident) const;

  bool step(Resource& resource, WorkerHost& host);
  bool is_valid_yet(const Resource& resource) const;
  bool is_next_to_run(const Resource& resource) const;
  void provision(Resource& resource, WorkerHost& host);
  void make_slices(Resource& resource);
  void finish_provisioning(Resource& resource, WorkerHost& host);
  void expire(Resource& resource);
  void finish_suspension(Resource& resource, WorkerHost& host);
  bool forget(Resource& resource, WorkerHost& host);

  void tend_slices(Resource& resource, WorkerHost& host);
  void begin_due_repairs(Resource& resource);
  void boot_halted(Resource& resource, WorkerHost& host);
  void settle_booted(Resource& resource, WorkerHost& host);
  void restart_others(Resource& resource);
  void end_operations_at_rest(Resource& resource);
  void give_machines(Resource& resource, Slice& slice);
  void boot(Slice& slice, WorkerHost& host) const;
  void pass_on_keys(Resource& resource, WorkerHost& host);
  /// Who may log in to a slice: who stands in its ssh-keys, or whoever OS Login knows where that is on.
  std::vector<SshKey> keys_of(const Slice& slice) const;
  Clock::duration phase() const { return options_.provision_delay / 4; }

  WorldOptions options_;
  const Clock& clock_;
  std::list<Resource> resources_;  ///< in the order of their creation: the queue
  std::map<std::string, Operation> operations_;
  int last_address_group_ = 0;
  std::int64_t last_number_ = 0;
  std::int64_t operations_made_ = 0;
  std::vector<SshKey> os_login_keys_;
  std::size_t os_login_version_ = 0;
};

}  // namespace slipway::emulator
