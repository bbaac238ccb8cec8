#include <gtest/gtest.h>

#include "slipway/emulator/emulator.h"

namespace slipway::emulator {
namespace {

TEST(Exports, AreShellLinesInTheirOrder) {
  EXPECT_EQ(to_shell({{"B", "http://127.0.0.1:1/"}, {"A", "it's"}}),
            "export B=http://127.0.0.1:1/\nexport A='it'\\''s'\n");
}

}  // namespace
}  // namespace slipway::emulator
