#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipway/core/interrupt.h"
#include "slipway/core/result.h"
#include "slipway/core/streams.h"

namespace slipway::emulator {

struct EmulatorOptions {
  std::string state_dir;  ///< holds everything; made 0700
  int port = 0;           ///< of the API, on 127.0.0.1; 0: any free one
  int ssh_port = 0;       ///< of every worker, on its own 127.S.N.W; 0: any free one
  std::chrono::milliseconds provision_delay{1'000};
  /// Chips that can be in use at once; a request over it waits in WAITING_FOR_RESOURCES.
  std::int64_t capacity = 4'096;
  std::string project = "emulator-project";
  std::string zone = "us-central2-b";
  std::vector<std::string> unreachable = {};  ///< zones that a list over all of them does not reach
};

/// What a client needs to know, as environment variables in the order in which they are printed.
using Exports = std::vector<std::pair<std::string, std::string>>;
/// "export NAME='value'" lines.
std::string to_shell(const Exports& exports);

/// Serves until `interrupt`, then ends every process that it started. `on_ready` is called once, when it
/// answers. Errors: kConflict when one runs already in this state folder, kLocal for a port or a program
/// (sshd) that is not to be had.
Result<void> serve(const EmulatorOptions& options, const Interrupt& interrupt,
                   const std::function<void(const Exports&)>& on_ready);

/// serve() in a process of its own, with no descriptor of the caller's; returns when it answers.
Result<Exports> start_detached(const EmulatorOptions& options);

/// The exports of the one that runs in `state_dir`. kNotFound when none does.
Result<Exports> exports_of(const std::string& state_dir);
/// What a person should know about how the one in `state_dir` runs, a sentence each: for stderr, after the
/// exports. Empty when its workers are as apart as they should be. kNotFound when none runs.
Result<std::vector<std::string>> notes_of(const std::string& state_dir);
/// Ends it and waits until no process of it is left. kNotFound when none runs.
Result<void> stop(const std::string& state_dir);
/// The requests that it got, one JSON object a line, oldest first.
Result<std::string> request_log(const std::string& state_dir);

}  // namespace slipway::emulator
