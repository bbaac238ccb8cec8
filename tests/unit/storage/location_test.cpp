#include "slipway/storage/location.h"

#include <gtest/gtest.h>

namespace slipway::storage {
namespace {

TEST(Location, IsABucketAndWhatNamesBeginWith) {
  const Result<Location> location = parse_location("gs://my-bucket/jobs/train-1/");
  ASSERT_TRUE(location.ok());
  EXPECT_EQ(location->bucket, "my-bucket");
  EXPECT_EQ(location->prefix, "jobs/train-1");
  EXPECT_EQ(location->object("ctl/spec"), "jobs/train-1/ctl/spec");
  EXPECT_EQ(location->below("ctl").uri(), "gs://my-bucket/jobs/train-1/ctl");
}

TEST(Location, MayBeAllOfABucket) {
  for (const char* uri : {"gs://my-bucket", "gs://my-bucket/"}) {
    const Result<Location> location = parse_location(uri);
    ASSERT_TRUE(location.ok()) << uri;
    EXPECT_EQ(location->uri(), "gs://my-bucket");
    EXPECT_EQ(location->object("a"), "a");
  }
}

TEST(Location, ThatNobodyCanHaveIsRefused) {
  for (const char* uri :
       {"", "my-bucket", "s3://my-bucket/x", "gs://", "gs:///x", "gs://ab", "gs://Upper/x", "gs://-a-b/x",
        "gs://b ucket/x", "gs://my-bucket//x", "gs://my-bucket/a//b", "gs://my-bucket/a/../b",
        "gs://my-bucket/a\nb", "gs://my-bucket/a\"b", "gs://my-bucket/a\\b", "gs://u:p@host/x"}) {
    const Result<Location> location = parse_location(uri);
    ASSERT_FALSE(location.ok()) << uri;
    EXPECT_EQ(location.error().code(), ErrorCode::kUsage);
  }
  EXPECT_EQ(parse_location("my-bucket", "--bucket").error().message(),
            "--bucket: 'my-bucket' is no place in Cloud Storage");
  EXPECT_FALSE(parse_location("gs://my-bucket/" + std::string(901, 'a')).ok());
}

}  // namespace
}  // namespace slipway::storage
