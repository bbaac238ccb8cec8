#include "slipway/report/output_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "slipway/core/file.h"
#include "support/targets.h"
#include "support/temp_folder.h"

namespace slipway::report {
namespace {

using slipway::test::make_targets;
using slipway::test::TempFolder;
using ssh::Stream;

std::string content(const std::string& path) {
  Result<std::string> text = read_file(path);
  return text ? *text : "(" + text.error().message() + ")";
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

TEST(OutputDirectory, KeepsEachWorkersBytesAsTheyCame) {
  const TempFolder temp;
  const auto targets = make_targets(2, 2);
  Result<OutputDirectory> output = OutputDirectory::create(temp / "new/out", targets);
  ASSERT_TRUE(output) << output.error().message();
  output->on_output(0, Stream::kOut, std::string_view("a\0\r\x1b", 4));
  output->on_output(3, Stream::kErr, "oops\n");
  output->on_output(0, Stream::kOut, "b");
  EXPECT_EQ(content(temp / "new/out/qr-0/0.out"), std::string("a\0\r\x1b"
                                                              "b",
                                                              5));
  EXPECT_EQ(content(temp / "new/out/qr-1/1.err"), "oops\n");
  EXPECT_FALSE(file_exists(temp / "new/out/qr-1/1.out"));
  EXPECT_EQ(output->error(), nullptr);
}

TEST(OutputDirectory, ASilentWorkerThatStartedHasBothFilesAndOneThatDidNotHasNone) {
  const TempFolder temp;
  const auto targets = make_targets(1, 3);
  Result<OutputDirectory> output = OutputDirectory::create(temp / "out", targets);
  ASSERT_TRUE(output);
  const std::ptrdiff_t before = open_descriptors();
  output->on_phase(0, ssh::Phase::kHeld);
  EXPECT_FALSE(file_exists(temp / "out/qr-0/0.out"));
  output->on_phase(0, ssh::Phase::kRun);
  EXPECT_EQ(content(temp / "out/qr-0/0.out"), "");
  EXPECT_EQ(content(temp / "out/qr-0/0.err"), "");
  EXPECT_EQ(open_descriptors(), before);
  output->on_output(0, Stream::kErr, "late");
  EXPECT_EQ(content(temp / "out/qr-0/0.err"), "late");
  fleet::Outcome started;
  started.kind = fleet::OutcomeKind::kOk;
  started.started_at = std::chrono::system_clock::now();
  output->on_outcome(1, started);
  EXPECT_EQ(content(temp / "out/qr-0/1.out"), "");
  EXPECT_EQ(content(temp / "out/qr-0/1.err"), "");
  output->on_phase(2, ssh::Phase::kConnect);
  output->on_outcome(2, {});
  EXPECT_FALSE(file_exists(temp / "out/qr-0/2.out"));
  EXPECT_EQ(output->error(), nullptr);
}

TEST(OutputDirectory, RefusesAFolderThatHoldsSomething) {
  const TempFolder temp;
  std::ofstream(temp / "run.json") << "{}";
  const Result<OutputDirectory> output = OutputDirectory::create(temp.path(), make_targets(1, 1));
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), ErrorCode::kUsage);
}

TEST(OutputDirectory, RefusesNamesThatAreNoFileNames) {
  for (const std::string name : {"..", ".", "", "a/b", "run.json"}) {
    const TempFolder temp;
    auto targets = make_targets(1, 1);
    targets[0].slice = name;
    const Result<OutputDirectory> output = OutputDirectory::create(temp / "out", targets);
    ASSERT_FALSE(output) << name;
    EXPECT_EQ(output.error().code(), ErrorCode::kUsage);
    EXPECT_FALSE(file_exists(temp / "out"));
  }
}

TEST(OutputDirectory, ThousandsOfWorkersNeedFewDescriptors) {
  const TempFolder temp;
  const auto targets = make_targets(20, 50);
  Result<OutputDirectory> output = OutputDirectory::create(temp / "out", targets);
  ASSERT_TRUE(output);
  const std::ptrdiff_t before = open_descriptors();
  for (const char* piece : {"first ", "second ", "third"}) {
    for (std::size_t i = 0; i < targets.size(); ++i) output->on_output(i, Stream::kOut, piece);
  }
  EXPECT_LE(open_descriptors() - before, 64);
  for (const auto& target : targets) {
    ASSERT_EQ(content(temp / ("out/" + target.label() + ".out")), "first second third");
  }
  for (std::size_t i = 0; i < targets.size(); ++i) output->on_outcome(i, {});
  EXPECT_EQ(open_descriptors(), before);
}

TEST(OutputDirectory, ALinkPutInTheWayIsNotFollowed) {
  const TempFolder temp;
  const auto targets = make_targets(1, 2);
  Result<OutputDirectory> output = OutputDirectory::create(temp / "out", targets);
  ASSERT_TRUE(output);
  output->on_output(0, Stream::kOut, "x");
  std::filesystem::create_symlink(temp / "victim", temp / "out/qr-0/1.out");
  output->on_output(1, Stream::kOut, "stolen");
  EXPECT_FALSE(file_exists(temp / "victim"));
  ASSERT_NE(output->error(), nullptr);
  EXPECT_EQ(output->error()->code(), ErrorCode::kLocal);
}

TEST(OutputDirectory, AFullDiskIsSaidOnceAndTheOthersGoOn) {
  const TempFolder temp;
  const auto targets = make_targets(1, 3);
  int told = 0;
  Result<OutputDirectory> output =
      OutputDirectory::create(temp / "out", targets, [&](const Error&) { ++told; });
  ASSERT_TRUE(output);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1'000, old.rlim_max};
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  for (int i = 0; i < 3; ++i) {
    output->on_output(0, Stream::kOut, std::string(800, 'x'));
    output->on_output(1, Stream::kOut, std::string(800, 'y'));
    output->on_output(2, Stream::kOut, "z");
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(told, 1);
  ASSERT_NE(output->error(), nullptr);
  EXPECT_EQ(output->error()->code(), ErrorCode::kLocal);
  EXPECT_THAT(output->error()->message(), ::testing::HasSubstr("qr-0/0.out"));
  EXPECT_EQ(content(temp / "out/qr-0/2.out"), "zzz");
  EXPECT_EQ(content(temp / "out/qr-0/0.out"), std::string(1'000, 'x'));
}

TEST(OutputDirectory, AFolderThatVanishesIsAnErrorAndNoEnd) {
  const TempFolder temp;
  const auto targets = make_targets(1, 1);
  Result<OutputDirectory> output = OutputDirectory::create(temp / "out", targets);
  ASSERT_TRUE(output);
  std::filesystem::remove_all(temp / "out");
  output->on_output(0, Stream::kOut, "x");
  ASSERT_NE(output->error(), nullptr);
  EXPECT_EQ(output->error()->code(), ErrorCode::kLocal);
  EXPECT_FALSE(output->write_run_json("{}").ok());
}

TEST(OutputDirectory, RunJsonStandsBesideTheSlices) {
  const TempFolder temp;
  const auto targets = make_targets(1, 1);
  Result<OutputDirectory> output = OutputDirectory::create(temp / "out", targets);
  ASSERT_TRUE(output);
  ASSERT_TRUE(output->write_run_json("{\"runId\":1}\n").ok());
  EXPECT_EQ(content(temp / "out/run.json"), "{\"runId\":1}\n");
}

}  // namespace
}  // namespace slipway::report
