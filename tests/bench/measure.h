#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/barrier.h"

namespace slipway::bench {

using Seconds = std::chrono::duration<double>;

/// A program with its arguments, looked up in PATH, and what to add to our environment.
struct Program {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  ///< NAME=VALUE

  void add(const std::vector<std::string>& words) { argv.insert(argv.end(), words.begin(), words.end()); }
};

/// What one run of a client cost.
struct Cost {
  Seconds wall{};
  Seconds cpu{};             ///< user and system, of the program and of everything that it started
  std::size_t peak_kib = 0;  ///< of the program's own process alone: its largest resident set
  std::size_t tree_kib =
      0;               ///< of the whole tree while all commands ran, where the run had a barrier to look at
  int exit_code = -1;  ///< 128+n: ended by signal n
  bool hung = false;   ///< nothing came for Limits::stall, so it was ended
  std::size_t started = 0;  ///< commands that came to the barrier
};

enum class LookAt : bool { kNothing, kMemory };

struct Limits {
  Seconds stall{60};   ///< between two arrivals at the barrier, and from the last to the end
  Seconds whole{180};  ///< of a run
};

/// Waits until nothing but us runs on this machine, at most a second: the servers of one run are busy
/// with its end for a while, and would cost the next one processor time.
void settle();

/// Runs `program` to its end, its output thrown away. With a barrier, `expected` commands are waited for and
/// let go; `kMemory` looks at the client's memory just before. Nothing of it is left when this returns.
Cost measure(const Program& program, Barrier* barrier, std::size_t expected, LookAt look,
             const Limits& limits);

}  // namespace slipway::bench
