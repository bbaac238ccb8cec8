#include "emulator/storage_request.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

using Segments = std::vector<std::string>;

TEST(StorageRequest, AnEncodedSlashStaysInsideItsSegment) {
  EXPECT_EQ(decoded_segments("/storage/v1/b/x/o/a%2Fb%20c?alt=media"),
            (Segments{"", "storage", "v1", "b", "x", "o", "a/b c"}));
  EXPECT_EQ(decoded_segments("/b/%e2%82%ac"), (Segments{"", "b", "\xe2\x82\xac"}));
  for (const char* broken : {"/b/%", "/b/%2", "/b/%zz", "/b/%-1"})
    EXPECT_FALSE(decoded_segments(broken)) << broken;
}

TEST(StorageRequest, WhatIsEncodedIsDecodedAgain) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(decoded_segments("/" + percent_encoded(all)), (Segments{"", all}));
}

struct RangeCase {
  const char* header;
  std::size_t begin;
  std::size_t end;
};

TEST(StorageRequest, ReadsOneRangeAndCutsItAtTheEnd) {
  for (const RangeCase& one : std::vector<RangeCase>{{"bytes=0-0", 0, 1},
                                                     {"bytes=2-3", 2, 4},
                                                     {"bytes=4-", 4, 10},
                                                     {"bytes=-3", 7, 10},
                                                     {"bytes=-99", 0, 10},
                                                     {"bytes=9-99", 9, 10},
                                                     {"Bytes=0-", 0, 10}}) {
    const auto range = read_range(one.header, 10);
    ASSERT_TRUE(std::holds_alternative<ByteRange>(range)) << one.header;
    EXPECT_EQ(std::get<ByteRange>(range).begin, one.begin) << one.header;
    EXPECT_EQ(std::get<ByteRange>(range).end, one.end) << one.header;
  }
}

TEST(StorageRequest, IgnoresWhatIsNoRangeAndRefusesOneBehindTheEnd) {
  for (const char* header :
       {"", "lines=1-2", "bytes=", "bytes=-", "bytes=3-2", "bytes=a-b", "bytes=0-1,3-4"}) {
    const auto range = read_range(header, 10);
    ASSERT_TRUE(std::holds_alternative<ByteRange>(range)) << header;
    EXPECT_EQ(std::get<ByteRange>(range).end - std::get<ByteRange>(range).begin, 10U) << header;
  }
  for (const char* header : {"bytes=10-", "bytes=11-12", "bytes=-0"}) {
    const auto range = read_range(header, 10);
    ASSERT_TRUE(std::holds_alternative<StorageError>(range)) << header;
    EXPECT_EQ(std::get<StorageError>(range).status, 416);
  }
}

}  // namespace
}  // namespace slipway::emulator
