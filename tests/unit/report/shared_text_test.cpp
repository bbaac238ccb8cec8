#include "report/shared_text.h"

#include <gtest/gtest.h>

#include <random>

#include "support/scoped_env.h"
#include "support/temp_folder.h"

namespace slipway::report {
namespace {

std::string text_of(SharedText& text, SharedText::End end) {
  std::string whole;
  EXPECT_TRUE(text.read(end, [&](std::string_view piece) { whole += piece; }));
  return whole;
}

TEST(SharedText, EqualTextsEndAtOnePlaceHoweverTheyCame) {
  SharedText text(1 << 20);
  SharedText::End a;
  SharedText::End b;
  SharedText::End c;
  ASSERT_TRUE(text.add(a, "hello world"));
  ASSERT_TRUE(text.add(b, "hello"));
  EXPECT_FALSE(a == b);
  ASSERT_TRUE(text.add(b, " world"));
  EXPECT_TRUE(a == b);
  ASSERT_TRUE(text.add(c, "hello there"));
  EXPECT_FALSE(a == c);
  EXPECT_EQ(text_of(text, c), "hello there");
  EXPECT_EQ(text_of(text, a), "hello world");
}

TEST(SharedText, ATextThatStoppedInTheMiddleOfAnotherIsWhole) {
  SharedText text(1 << 20);
  SharedText::End a;
  SharedText::End b;
  ASSERT_TRUE(text.add(a, "abcdef"));
  ASSERT_TRUE(text.add(b, "abc"));
  EXPECT_EQ(text_of(text, b), "abc");
  EXPECT_EQ(text.length(b), 3U);
}

/// Many texts over a small alphabet, which agree and part all the time, in random pieces, in memory and in
/// the file.
TEST(SharedText, KeepsEveryTextAndKnowsWhichAreEqual) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const std::size_t in_memory : {std::size_t{0}, std::size_t{5'000}, std::size_t{1} << 20}) {
    SharedText text(in_memory);
    std::vector<std::string> wanted(40);
    std::vector<SharedText::End> ends(wanted.size());
    for (int step = 0; step < 2'000; ++step) {
      const std::size_t who = random() % wanted.size();
      std::string piece(random() % 200, 'a');
      if (random() % 50 == 0) piece += static_cast<char>('b' + random() % 2);
      wanted[who] += piece;
      ASSERT_TRUE(text.add(ends[who], piece));
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_EQ(text_of(text, ends[i]), wanted[i]);
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_EQ(ends[i] == ends[j], wanted[i] == wanted[j]) << i << " " << j;
    }
  }
}

TEST(SharedText, ATemporaryFolderThatCannotBeWrittenIsAnError) {
  const test::ScopedEnv nowhere("TMPDIR", "/nonexistent");
  SharedText text(0);
  SharedText::End end;
  const Result<void> added = text.add(end, std::string(10'000, 'x'));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), ErrorCode::kLocal);
}

}  // namespace
}  // namespace slipway::report
