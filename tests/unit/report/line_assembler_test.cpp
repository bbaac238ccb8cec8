#include "slipway/report/line_assembler.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace slipway::report {
namespace {

struct Piece {
  std::string text;
  LineEnd end;
  bool operator==(const Piece&) const = default;
};

struct Collected {
  std::vector<Piece> pieces;
  LineSink sink() {
    return [this](std::string_view line, LineEnd end) { pieces.push_back({std::string(line), end}); };
  }
  /// What the stream was, from the pieces.
  std::string joined() const {
    std::string text;
    for (const Piece& piece : pieces) text += piece.text + (piece.end == LineEnd::kNewline ? "\n" : "");
    return text;
  }
};

TEST(LineAssembler, ALineThatComesInPiecesIsGivenOnce) {
  Collected got;
  LineAssembler lines;
  lines.add("ste", got.sink());
  lines.add("p 1", got.sink());
  EXPECT_TRUE(got.pieces.empty());
  lines.add("\nstep 2\nst", got.sink());
  EXPECT_EQ(got.pieces, (std::vector<Piece>{{"step 1", LineEnd::kNewline}, {"step 2", LineEnd::kNewline}}));
}

TEST(LineAssembler, TheLastLineWithoutNewlineIsGivenAtTheEnd) {
  Collected got;
  LineAssembler lines;
  lines.add("a\nb", got.sink());
  lines.finish(got.sink());
  lines.finish(got.sink());
  EXPECT_EQ(got.pieces, (std::vector<Piece>{{"a", LineEnd::kNewline}, {"b", LineEnd::kMissing}}));
}

TEST(LineAssembler, EmptyLinesAreLines) {
  Collected got;
  LineAssembler lines;
  lines.add("\n\n", got.sink());
  lines.finish(got.sink());
  EXPECT_EQ(got.pieces, (std::vector<Piece>{{"", LineEnd::kNewline}, {"", LineEnd::kNewline}}));
}

TEST(LineAssembler, ALineOfExactlyTheLimitIsWhole) {
  Collected got;
  LineAssembler lines;
  const std::string longest(LineAssembler::kLongest, 'x');
  lines.add(longest, got.sink());
  lines.add("\n", got.sink());
  EXPECT_EQ(got.pieces, (std::vector<Piece>{{longest, LineEnd::kNewline}}));
}

TEST(LineAssembler, ALineWithoutEndIsCutAtTheLimitAndGoesOn) {
  Collected got;
  LineAssembler lines;
  for (int i = 0; i < 5; ++i) lines.add(std::string(LineAssembler::kLongest / 2, 'x'), got.sink());
  lines.add("\n", got.sink());
  ASSERT_EQ(got.pieces.size(), 3u);
  EXPECT_EQ(got.pieces[0].end, LineEnd::kCut);
  EXPECT_EQ(got.pieces[0].text.size(), LineAssembler::kLongest);
  EXPECT_EQ(got.pieces[1].end, LineEnd::kCut);
  EXPECT_EQ(got.pieces[2].end, LineEnd::kNewline);
  EXPECT_EQ(got.joined().size(), LineAssembler::kLongest / 2 * 5 + 1);
}

TEST(LineAssembler, ACutNeverSplitsACharacter) {
  Collected got;
  LineAssembler lines;
  lines.add(std::string(LineAssembler::kLongest - 1, 'x') + "\u00e9\u20ac\n", got.sink());
  ASSERT_EQ(got.pieces.size(), 2u);
  EXPECT_EQ(got.pieces[0].text.size(), LineAssembler::kLongest - 1);
  EXPECT_EQ(got.pieces[1].text, "\u00e9\u20ac");
}

TEST(LineAssembler, AnyPartitionOfAnyBytesGivesTheSameLines) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::string stream(300'000, ' ');
  for (char& c : stream) c = random() % 40'000 == 0 ? '\n' : static_cast<char>(random());
  Collected whole;
  LineAssembler at_once;
  at_once.add(stream, whole.sink());
  at_once.finish(whole.sink());
  EXPECT_EQ(whole.joined(), stream);
  Collected parts;
  LineAssembler piecewise;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t size = std::min<std::size_t>(stream.size() - at, random() % 9'000);
    piecewise.add(std::string_view(stream).substr(at, size), parts.sink());
    at += size;
  }
  piecewise.finish(parts.sink());
  EXPECT_EQ(parts.pieces, whole.pieces);
}

TEST(AsOnTerminal, AProgressBarIsItsLastState) {
  EXPECT_EQ(as_on_terminal("10%\r20%\r100%"), "100%");
  EXPECT_EQ(as_on_terminal("10%\r20%\r"), "20%");
}

TEST(AsOnTerminal, AWindowsLineEndIsNoText) { EXPECT_EQ(as_on_terminal("text\r"), "text"); }

TEST(AsOnTerminal, NothingCommandsTheTerminal) {
  EXPECT_EQ(as_on_terminal("\x1b[31mred\x1b[0m \x1b]0;title\x07"), "^[[31mred^[[0m ^[]0;title^G");
}

}  // namespace
}  // namespace slipway::report
