#include "support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "slipway/core/file.h"

namespace slipway::test {

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(SLIPWAY_SOURCE_DIR) + "/tests/golden/" + name;
  if (::getenv("SLIPWAY_REWRITE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    const Result<void> written = write_file_atomically(path, text);
    ASSERT_TRUE(written.ok()) << written.error().message();
    return;
  }
  const Result<std::string> golden = read_file(path);
  ASSERT_TRUE(golden.ok()) << "SLIPWAY_REWRITE_GOLDEN=1 makes it: " << golden.error().message();
  EXPECT_EQ(text, *golden)
      << "in " << name
      << "; if it is meant, rewrite it with SLIPWAY_REWRITE_GOLDEN=1 and review the difference";
}

}  // namespace slipway::test
