#include "slipway/core/text.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "slipway/core/random.h"

namespace slipway {
namespace {

std::string shell_output(const std::string& line) {
  std::string output;
  FILE* pipe = ::popen(line.c_str(), "r");
  char buffer[4096];
  while (const std::size_t count = ::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
  EXPECT_EQ(::pclose(pipe), 0);
  return output;
}

TEST(ShellQuote, LeavesPlainWordsAlone) {
  EXPECT_EQ(shell_quote("gs://b/x_1.tar"), "gs://b/x_1.tar");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
}

TEST(ShellQuote, EveryByteSurvivesARealShell) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(shell_output("printf %s " + shell_quote(all)), all);
}

TEST(ShellJoin, KeepsTheWordsApart) {
  EXPECT_EQ(shell_output("set -- " + shell_join({"a b", "", "$HOME", "*"}) + "; printf '<%s>' \"$@\""),
            "<a b><><$HOME><*>");
}

TEST(Base64, RoundTripsAllLengths) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int length = 0; length < 100; ++length) {
    std::string bytes;
    for (int i = 0; i < length; ++i) bytes += static_cast<char>(random());
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
  }
  EXPECT_EQ(base64_encode("any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
  EXPECT_EQ(base64url_encode("\xfb\xff"), "-_8");
}

TEST(Base64, RefusesWhatIsNone) {
  EXPECT_FALSE(base64_decode("AAA*"));
  EXPECT_FALSE(base64_decode("A"));
}

TEST(Nearest, FindsAMistypedWord) {
  EXPECT_EQ(nearest("creat", {"create", "delete"}), "create");
  EXPECT_EQ(nearest("lsit", {"list", "wait"}), "list");
  EXPECT_EQ(nearest("ACTVE", {"ACTIVE", "FAILED"}), "ACTIVE");
}

TEST(Nearest, OffersNothingThatIsFar) {
  EXPECT_EQ(nearest("bogus", {"create", "delete"}), "");
  EXPECT_EQ(nearest("x", {"run"}), "");
  EXPECT_EQ(nearest(std::string(10'000, 'a'), {"run"}), "");
}

TEST(Split, KeepsEmptyParts) { EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""})); }

TEST(Trim, TakesBlanksOffBothEnds) {
  EXPECT_EQ(trim("  a b\n"), "a b");
  EXPECT_EQ(trim(" \t"), "");
}

TEST(Uuid, IsVersionFourAndNew) {
  const std::string uuid = make_uuid();
  ASSERT_EQ(uuid.size(), 36U);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
  EXPECT_NE(uuid, make_uuid());
}

}  // namespace
}  // namespace slipway
