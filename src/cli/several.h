#pragma once

#include <optional>
#include <string>

#include "cli/services.h"
#include "slipway/core/result.h"

namespace slipway::cli {

/// The errors of a command on several names, of which one stops none of the others: each is said at once, and
/// the most serious makes the exit code. With one name the error is the command's own.
class Several {
 public:
  Several(std::string command, std::size_t total, Services& services)
      : command_(std::move(command)), total_(total), services_(services) {}

  void add(Error error);
  /// The command's end. With several names and errors: how many failed, said as the last line.
  Result<int> result() const;

 private:
  std::string command_;
  std::size_t total_;
  Services& services_;
  std::size_t failed_ = 0;
  int code_ = 0;
  std::optional<Error> only_;
};

}  // namespace slipway::cli
