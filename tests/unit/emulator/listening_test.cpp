#include "emulator/listening.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0200017F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1\n"
    "   1: 0300017F:1F90 0100007F:A0A0 01 00000000:00000000 00:00000000 00000000     0        0 1 1\n"
    "   2: 0400017F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1\n"
    "   3: garbage\n";

TEST(Listening, AreTheSocketsThatListenOnThePort) {
  EXPECT_EQ(listening_addresses(kTable, 8080), std::set<std::string>{"127.1.0.2"});
  EXPECT_EQ(listening_addresses(kTable, 8081), std::set<std::string>{"127.1.0.4"});
  EXPECT_TRUE(listening_addresses(kTable, 1).empty());
  EXPECT_TRUE(listening_addresses("", 8080).empty());
}

TEST(Listening, AFreePortCanBeBoundOnEveryLoopbackAddress) {
  const int port = find_free_port();
  ASSERT_NE(port, 0);
  EXPECT_TRUE(is_free("127.3.4.5", port));
}

}  // namespace
}  // namespace slipway::emulator
