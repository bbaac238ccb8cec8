#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace slipway::ssh {

/// A program that works for us until this object ends, or we do. It stands in a process group of its own, so
/// that a Ctrl-C that is meant for the commands on the workers does not cut the way to them. It is not given
/// the access token that our own environment may have.
class Child {
 public:
  Child() = default;
  /// `words[0]` is looked for in PATH; `input` and `output` become its stdin and stdout (-1: /dev/null),
  /// stderr is ours. 0 or an errno.
  int start(const std::vector<std::string>& words, int input, int output);

  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Child& operator=(Child&& other) noexcept;
  /// Ends it and all that it started.
  ~Child() { end(); }

  /// True once it has ended by itself; a code of 128+n stands for signal n.
  bool has_ended();
  /// As has_ended(), after waiting up to `limit` for it.
  bool ends_within(std::chrono::milliseconds limit);
  int exit_code() const { return exit_code_; }

 private:
  void end();
  pid_t pid_ = -1;
  int exit_code_ = 0;
};

}  // namespace slipway::ssh
