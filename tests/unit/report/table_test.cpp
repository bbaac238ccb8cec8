#include "slipway/report/table.h"

#include <gtest/gtest.h>

namespace slipway::report {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCellAndLinesEndWithoutBlanks) {
  Table table({"NAME", "ZONE", "STATE"});
  table.add_row({"train", "us-central2-b", "ACTIVE"});
  table.add_row({"a-longer-name", "z", ""});
  EXPECT_EQ(table.text(),
            "NAME           ZONE           STATE\n"
            "train          us-central2-b  ACTIVE\n"
            "a-longer-name  z              -\n");
}

TEST(Table, ALastColumnOfEmptyCellsLeavesNoBlanks) {
  Table table({"A", "B"});
  table.add_row({"x", ""});
  EXPECT_EQ(table.text(), "A  B\nx  -\n");
}

TEST(Table, ValuesAreTabSeparatedWithoutHeader) {
  Table table({"NAME", "ZONE", "STATE"});
  table.add_row({"train", "", "ACTIVE"});
  EXPECT_EQ(table.values(), "train\t\tACTIVE\n");
}

TEST(Table, CellsCanNeitherBreakARowNorCommandATerminal) {
  Table table({"NAME", "STATE"});
  table.add_row({"a\tb\nc", "\x1b[2J"});
  EXPECT_EQ(table.values(), "a b^Jc\t^[[2J\n");
}

TEST(Table, CharactersOfSeveralBytesTakeOneColumn) {
  Table table({"A", "B"});
  table.add_row({"\u00e9\u00e9\u00e9", "x"});
  table.add_row({"abc", "y"});
  EXPECT_EQ(table.text(), "A    B\n\u00e9\u00e9\u00e9  x\nabc  y\n");
}

TEST(Table, NoRowsAreAHeaderOrNothing) {
  const Table table({"A", "B"});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text(), "A  B\n");
  EXPECT_EQ(table.values(), "");
}

}  // namespace
}  // namespace slipway::report
