#include "cli/output_format.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

TEST(OutputFormat, AFormatThatIsNotThereIsAnsweredWithTheNearest) {
  EXPECT_EQ(parse_format("jsno").error().why(), "did you mean 'json'?");
  EXPECT_EQ(parse_format("json").value(), Format::kJson);
}

}  // namespace
}  // namespace slipway::cli
