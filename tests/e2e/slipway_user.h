#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "slipway/core/json.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace slipway::test {

/// Somebody with a fresh home and the built program; nothing of this machine's settings reaches it.
class SlipwayUser {
 public:
  SlipwayUser();

  /// slipway WORDS.
  Ended slipway(const std::vector<std::string>& words,
                std::chrono::seconds limit = std::chrono::seconds(60)) const;
  /// The same, still running.
  std::unique_ptr<Program> start(const std::vector<std::string>& words) const;
  /// A line for /bin/sh, with slipway in the PATH.
  Ended shell(const std::string& line, std::chrono::seconds limit = std::chrono::seconds(60)) const;

  const TempFolder& home() const { return home_; }
  Program::Environment environment;

 private:
  TempFolder home_;
};

/// The same, with an emulator of its own that ends with it.
class EmulatorUser : public SlipwayUser {
 public:
  explicit EmulatorUser(const std::vector<std::string>& start_flags = {"--provision-delay", "50ms"});
  ~EmulatorUser();

  /// A resource of v4-16 slices (two workers each), READY.
  void create_ready(const std::string& id, int slices) const;
  /// The requests that the emulator got.
  std::vector<Json> requests() const;
  std::size_t count_requests(const std::string& method, const std::string& path_part) const;
};

}  // namespace slipway::test
