#include "slipway/core/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace slipway {
namespace {

TEST(Crc32c, AgreesWithTheVectorsOfRfc3720) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
  std::string rising;
  for (int i = 0; i < 32; ++i) rising += static_cast<char>(i);
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
  EXPECT_EQ(crc32c(std::string(rising.rbegin(), rising.rend())), 0x113FDB5CU);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
}

TEST(Crc32c, OfNothingIsNothing) { EXPECT_EQ(crc32c(""), 0U); }

TEST(Crc32c, OfPiecesIsThatOfTheWhole) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(i * 37);
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text)) << cut;
}

}  // namespace
}  // namespace slipway
