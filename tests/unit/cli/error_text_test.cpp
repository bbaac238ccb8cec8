#include "cli/error_text.h"

#include <gtest/gtest.h>

#include "slipway/core/secret.h"

namespace slipway::cli {
namespace {

TEST(ErrorText, SaysWhatWhyAndWhatToTypeNext) {
  const Error error = Error(ErrorCode::kConflict, "cannot run on 'q': it is FAILED, not ACTIVE")
                          .why("no quota")
                          .next("slipway delete q");
  EXPECT_EQ(error_text("run", error),
            "slipway: run: cannot run on 'q': it is FAILED, not ACTIVE\n  why: no quota\n  next: slipway "
            "delete q\n");
}

TEST(ErrorText, LeavesOutWhatTheErrorDoesNotHave) {
  EXPECT_EQ(error_text("", Error(ErrorCode::kFailed, "no")), "slipway: no\n");
}

TEST(ErrorText, IndentsFurtherLines) {
  EXPECT_EQ(error_text("x", Error(ErrorCode::kFailed, "no").why("a\nb")),
            "slipway: x: no\n  why: a\n       b\n");
}

TEST(ErrorText, TakesSecretsAndTerminalCommandsOut) {
  const Secret token("ya29.error-text-canary");
  const std::string text =
      error_text("x", Error(ErrorCode::kFailed, "refused ya29.error-text-canary \x1b[2J"));
  EXPECT_EQ(text, "slipway: x: refused [redacted] ^[[2J\n");
}

}  // namespace
}  // namespace slipway::cli
