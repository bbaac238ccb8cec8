// Cloud Storage's JSON API over a real connection: what a client sees, byte by byte.
#include <gtest/gtest.h>

#include "integration/emulator/running_emulator.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/emulator/fault.h"

namespace slipway::emulator {
namespace {

class EmulatorStorage : public testing::Test {
 protected:
  httplib::Response ask(const std::string& method, const std::string& target, const std::string& body = "",
                        httplib::Headers headers = {}) {
    httplib::Client client(emulator.exported("STORAGE_EMULATOR_HOST"));
    client.set_read_timeout(20);
    const std::string token(trim(*read_file(emulator.exported("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"))));
    if (headers.count("Authorization") == 0) headers.emplace("Authorization", "Bearer " + token);
    httplib::Request request;
    request.method = method;
    request.path = target;
    request.headers = std::move(headers);
    request.body = body;
    const httplib::Result result = client.send(request);
    EXPECT_TRUE(result) << httplib::to_string(result.error());
    return result ? result.value() : httplib::Response();
  }
  httplib::Response put(const std::string& name, const std::string& body, const std::string& query = "",
                        const httplib::Headers& headers = {}) {
    return ask("POST", "/upload/storage/v1/b/emulator-bucket/o?uploadType=media&name=" + name + query, body,
               headers);
  }
  httplib::Response get(const std::string& name, const std::string& query = "?alt=media",
                        const httplib::Headers& headers = {}) {
    return ask("GET", objects + "/" + name + query, "", headers);
  }
  static Json json(const httplib::Response& response) {
    const Result<Json> document = parse_json(response.body);
    return document.ok() ? *document : Json::object();
  }
  static std::string reason(const httplib::Response& response) {
    const Json document = json(response);
    const Json* errors = find_path(document, {"error", "errors"});
    return errors == nullptr || errors->empty() ? "" : string_member((*errors)[0], "reason");
  }

  RunningEmulator emulator;
  const std::string objects = "/storage/v1/b/emulator-bucket/o";
};

TEST_F(EmulatorStorage, GivesBackTheBytesThatItGot) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 31);
  const auto stored = put("a%2Fb%20c", bytes, "", {{"Content-Type", "text/x-mine"}});
  EXPECT_EQ(stored.status, 200);
  EXPECT_EQ(json(stored)["name"], "a/b c");
  const auto read = get("a%2Fb%20c", "?alt=media", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(read.body, bytes);
  EXPECT_EQ(read.get_header_value("Content-Type"), "text/x-mine");
  EXPECT_EQ(read.get_header_value("X-Goog-Generation"), json(stored)["generation"]);
  EXPECT_EQ(read.get_header_value("X-Goog-Hash", 0), "crc32c=" + json(stored)["crc32c"].get<std::string>());
  EXPECT_EQ(read.get_header_value("X-Goog-Hash", 1), "md5=" + json(stored)["md5Hash"].get<std::string>());
  EXPECT_EQ(ask("GET", "/download" + objects + "/a%2Fb%20c?alt=media").body, bytes);
  EXPECT_EQ(get("a/b%20c").status, 404) << "an unescaped slash is another path";
}

TEST_F(EmulatorStorage, TakesAFormAsTheBytesThatItIs) {
  const std::string bytes = "a=b&c=" + std::string(20'000, 'd');
  EXPECT_EQ(put("form", bytes, "", {{"Content-Type", "application/x-www-form-urlencoded"}}).status, 200);
  EXPECT_EQ(get("form").body, bytes);
}

TEST_F(EmulatorStorage, ReadsARange) {
  put("o", "0123456789");
  const auto part = get("o", "?alt=media", {{"Range", "bytes=7-99"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "789");
  EXPECT_EQ(part.get_header_value("Content-Range"), "bytes 7-9/10");
  EXPECT_EQ(get("o", "?alt=media", {{"Range", "bytes=10-"}}).status, 416);
  EXPECT_EQ(get("o", "", {{"Range", "bytes=0-0"}}).status, 200) << "metadata has no ranges";
}

TEST_F(EmulatorStorage, AnswersPreconditionsWith412And304) {
  const std::string first = json(put("o", "one", "&ifGenerationMatch=0"))["generation"];
  const auto again = put("o", "two", "&ifGenerationMatch=0");
  EXPECT_EQ(again.status, 412);
  EXPECT_EQ(reason(again), "conditionNotMet");
  EXPECT_EQ(put("o", "two", "&ifGenerationNotMatch=" + first).status, 412);
  EXPECT_EQ(put("o", "two", "&ifMetagenerationMatch=7").status, 412);
  EXPECT_EQ(put("o", "two", "&ifGenerationMatch=" + first).status, 200);
  EXPECT_EQ(get("o", "?alt=media&ifGenerationMatch=" + first).status, 412);
  EXPECT_EQ(get("o", "?alt=media&generation=" + first).status, 404);
  const std::string now = json(get("o", ""))["generation"];
  const auto same = get("o", "?alt=media&ifGenerationNotMatch=" + now);
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(ask("DELETE", objects + "/o?ifGenerationMatch=" + first).status, 412);
  EXPECT_EQ(ask("DELETE", objects + "/o?ifGenerationMatch=" + now).status, 204);
  EXPECT_EQ(ask("DELETE", objects + "/o").status, 404);
  EXPECT_EQ(reason(get("o")), "notFound");
  EXPECT_EQ(put("o", "x", "&ifGenerationMatch=minus").status, 400);
}

TEST_F(EmulatorStorage, ListsInPages) {
  for (const char* name : {"j%2F1", "j%2F2", "j%2Fs%2F1", "j%2Fs%2F2", "k"})
    EXPECT_EQ(put(name, "x").status, 200);
  std::vector<std::string> names;
  std::string token;
  do {
    const Json page = json(ask("GET", objects + "?prefix=j/&delimiter=/&maxResults=1" + token));
    for (const Json& item : page.value("items", Json::array())) names.push_back(item["name"]);
    for (const Json& prefix : page.value("prefixes", Json::array())) names.push_back(prefix);
    EXPECT_EQ(page["kind"], "storage#objects");
    const std::string next = string_member(page, "nextPageToken");
    token = next.empty() ? "" : "&pageToken=" + httplib::detail::encode_query_param(next);
  } while (!token.empty());
  EXPECT_EQ(names, (std::vector<std::string>{"j/1", "j/2", "j/s/"}));
  EXPECT_EQ(json(ask("GET", objects + "?startOffset=k"))["items"].size(), 1U);
  EXPECT_EQ(ask("GET", objects + "?pageToken=made-up").status, 400);
  EXPECT_EQ(ask("GET", objects + "?maxresults=1").status, 400) << "a parameter that does not exist";
  EXPECT_EQ(ask("GET", "/storage/v1/b/none/o").status, 404);
}

TEST_F(EmulatorStorage, TakesAnUploadInPieces) {
  const std::string chunk(std::size_t{256} << 10, 'a');
  const auto begun =
      ask("POST", "/upload/storage/v1/b/emulator-bucket/o?uploadType=resumable&ifGenerationMatch=0",
          R"({"name":"big","metadata":{"k":"v"}})",
          {{"Content-Type", "application/json"}, {"X-Upload-Content-Type", "text/plain"}});
  ASSERT_EQ(begun.status, 200);
  const std::string url = begun.get_header_value("Location");
  const std::string base = emulator.exported("STORAGE_EMULATOR_HOST");
  ASSERT_EQ(url.substr(0, base.size()), base);
  const std::string target = url.substr(base.size());
  EXPECT_EQ(ask("PUT", target, "", {{"Content-Range", "bytes */*"}}).status, 308);
  const auto first =
      ask("PUT", target, chunk, {{"Content-Range", fmt::format("bytes 0-{}/*", chunk.size() - 1)}});
  EXPECT_EQ(first.status, 308);
  EXPECT_EQ(first.get_header_value("Range"), fmt::format("bytes=0-{}", chunk.size() - 1));
  EXPECT_EQ(get("big").status, 404) << "nothing is seen before all of it is there";
  const auto last = ask("PUT", target, "end",
                        {{"Content-Range", fmt::format("bytes {0}-{1}/{2}", chunk.size(), chunk.size() + 2,
                                                       chunk.size() + 3)}});
  EXPECT_EQ(last.status, 200);
  EXPECT_EQ(get("big").body, chunk + "end");
  EXPECT_EQ(json(last)["metadata"]["k"], "v");
  EXPECT_EQ(json(last)["contentType"], "text/plain");
  EXPECT_EQ(json(ask("PUT", target, "", {{"Content-Range", "bytes */*"}}))["generation"],
            json(last)["generation"]);
  EXPECT_EQ(ask("PUT", "/upload/storage/v1/b/emulator-bucket/o?upload_id=made-up", "x").status, 404);
  EXPECT_EQ(
      ask("POST", "/upload/storage/v1/b/emulator-bucket/o?uploadType=resumable&name=big&ifGenerationMatch=0")
          .status,
      412);
}

TEST_F(EmulatorStorage, RefusesBytesThatAreNotWhatTheirDigestSays) {
  const auto multipart = [&](const std::string& md5) {
    return ask(
        "POST", "/upload/storage/v1/b/emulator-bucket/o?uploadType=multipart",
        fmt::format("--b\r\n\r\n{{\"name\":\"o\",\"md5Hash\":\"{}\"}}\r\n--b\r\n\r\nhello\n\r\n--b--", md5),
        {{"Content-Type", "multipart/related; boundary=b"}});
  };
  EXPECT_EQ(multipart("AAAAAAAAAAAAAAAAAAAAAA==").status, 400);
  EXPECT_EQ(get("o").status, 404);
  EXPECT_EQ(multipart("sZRqySSS0jR8YjW00mERhA==").status, 200);
  EXPECT_EQ(get("o").body, "hello\n");
}

TEST_F(EmulatorStorage, CopiesMakesBucketsAndDeletesThem) {
  put("o", "x");
  EXPECT_EQ(ask("POST", "/storage/v1/b?project=emulator-project", R"({"name":"mine"})").status, 200);
  EXPECT_EQ(ask("POST", "/storage/v1/b?project=emulator-project", R"({"name":"mine"})").status, 409);
  EXPECT_EQ(ask("POST", "/storage/v1/b?project=other", R"({"name":"theirs"})").status, 403);
  EXPECT_EQ(ask("POST", objects + "/o/copyTo/b/mine/o/a%2Fb").status, 200);
  EXPECT_EQ(json(ask("POST", objects + "/o/rewriteTo/b/mine/o/c"))["done"], true);
  EXPECT_EQ(ask("GET", "/storage/v1/b/mine/o/a%2Fb?alt=media").body, "x");
  EXPECT_EQ(ask("DELETE", "/storage/v1/b/mine").status, 409);
  ask("DELETE", "/storage/v1/b/mine/o/a%2Fb");
  ask("DELETE", "/storage/v1/b/mine/o/c");
  EXPECT_EQ(ask("DELETE", "/storage/v1/b/mine").status, 204);
  EXPECT_EQ(ask("GET", "/storage/v1/b/mine").status, 404);
}

TEST_F(EmulatorStorage, WantsTheTokenAndALoopbackName) {
  EXPECT_EQ(get("o", "", {{"Authorization", "Bearer wrong"}}).status, 401);
  EXPECT_EQ(reason(get("o", "", {{"Authorization", "Bearer wrong"}})), "authError");
  EXPECT_EQ(get("o", "", {{"Host", "evil.example"}}).status, 421);
  EXPECT_EQ(get("o", "", {{"Host", "localhost:1"}}).status, 404) << "any loopback name will do";
}

TEST_F(EmulatorStorage, MeetsFaultsInItsOwnWords) {
  Fault fault;
  fault.method = "GET";
  fault.path = "/storage/v1/b/emulator-bucket/o/*";
  fault.status = 429;
  ASSERT_TRUE(add_fault(emulator.options.state_dir, fault).ok());
  put("o", "x");
  const auto refused = get("o");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(reason(refused), "rateLimitExceeded");
  EXPECT_EQ(get("o").status, 200);
}

TEST_F(EmulatorStorage, LogsNoBytesOfObjects) {
  put("o", "some secret bytes");
  const std::string log = *request_log(emulator.options.state_dir);
  EXPECT_EQ(log.find("secret"), std::string::npos);
  EXPECT_NE(log.find("\"bodyBytes\":17"), std::string::npos);
}

}  // namespace
}  // namespace slipway::emulator
