#pragma once

#include "emulator/faults.h"
#include "emulator/service.h"

namespace slipway::emulator {

/// What the emulator does beside the API, for the commands of its own: the faults, and what befalls slices.
/// It stands under /emulator/, wants the same token, and is not written to the log of requests.
class Admin {
 public:
  /// Both outlive it.
  Admin(Service& service, Faults& faults) : service_(service), faults_(faults) {}

  static bool serves(const std::string& path) { return path.rfind("/emulator/", 0) == 0; }
  Answer handle(const ApiRequest& request);

 private:
  Answer handle_faults(const ApiRequest& request, const std::string& id);
  Answer handle_resource(const ApiRequest& request, const std::string& id_and_verb);

  Service& service_;
  Faults& faults_;
};

}  // namespace slipway::emulator
