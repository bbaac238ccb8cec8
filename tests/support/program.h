#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "slipway/core/fd.h"

namespace slipway::test {

/// How a program ended, and what it said.
struct Ended {
  int code = -1;      ///< exit code; -1 when a signal ended it
  int signal = 0;     ///< that signal
  bool dumped_core = false;
  bool hung = false;  ///< it did not end in time and was killed
  std::string out;
  std::string err;
};

/// A program as a user starts it: words, an environment of its own, three descriptors. Ends with this object.
class Program {
 public:
  using Environment = std::map<std::string, std::string>;

  /// Starts words[0]. `environment` is all that it gets, besides PATH. It stands in HOME, where that is
  /// given; stdin is /dev/null.
  Program(const std::vector<std::string>& words, const Environment& environment);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void send(int signal_number) const;
  /// Reads on until `holds(stdout, stderr)`; false when it ended or `limit` passed before.
  bool read_until(const std::function<bool(const std::string& out, const std::string& err)>& holds,
                  std::chrono::seconds limit = std::chrono::seconds(60));
  /// Reads on until it ends.
  Ended wait(std::chrono::seconds limit = std::chrono::seconds(60));

 private:
  bool read_some(std::chrono::steady_clock::time_point deadline);

  pid_t pid_ = -1;
  Fd out_fd_;
  Fd err_fd_;
  std::string out_;
  std::string err_;
};

Ended run_program(const std::vector<std::string>& words, const Program::Environment& environment,
                  std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace slipway::test
