#pragma once

#include <optional>
#include <string>

#include "emulator/world.h"

namespace slipway::emulator {

/// Every worker of the slice, as the host sees it. Those that are lost count for no state but kOff.
bool is_all(const Slice& slice, const WorkerHost& host, WorkerState state);
/// The first worker that did not start, and why, in a sentence.
std::optional<std::string> failure_of(const Slice& slice, const WorkerHost& host);
void halt(const Slice& slice, WorkerHost& host);
void erase(const Slice& slice, WorkerHost& host);

}  // namespace slipway::emulator
