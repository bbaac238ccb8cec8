#include "emulator/storage_objects.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "slipway/core/format.h"
#include "support/fake_clock.h"
#include "support/temp_folder.h"

namespace slipway::emulator {
namespace {

class Objects : public testing::Test {
 protected:
  Objects() { store.add_bucket("b", Json::object()); }

  StorageOutcome<StoredObject> put(const std::string& name, const std::string& bytes,
                                   Conditions conditions = {}) {
    StoredObject draft;
    draft.bucket = "b";
    draft.name = name;
    return store.put(draft, bytes, conditions);
  }
  std::int64_t generation_of(const StorageOutcome<StoredObject>& outcome) {
    EXPECT_TRUE(std::holds_alternative<StoredObject>(outcome));
    return std::holds_alternative<StoredObject>(outcome) ? std::get<StoredObject>(outcome).generation : 0;
  }
  static int status(const StorageOutcome<StoredObject>& outcome) {
    return std::holds_alternative<StorageError>(outcome) ? std::get<StorageError>(outcome).status : 200;
  }
  std::string bytes(const std::string& name) {
    const auto content = store.read("b", name, 0, {});
    return std::holds_alternative<StorageError>(content) ? "(none)"
                                                         : std::get<ObjectStore::Content>(content).bytes;
  }
  std::string listed(const ObjectQuery& query) {
    const auto outcome = store.list("b", query);
    const auto& page = std::get<ObjectPage>(outcome);
    std::string text;
    for (const StoredObject& object : page.objects) text += object.name + " ";
    for (const std::string& prefix : page.prefixes) text += "[" + prefix + "] ";
    return text + page.last;
  }

  test::FakeClock clock;
  test::TempFolder folder;
  ObjectStore store{folder / "storage", clock};
};

TEST_F(Objects, GetANewGenerationWithEveryPutEvenInOneInstant) {
  const std::int64_t first = generation_of(put("o", "one"));
  const std::int64_t second = generation_of(put("o", "two"));
  EXPECT_GT(second, first);
  EXPECT_EQ(bytes("o"), "two");
  EXPECT_EQ(status(store.find("b", "o", first, {})), 404);
  EXPECT_EQ(status(store.find("b", "o", second, {})), 200);
}

TEST_F(Objects, HaveTheDigestsOfTheirBytes) {
  const auto object = std::get<StoredObject>(put("o", "hello\n"));
  EXPECT_EQ(object.md5, "sZRqySSS0jR8YjW00mERhA==");
  EXPECT_EQ(object.crc32c, "NT3Yvg==");
}

TEST_F(Objects, AreWrittenOnlyWhenThePreconditionHolds) {
  Conditions absent;
  absent.generation_match = 0;
  const std::int64_t first = generation_of(put("o", "one", absent));
  EXPECT_EQ(status(put("o", "two", absent)), 412);
  Conditions exact;
  exact.generation_match = first;
  EXPECT_EQ(status(put("other", "x", exact)), 412);
  EXPECT_EQ(status(put("o", "two", exact)), 200);
  EXPECT_EQ(status(put("o", "three", exact)), 412);
  Conditions present;
  present.generation_not_match = 0;
  EXPECT_EQ(status(put("o", "three", present)), 200);
  EXPECT_EQ(status(put("new", "x", present)), 412);
  Conditions fresh;
  fresh.metageneration_match = 1;
  EXPECT_EQ(status(put("o", "four", fresh)), 200);
  fresh.metageneration_match = 2;
  EXPECT_EQ(status(put("o", "five", fresh)), 412);
  EXPECT_EQ(bytes("o"), "four");
}

TEST_F(Objects, OfASwapOneOfManyWins) {
  const std::int64_t first = generation_of(put("o", "0"));
  Conditions exact;
  exact.generation_match = first;
  std::atomic<int> won{0};
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i)
    writers.emplace_back([&, i] { won += status(put("o", std::to_string(i), exact)) == 200 ? 1 : 0; });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(won, 1);
}

TEST_F(Objects, AreReadWholeWhileTheyAreReplaced) {
  put("o", std::string(100'000, 'a'));
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i) put("o", std::string(100'000, static_cast<char>('a' + i % 26)));
    done = true;
  });
  int wrong = 0;
  while (!done) {
    const std::string text = bytes("o");
    wrong += text.size() != 100'000 || text != std::string(100'000, text[0]) ? 1 : 0;
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Objects, AReadWhoseConditionFailsSaysHow) {
  const std::int64_t generation = generation_of(put("o", "one"));
  Conditions changed;
  changed.generation_not_match = generation;
  EXPECT_EQ(status(store.find("b", "o", 0, changed)), 304);
  Conditions other;
  other.generation_match = generation + 1;
  EXPECT_EQ(status(store.find("b", "o", 0, other)), 412);
  EXPECT_EQ(status(store.find("b", "none", 0, other)), 404);
  EXPECT_EQ(status(store.find("none", "o", 0, {})), 404);
}

TEST_F(Objects, ADeleteHeedsItsConditionsAndLeavesNoFile) {
  const std::int64_t generation = generation_of(put("o", "one"));
  Conditions other;
  other.generation_match = generation + 1;
  EXPECT_EQ(store.remove("b", "o", 0, other)->status, 412);
  EXPECT_EQ(store.remove("b", "o", generation + 1, {})->status, 404);
  EXPECT_FALSE(store.remove("b", "o", generation, {}));
  EXPECT_EQ(store.remove("b", "o", 0, {})->status, 404);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "storage"));
}

TEST_F(Objects, APatchCountsTheMetagenerationAndKeepsTheGeneration) {
  const std::int64_t generation = generation_of(put("o", "one"));
  const auto changed =
      store.patch("b", "o", Json{{"metadata", Json{{"k", "v"}}}, {"contentType", "text/x"}}, {});
  EXPECT_EQ(std::get<StoredObject>(changed).generation, generation);
  EXPECT_EQ(std::get<StoredObject>(changed).metageneration, 2);
  EXPECT_EQ(std::get<StoredObject>(changed).content_type, "text/x");
  EXPECT_EQ(std::get<StoredObject>(changed).own["metadata"]["k"], "v");
  const auto taken = store.patch("b", "o", Json{{"metadata", nullptr}}, {});
  EXPECT_EQ(std::get<StoredObject>(taken).own, Json::object());
}

TEST_F(Objects, ABucketThatIsNotEmptyStays) {
  put("o", "x");
  EXPECT_EQ(store.remove_bucket("b")->status, 409);
  store.remove("b", "o", 0, {});
  EXPECT_FALSE(store.remove_bucket("b"));
  EXPECT_EQ(store.remove_bucket("b")->status, 404);
}

TEST_F(Objects, AreListedInTheOrderOfTheirBytesAndFoldedAtTheDelimiter) {
  for (const char* name : {"a", "d/", "d/1", "d/2/x", "d/2/y", "e", "\xff"}) put(name, "");
  EXPECT_EQ(listed({}), "a d/ d/1 d/2/x d/2/y e \xff ");
  ObjectQuery query;
  query.delimiter = "/";
  EXPECT_EQ(listed(query), "a e \xff [d/] ");
  query.prefix = "d/";
  EXPECT_EQ(listed(query), "d/ d/1 [d/2/] ");
  query.trailing_delimiter = true;
  query.prefix = "";
  EXPECT_EQ(listed(query), "a d/ e \xff [d/] ");
  ObjectQuery offsets;
  offsets.start_offset = "d/1";
  offsets.end_offset = "e";
  EXPECT_EQ(listed(offsets), "d/1 d/2/x d/2/y ");
}

TEST_F(Objects, EveryPageSizeShowsEachEntryOnce) {
  for (const char* name : {"a", "d/1", "d/2", "e/", "e/1", "f", "g/1"}) put(name, "");
  for (const std::string delimiter : {"", "/"}) {
    ObjectQuery all;
    all.delimiter = delimiter;
    const auto whole = std::get<ObjectPage>(store.list("b", all));
    for (std::size_t size = 1; size <= 8; ++size) {
      ObjectQuery query = all;
      query.max_results = size;
      std::size_t objects = 0;
      std::vector<std::string> prefixes;
      do {
        const auto page = std::get<ObjectPage>(store.list("b", query));
        EXPECT_LE(page.objects.size() + page.prefixes.size(), size);
        objects += page.objects.size();
        prefixes.insert(prefixes.end(), page.prefixes.begin(), page.prefixes.end());
        query.after = page.last;
      } while (!query.after.empty());
      EXPECT_EQ(objects, whole.objects.size()) << size << delimiter;
      EXPECT_EQ(prefixes, whole.prefixes) << size << delimiter;
    }
  }
}

}  // namespace
}  // namespace slipway::emulator
