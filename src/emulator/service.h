#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "emulator/os_login.h"
#include "emulator/request.h"
#include "emulator/world.h"

namespace slipway::emulator {

/// The API: answers requests from the World, and lets the World go on. It is the only thing that two threads
/// share (the HTTP server answers each connection on a thread of its own; machines are looked after by the
/// thread that serve() runs on), so one mutex here guards all state there is.
class Service {
 public:
  /// Requests have to carry `token`; `wake` is called after a request that gave advance() something to do.
  /// `clock` outlives it.
  Service(WorldOptions options, const Clock& clock, std::string token, std::function<void()> wake);

  Answer handle(const ApiRequest& request);
  /// Why `request` is not let in: it came under a name that is not loopback's, or without the token.
  std::optional<ApiError> admit(const ApiRequest& request) const;

  /// Lets `incident` befall a resource, and wakes the world.
  std::optional<ApiError> befall(const std::string& id, const Incident& incident);
  /// {"nodes": [{id, workers}]}: what an incident can choose from.
  Answer machines_of(const std::string& id);

  /// What the worker at this address knows of itself; nothing when there is none.
  std::optional<Json> metadata(const std::string& address);

  /// Lets everything happen that is due, and says when to call again at the latest.
  std::optional<Clock::time_point> advance(WorkerHost& host);

 private:
  using Handler = Answer (Service::*)(const ApiRequest&, const Route&);
  /// What one method of the API is: what selects it, and what may be asked.
  struct Method;
  static const std::vector<Method>& methods();

  std::optional<ApiError> check_place(const Route& route) const;
  Answer log_in(const ApiRequest& request);
  Answer dispatch(const ApiRequest& request, const Route& route);

  Answer create(const ApiRequest& request, const Route& route);
  Answer get(const ApiRequest& request, const Route& route);
  Answer list(const ApiRequest& request, const Route& route);
  Answer remove(const ApiRequest& request, const Route& route);
  Answer reset(const ApiRequest& request, const Route& route);
  Answer get_node(const ApiRequest& request, const Route& route);
  Answer list_nodes(const ApiRequest& request, const Route& route);
  Answer patch_node(const ApiRequest& request, const Route& route);
  Answer guest_attributes(const ApiRequest& request, const Route& route);
  Answer remove_node(const ApiRequest& request, const Route& route);
  Answer maintain_node(const ApiRequest& request, const Route& route);
  Answer simulate_maintenance(const ApiRequest& request, const Route& route);
  Answer maintain_slice(const ApiRequest& request, const Route& route, const Json& body,
                        const Message& message);
  Answer maintain(const ApiRequest& request, const Route& route);
  Answer remove_operation(const ApiRequest& request, const Route& route);
  Answer cancel_operation(const ApiRequest& request, const Route& route);
  Answer list_reservations(const ApiRequest& request, const Route& route);
  Answer get_operation(const ApiRequest& request, const Route& route);
  Answer list_operations(const ApiRequest& request, const Route& route);
  Answer get_accelerator(const ApiRequest& request, const Route& route);
  Answer list_accelerators(const ApiRequest& request, const Route& route);
  Answer get_runtime(const ApiRequest& request, const Route& route);
  Answer list_runtimes(const ApiRequest& request, const Route& route);
  Answer get_location(const ApiRequest& request, const Route& route);
  Answer list_locations(const ApiRequest& request, const Route& route);
  Answer project() const;

  /// The answer to a requestId that was seen before: that of the first time, or an error when it now asks for
  /// something else.
  std::optional<Answer> answered_before(const ApiRequest& request) const;
  /// A list over all zones says which it did not reach.
  Answer over_zones(Answer answer, const Route& route) const;
  Answer operation_answer(const ApiRequest& request, World::Outcome<std::string> outcome);

  std::mutex mutex_;
  World world_;
  OsLogin os_login_;
  std::string token_;
  std::function<void()> wake_;
  struct Remembered {
    std::string intent;
    std::string operation;
  };
  std::map<std::string, Remembered> request_ids_;
  std::map<std::string, std::string> host_keys_;  ///< by address, as of the last advance()
};

}  // namespace slipway::emulator
