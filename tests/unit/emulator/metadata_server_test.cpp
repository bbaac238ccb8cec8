// The metadata server over real connections, on addresses that no worker of a test's emulator has.
#include "emulator/metadata_server.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace slipway::emulator {
namespace {

using httplib::Headers;

const Headers kFlavor{{"Metadata-Flavor", "Google"}};

class Metadata : public testing::Test {
 protected:
  Metadata() {
    trees["127.254.253.1"] =
        Json{{"instance", Json{{"attributes", Json{{"k", "v"}}}, {"name", "one"}, {"preempted", "FALSE"}}}};
    trees["127.254.253.2"] = Json{{"instance", Json{{"name", "two"}}}};
    auto started = MetadataServer::start([this](const std::string& address) -> std::optional<Json> {
      const std::lock_guard lock(mutex);
      ++looked;
      const auto found = trees.find(address);
      return found == trees.end() ? std::nullopt : std::optional(found->second);
    });
    EXPECT_TRUE(started.ok());
    server = std::move(started).value();
    for (const auto& [address, tree] : trees) EXPECT_TRUE(server->listen(address).ok());
  }

  httplib::Response ask(const std::string& path, const Headers& headers = kFlavor,
                        const std::string& address = "127.254.253.1") {
    httplib::Client client(address, server->port());
    client.set_read_timeout(20);
    const httplib::Result result = client.Get("/computeMetadata/v1/" + path, headers);
    EXPECT_TRUE(result) << path << ": " << httplib::to_string(result.error());
    return result ? result.value() : httplib::Response();
  }
  void set(const std::string& key, const std::string& value) {
    {
      const std::lock_guard lock(mutex);
      trees["127.254.253.1"]["instance"][key] = value;
    }
    server->note_change();
  }
  void wait_until_asked(int times) {
    while (looked < times) std::this_thread::yield();
  }

  std::mutex mutex;
  std::map<std::string, Json> trees;
  std::atomic<int> looked{0};
  std::unique_ptr<MetadataServer> server;
};

TEST_F(Metadata, TellsEachWorkerAboutItself) {
  EXPECT_EQ(ask("instance/name").body, "one");
  EXPECT_EQ(ask("instance/name", kFlavor, "127.254.253.2").body, "two");
  EXPECT_EQ(ask("instance/name").get_header_value("Metadata-Flavor"), "Google");
  EXPECT_EQ(ask("instance/").body, "attributes/\nname\npreempted\n");
  EXPECT_EQ(ask("instance/?recursive=true").body,
            R"({"attributes":{"k":"v"},"name":"one","preempted":"FALSE"})");
  EXPECT_EQ(ask("instance/attributes/?recursive=true").get_header_value("Content-Type"), "application/json");
  const httplib::Response moved = ask("instance");
  EXPECT_EQ(moved.status, 301);
  EXPECT_EQ(moved.get_header_value("Location"), "/computeMetadata/v1/instance/");
}

TEST_F(Metadata, RefusesWhoCannotBeAGuest) {
  EXPECT_EQ(ask("instance/name", {}).status, 403);
  EXPECT_NE(ask("instance/name", {}).body.find("Missing Metadata-Flavor:Google header"), std::string::npos);
  EXPECT_EQ(ask("instance/name", {{"Metadata-Flavor", "google"}}).status, 403);
  EXPECT_EQ(ask("instance/name", {{"Metadata-Flavor", "Google"}, {"X-Forwarded-For", "1.2.3.4"}}).status,
            403);
}

TEST_F(Metadata, SaysWhatIsNotThere) {
  const httplib::Response none = ask("instance/attributes/none");
  EXPECT_EQ(none.status, 404);
  EXPECT_NE(none.body.find("/computeMetadata/v1/instance/attributes/none"), std::string::npos);
  EXPECT_EQ(ask("instance/name/").status, 404);
  EXPECT_EQ(ask("../v2/instance").status, 404);
  {
    const std::lock_guard lock(mutex);
    trees.erase("127.254.253.2");
  }
  EXPECT_EQ(ask("instance/name", kFlavor, "127.254.253.2").status, 404);
}

TEST_F(Metadata, AnswersAWaitWhenTheValueChanges) {
  std::string body;
  std::thread waiter([&] { body = ask("instance/preempted?wait_for_change=true").body; });
  wait_until_asked(1);
  set("name", "changed too, but nobody asked for it");
  set("preempted", "TRUE");
  waiter.join();
  EXPECT_EQ(body, "TRUE");
}

TEST_F(Metadata, AnswersAtOnceWhenTheLastEtagIsOld) {
  const std::string etag = ask("instance/preempted").get_header_value("ETag");
  set("preempted", "TRUE");
  const httplib::Response now = ask("instance/preempted?wait_for_change=true&last_etag=" + etag);
  EXPECT_EQ(now.body, "TRUE");
  EXPECT_NE(now.get_header_value("ETag"), etag);
}

TEST_F(Metadata, AnswersAWaitWhoseTimeIsUpWithTheOldValue) {
  const std::string etag = ask("instance/preempted").get_header_value("ETag");
  EXPECT_EQ(ask("instance/preempted?wait_for_change=true&timeout_sec=0&last_etag=" + etag).body, "FALSE");
}

TEST_F(Metadata, AWaitOnADirectorySeesWhatChangesInIt) {
  std::string body;
  std::thread waiter([&] { body = ask("instance/?recursive=true&wait_for_change=true").body; });
  wait_until_asked(1);
  set("preempted", "TRUE");
  waiter.join();
  EXPECT_NE(body.find(R"("preempted":"TRUE")"), std::string::npos);
}

TEST_F(Metadata, ManyCanWaitAtOnce) {
  std::atomic<int> right{0};
  std::vector<std::thread> waiters;
  for (int i = 0; i < 50; ++i) {
    waiters.emplace_back(
        [&] { right += ask("instance/preempted?wait_for_change=true").body == "TRUE" ? 1 : 0; });
  }
  wait_until_asked(50);
  EXPECT_EQ(ask("instance/name").body, "one") << "nobody is held up by those who wait";
  set("preempted", "TRUE");
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(right, 50);
}

TEST_F(Metadata, EndsWhileSomebodyWaits) {
  std::thread waiter([&] {
    httplib::Client client("127.254.253.1", server->port());
    EXPECT_FALSE(client.Get("/computeMetadata/v1/instance/name?wait_for_change=true", kFlavor));
  });
  wait_until_asked(1);
  server.reset();
  waiter.join();
}

TEST_F(Metadata, NoLongerAnswersWhereItForgot) {
  server->forget("127.254.253.2");
  EXPECT_EQ(ask("instance/name").body, "one");
  httplib::Client client("127.254.253.2", server->port());
  // The socket is closed by the server's thread, in its next round.
  while (client.Get("/computeMetadata/v1/instance/name", kFlavor)) std::this_thread::yield();
  EXPECT_TRUE(server->listen("127.254.253.2").ok());
  EXPECT_EQ(ask("instance/name", kFlavor, "127.254.253.2").body, "two");
}

}  // namespace
}  // namespace slipway::emulator
