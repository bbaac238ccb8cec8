#pragma once

#include <string>

#include "slipway/launch/job_spec.h"

namespace slipway::launch {

/// Where the workers find Google's services: other addresses for the emulator.
struct ServiceEndpoints {
  std::string storage = "https://storage.googleapis.com";
  std::string tpu = "https://tpu.googleapis.com";
  std::string secret_manager = "https://secretmanager.googleapis.com";
};

/// The startup script of a job: quoted assignments, then the static program src/launch/startup.sh. Whatever
/// the user's texts hold, they reach the program as values, byte for byte. Errors (kUsage): larger than the
/// 256 KiB that one metadata value may have, with what to move into --code.
Result<std::string> startup_script(const JobSpec& job, const ServiceEndpoints& endpoints);

}  // namespace slipway::launch
