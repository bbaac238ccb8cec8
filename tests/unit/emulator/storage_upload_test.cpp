#include "emulator/storage_upload.h"

#include <gtest/gtest.h>

#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr std::size_t kGranule = std::size_t{256} << 10;

MultipartUpload read(const std::string& type, const std::string& body) {
  const auto upload = read_multipart(type, body);
  EXPECT_TRUE(std::holds_alternative<MultipartUpload>(upload));
  return std::holds_alternative<MultipartUpload>(upload) ? std::get<MultipartUpload>(upload)
                                                         : MultipartUpload();
}

TEST(MultipartUpload, IsReadWithBothLineEndsAndAllQuotes) {
  for (const std::string end : {"\r\n", "\n"}) {
    for (const std::string type : {"multipart/related; boundary=XX", "multipart/related; boundary=\"XX\"",
                                   "multipart/related; boundary='XX'; charset=utf-8"}) {
      const std::string bytes("one\r\n--X\n\0two\r", 14);
      const std::string body = "--XX" + end + "Content-Type: application/json" + end + end +
                               R"({"name":"o"})" + end + "--XX" + end + "content-type: text/plain" + end +
                               "X: y" + end + end + bytes + end + "--XX--" + end;
      const MultipartUpload upload = read(type, body);
      EXPECT_EQ(upload.metadata["name"], "o");
      EXPECT_EQ(upload.content_type, "text/plain");
      EXPECT_EQ(upload.bytes, bytes);
    }
  }
}

TEST(MultipartUpload, OfNothingIsEmpty) {
  EXPECT_EQ(read("multipart/related; boundary=b", "--b\n\n{}\n--b\n\n\n--b--").bytes, "");
}

TEST(MultipartUpload, ThatIsBrokenIsRefused) {
  const std::string type = "multipart/related; boundary=b";
  for (const std::string body :
       {"", "--b", "--b--", "--b\n\n{}\n--b--", "--b\n\n{}\n--b\n\nbytes", "--b\n{}\n--b\nx\n--b--",
        "--b\n\n[]\n--b\n\nx\n--b--", "--b\n\nno json\n--b\n\nx\n--b--"})
    EXPECT_TRUE(std::holds_alternative<StorageError>(read_multipart(type, body))) << body;
  EXPECT_TRUE(std::holds_alternative<StorageError>(read_multipart("multipart/related", "--b")));
}

TEST(ContentRangeHeader, IsASpanOrAQuestion) {
  const auto part = parse_content_range("bytes 0-9/20");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->begin, 0U);
  EXPECT_EQ(part->end, 10U);
  EXPECT_EQ(part->total, 20U);
  EXPECT_FALSE(parse_content_range("bytes 5-5/*")->total);
  EXPECT_FALSE(parse_content_range("bytes */20")->begin);
  EXPECT_FALSE(parse_content_range("bytes */*")->total);
  for (const char* broken :
       {"", "bytes", "bytes 0-9", "bytes 9-0/10", "bytes -1-2/3", "bytes a-b/c", "0-9/20"})
    EXPECT_FALSE(parse_content_range(broken)) << broken;
}

class Sessions : public testing::Test {
 protected:
  Sessions() : id(uploads.begin({})) {}

  UploadStep take(const std::string& range, const std::string& body) {
    const auto step = uploads.take(id, parse_content_range(range), body);
    EXPECT_TRUE(std::holds_alternative<UploadStep>(step)) << range;
    return std::holds_alternative<UploadStep>(step) ? std::get<UploadStep>(step) : UploadStep();
  }
  int refusal(const std::string& range, const std::string& body) {
    const auto step = uploads.take(id, parse_content_range(range), body);
    return std::holds_alternative<StorageError>(step) ? std::get<StorageError>(step).status : 0;
  }

  UploadSessions uploads;
  std::string id;
};

TEST_F(Sessions, GoOnWhereTheyWereAndEndWithTheLastByte) {
  const std::string first(kGranule, 'a');
  EXPECT_EQ(take("bytes */*", "").held, 0U);
  EXPECT_EQ(take(fmt::format("bytes 0-{}/*", kGranule - 1), first).held, kGranule);
  EXPECT_EQ(take("bytes */*", "").held, kGranule);
  const UploadStep last = take(fmt::format("bytes {}-{}/{}", kGranule, kGranule + 2, kGranule + 3), "end");
  ASSERT_TRUE(last.whole);
  EXPECT_EQ(last.whole->bytes, first + "end");
}

TEST_F(Sessions, TakeBytesThatCameTwiceOnce) {
  const std::string first(kGranule, 'a');
  const std::string range = fmt::format("bytes 0-{}/*", kGranule - 1);
  take(range, first);
  EXPECT_EQ(take(range, first).held, kGranule);
}

TEST_F(Sessions, RefuseAHoleAnOddChunkAndAWrongLength) {
  EXPECT_EQ(refusal("bytes 1-3/4", "abc"), 400);
  EXPECT_EQ(refusal("bytes 0-2/*", "abc"), 400);
  EXPECT_EQ(refusal("bytes 0-9/10", "abc"), 400);
  EXPECT_EQ(refusal("bytes 0-2/2", "abc"), 400);
}

TEST_F(Sessions, RememberWhatTheyBecame) {
  ASSERT_TRUE(take("bytes 0-2/3", "abc").whole);
  StoredObject object;
  object.name = "o";
  uploads.finish(id, object);
  EXPECT_EQ(take("bytes */3", "").done->name, "o");
}

TEST_F(Sessions, CanBeCancelled) {
  EXPECT_EQ(uploads.cancel(id).status, 499);
  EXPECT_EQ(refusal("bytes */*", ""), 404);
  EXPECT_EQ(uploads.cancel(id).status, 404);
}

}  // namespace
}  // namespace slipway::emulator
