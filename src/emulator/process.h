#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "slipway/core/result.h"

namespace slipway::emulator {

/// A program to run on its own: a new session, nothing inherited but stdout and stderr, which are appended to
/// `log`.
struct Program {
  std::vector<std::string> argv;  ///< argv[0] is a path
  std::vector<std::string> environment;
  std::string log;
};

/// Starts it. The kernel kills it when the calling *thread* ends (PR_SET_PDEATHSIG), so the caller's thread
/// has to be one that lives as long as the emulator. Errors: kLocal.
Result<pid_t> spawn(const Program& program);

/// True once, when `pid` has ended; it is then gone. A child of ours only.
bool reap(pid_t pid);

/// Runs it to its end and gives its exit status; 128+n for a signal. Errors: kLocal.
Result<int> run(const Program& program);

/// The path of an executable: looked for in PATH and the system's sbin folders. Empty when there is none.
std::string find_program(const std::string& name);

/// Kills what runs inside the sandbox whose monitor is `monitor`: its init, with which the kernel ends the
/// whole namespace; the monitor ends after it. To be repeated until reap(monitor): a sandbox that is just
/// being made has no init yet.
void kill_namespace(pid_t monitor);

/// Kills `root`, all that descends from it, and every process whose environment has `mark` ("NAME=value").
/// False when none is left. For where namespaces are not permitted: what leaves the family and drops the mark
/// escapes.
bool kill_family(pid_t root, const std::string& mark);

}  // namespace slipway::emulator
