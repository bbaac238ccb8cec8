#include "storage/object_json.h"

#include <gtest/gtest.h>

#include "support/fake_transport.h"

namespace slipway::storage {
namespace {

http::Response response(int status, const std::string& body) { return *test::answer(status, body).response; }

TEST(ObjectJson, IsReadWithNumbersThatTravelAsText) {
  const auto info = decode_object(response(200, R"({"name":"a/b","generation":"1795231973082859","size":"6",
      "crc32c":"NT3Yvg==","updated":"2026-11-21T03:32:53.000Z"})"));
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->name, "a/b");
  EXPECT_EQ(info->generation, 1795231973082859);
  EXPECT_EQ(info->size, 6U);
  EXPECT_EQ(info->crc32c, 0x353DD8BEU);
  EXPECT_EQ(info->updated.time_since_epoch(), std::chrono::seconds(1795231973));
}

TEST(ObjectJson, ThatDescribesNoObjectIsAnError) {
  for (const char* body : {"", "{}", "[]", R"({"name":"a"})", R"({"name":"a","generation":"x","size":"1"})"})
    EXPECT_FALSE(decode_object(response(200, body)).ok()) << body;
}

TEST(HashHeader, GivesTheCrc32cWhereverItStands) {
  EXPECT_EQ(crc32c_of_hash_header("crc32c=NT3Yvg==, md5=sZRqySSS0jR8YjW00mERhA=="), 0x353DD8BEU);
  EXPECT_EQ(crc32c_of_hash_header("md5=sZRqySSS0jR8YjW00mERhA==,crc32c=NT3Yvg=="), 0x353DD8BEU);
  for (const char* header : {"", "md5=x", "crc32c=", "crc32c=AAAA", "crc32c=*"})
    EXPECT_FALSE(crc32c_of_hash_header(header)) << header;
}

TEST(StorageRefusal, SaysWhatTheServerSaid) {
  const Error denied = to_error(
      response(403, R"({"error":{"code":403,"message":"x lacks storage.objects.get"}})"), "gs://b/o");
  EXPECT_EQ(denied.code(), ErrorCode::kDenied);
  EXPECT_EQ(denied.message(), "gs://b/o");
  EXPECT_EQ(denied.why(), "HTTP 403: x lacks storage.objects.get");
  EXPECT_NE(denied.next().find("roles/storage.objectAdmin"), std::string::npos);
  EXPECT_EQ(to_error(response(412, ""), "o").code(), ErrorCode::kConflict);
  EXPECT_EQ(to_error(response(429, ""), "o").code(), ErrorCode::kUnavailable);
  EXPECT_EQ(to_error(response(400, "plain"), "o").code(), ErrorCode::kFailed);
  EXPECT_EQ(to_error(response(400, "\x1b[2J"), "o").why().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace slipway::storage
