#include "slipway/tpu/journal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "slipway/core/file.h"
#include "support/fake_clock.h"
#include "support/temp_folder.h"

namespace slipway::tpu {
namespace {

using std::chrono::minutes;

const QueuedResourceName kName{{"p", "z"}, "q"};
constexpr const char* kEndpoint = "https://tpu.googleapis.com";

class JournalTest : public ::testing::Test {
 protected:
  std::string open(const std::string& verb = "create", const std::string& content = "{}",
                   const QueuedResourceName& name = kName, const std::string& endpoint = kEndpoint) {
    // A new object each time: what counts is what is on the disk.
    const JournalEntry entry = open_entry(verb, content, name, endpoint);
    return entry.request_id;
  }
  JournalEntry open_entry(const std::string& verb = "create", const std::string& content = "{}",
                          const QueuedResourceName& name = kName, const std::string& endpoint = kEndpoint) {
    Result<JournalEntry> entry = RequestJournal(folder(), clock_).open(endpoint, verb, name, content);
    EXPECT_TRUE(entry.ok()) << entry.error().message();
    return entry.ok() ? *entry : JournalEntry();
  }
  void close(const std::string& id, const std::string& verb = "create") {
    RequestJournal(folder(), clock_).close(kEndpoint, verb, kName, id);
  }
  std::string folder() const { return temporary_ / "state/requests"; }
  std::string only_file() const {
    for (const auto& file : std::filesystem::directory_iterator(folder())) {
      if (file.path().filename() != "lock") return file.path().string();
    }
    return "";
  }

  test::TempFolder temporary_;
  test::FakeClock clock_;
};

TEST_F(JournalTest, TheSameIntentGetsTheSameIdUntilItIsClosed) {
  const std::string id = open();
  EXPECT_EQ(id.size(), 36u);
  clock_.advance(minutes(54));
  EXPECT_EQ(open(), id);
  close(id);
  EXPECT_NE(open(), id);
}

TEST_F(JournalTest, AResumedIntentKnowsWhenItBegan) {
  const JournalEntry first = open_entry();
  EXPECT_FALSE(first.resumed);
  clock_.advance(minutes(10));
  const JournalEntry again = open_entry();
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.opened_at, first.opened_at);
  clock_.advance(minutes(50));
  const JournalEntry late = open_entry();
  EXPECT_TRUE(late.resumed) << "what was sent an hour ago may have been done";
  EXPECT_NE(late.request_id, first.request_id);
  EXPECT_EQ(late.since, first.since);
  EXPECT_EQ(late.opened_at, clock_.wall_now());
}

TEST_F(JournalTest, AnEntryThatAnotherProcessOpenedIsNotClosed) {
  const std::string id = open();
  close("00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(open(), id);
}

TEST_F(JournalTest, WhatIsOpenIsFoundWhateverItsContent) {
  const RequestJournal journal(folder(), clock_);
  EXPECT_FALSE(journal.find(kEndpoint, "delete", kName));
  const std::string id = open("delete", "made at noon");
  clock_.advance(minutes(600));
  const auto found = journal.find(kEndpoint, "delete", kName);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->request_id, id);
  EXPECT_EQ(found->content, RequestJournal::digest("made at noon"));
  EXPECT_FALSE(journal.find(kEndpoint, "create", kName));
}

TEST_F(JournalTest, TwoThatBeginTheSameAtOnceShareItsId) {
  std::vector<std::string> ids(8);
  std::vector<std::thread> processes;
  for (std::string& id : ids) {
    processes.emplace_back([&] {
      const auto entry = RequestJournal(folder(), clock_).open(kEndpoint, "create", kName, "{}");
      if (entry.ok()) id = entry->request_id;
    });
  }
  for (std::thread& process : processes) process.join();
  for (const std::string& id : ids) EXPECT_EQ(id, ids.front());
  EXPECT_EQ(ids.front().size(), 36u);
}

TEST_F(JournalTest, WhatACrashLeftHalfWrittenIsRemovedAfterAWeek) {
  open();
  const std::string old = folder() + "/create-0.json.Ab12Cd";
  ASSERT_TRUE(write_file_atomically(old, "{").ok());
  std::filesystem::last_write_time(
      old, std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 8));
  open("delete");
  EXPECT_FALSE(file_exists(old));
  EXPECT_TRUE(file_exists(folder() + "/lock"));
}

TEST_F(JournalTest, AnotherIntentGetsAnotherId) {
  const std::string id = open();
  EXPECT_NE(open("delete"), id);
  EXPECT_NE(open("create", "{}", {{"p", "z"}, "other"}), id);
  EXPECT_NE(open("create", "{}", {{"p", "other"}, "q"}), id);
  EXPECT_NE(open("create", "{}", kName, "http://127.0.0.1:9"), id);
  EXPECT_EQ(open(), id);
  EXPECT_NE(open("create", "{\"spot\":{}}"), id);
}

TEST_F(JournalTest, AnIdThatGoogleMayHaveForgottenIsNotUsedAgain) {
  const std::string id = open();
  clock_.advance(minutes(55));
  EXPECT_NE(open(), id);
}

TEST_F(JournalTest, AnIdFromTheFutureIsNotUsed) {
  const std::string id = open();
  clock_.advance(-minutes(1));
  EXPECT_NE(open(), id);
}

TEST_F(JournalTest, OnlyTheUserCanReadIt) {
  open();
  struct stat status {};
  ASSERT_EQ(::stat(folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
  ASSERT_EQ(::stat(only_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST_F(JournalTest, ACorruptEntryIsIgnoredAndReplaced) {
  const std::string id = open();
  for (const char* garbage : {"", "{", "[]", "\xff\xfe", "{\"requestId\":\"x\"}"}) {
    ASSERT_TRUE(write_file_atomically(only_file(), garbage).ok());
    const std::string fresh = open();
    EXPECT_EQ(fresh.size(), 36u);
    EXPECT_NE(fresh, id);
    EXPECT_EQ(open(), fresh);
  }
}

TEST_F(JournalTest, AFolderThatOthersCanWriteToIsRefused) {
  open();
  ASSERT_EQ(::chmod(folder().c_str(), 0770), 0);
  const auto id = RequestJournal(folder(), clock_).open(kEndpoint, "create", kName, "{}");
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.error().code(), ErrorCode::kLocal);
  EXPECT_NE(id.error().next().find("chmod 700"), std::string::npos);
}

TEST_F(JournalTest, AFolderOfSomebodyElseIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  open();
  ASSERT_EQ(::chown(folder().c_str(), 65534, 65534), 0);
  EXPECT_FALSE(RequestJournal(folder(), clock_).open(kEndpoint, "create", kName, "{}").ok());
}

TEST_F(JournalTest, ALinkIsNoFolder) {
  ASSERT_TRUE(make_directories(temporary_ / "elsewhere", 0700).ok());
  std::filesystem::create_symlink(temporary_ / "elsewhere", temporary_ / "link");
  EXPECT_FALSE(RequestJournal(temporary_ / "link", clock_).open(kEndpoint, "create", kName, "{}").ok());
}

TEST_F(JournalTest, WithoutAFolderEveryIntentGetsANewId) {
  RequestJournal journal("", clock_);
  const std::string id = journal.open(kEndpoint, "create", kName, "{}")->request_id;
  EXPECT_NE(journal.open(kEndpoint, "create", kName, "{}")->request_id, id);
  journal.close(kEndpoint, "create", kName, id);
}

TEST_F(JournalTest, AFolderThatCannotBeMadeIsAnErrorBeforeAnythingIsSent) {
  ASSERT_TRUE(write_file_atomically(temporary_ / "file", "").ok());
  const auto id = RequestJournal(temporary_ / "file/requests", clock_).open(kEndpoint, "create", kName, "{}");
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.error().code(), ErrorCode::kLocal);
}

}  // namespace
}  // namespace slipway::tpu
