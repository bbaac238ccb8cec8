#pragma once

#include <string>

#include "cli/job_place.h"
#include "slipway/launch/job_status.h"

namespace slipway::cli {

/// "slice 2 worker 1".
std::string slot_text(int slice, int worker);

/// How an attempt ended, in one line: who was first, and how many followed; empty while it goes on.
std::string end_text(const launch::AttemptStatus& attempt);

/// "running in attempt 2, from step 40", "done", "setting up"; the job in a few words.
std::string job_state(const launch::JobStatus& status);

/// All of it, for people: the job, its attempts, its workers.
std::string job_text(const JobPlace& place, const std::string& name, const launch::JobStatus& status,
                     std::chrono::system_clock::time_point now);

/// The same as one JSON document.
std::string job_document(const JobPlace& place, const std::string& name, const launch::JobStatus& status);

/// The longest of each phase of a start over all workers of an attempt, in their order, with who it was where
/// it matters: "code 2.1s, setup 30.4s (slice 1 worker 0), barrier 0.3s". Empty until all have the phase
/// `first-output`.
std::string start_text(const launch::JobStatus& status, int attempt);

}  // namespace slipway::cli
