#include "emulator/faults.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

Fault with_status(int status) {
  Fault fault;
  fault.status = status;
  return fault;
}

std::string added(Faults& faults, const Fault& fault) {
  const auto outcome = faults.add(fault);
  EXPECT_TRUE(std::holds_alternative<std::string>(outcome));
  return std::holds_alternative<std::string>(outcome) ? std::get<std::string>(outcome) : "";
}

TEST(Faults, AFaultIsMetAsOftenAsItWasToldTo) {
  Faults faults;
  Fault fault = with_status(503);
  fault.times = 2;
  EXPECT_EQ(added(faults, fault), "f1");
  EXPECT_TRUE(faults.meet("GET", "/v2/x"));
  EXPECT_TRUE(faults.meet("POST", "/v2/y"));
  EXPECT_FALSE(faults.meet("GET", "/v2/x"));
  EXPECT_EQ(faults.list().front().hits, 2) << "it is still listed";
}

TEST(Faults, NoughtTimesIsAlways) {
  Faults faults;
  Fault fault = with_status(503);
  fault.times = 0;
  added(faults, fault);
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(faults.meet("GET", "/"));
}

TEST(Faults, TheFirstOnesCanGoWell) {
  Faults faults;
  Fault fault = with_status(503);
  fault.skip = 2;
  added(faults, fault);
  EXPECT_FALSE(faults.meet("GET", "/"));
  EXPECT_FALSE(faults.meet("GET", "/"));
  EXPECT_TRUE(faults.meet("GET", "/"));
  EXPECT_FALSE(faults.meet("GET", "/"));
}

TEST(Faults, MethodAndPathSelectRequests) {
  Faults faults;
  Fault part = with_status(500);
  part.method = "POST";
  part.path = "queuedResources";
  part.times = 0;
  added(faults, part);
  Fault pattern = with_status(501);
  pattern.path = "*/operations/*";
  pattern.times = 0;
  added(faults, pattern);
  EXPECT_EQ(faults.meet("POST", "/v2/projects/p/locations/z/queuedResources")->status, 500);
  EXPECT_FALSE(faults.meet("GET", "/v2/projects/p/locations/z/queuedResources"));
  EXPECT_EQ(faults.meet("GET", "/v2/projects/p/locations/z/operations/o-1")->status, 501);
  EXPECT_FALSE(faults.meet("GET", "/v2/projects/p/locations/z/operations"));
}

TEST(Faults, TheFirstThatMatchesIsMetAndThenTheNext) {
  Faults faults;
  added(faults, with_status(500));
  added(faults, with_status(503));
  EXPECT_EQ(faults.meet("GET", "/")->status, 500);
  EXPECT_EQ(faults.meet("GET", "/")->status, 503);
}

TEST(Faults, OneOrAllAreTakenBack) {
  Faults faults;
  added(faults, with_status(500));
  added(faults, with_status(503));
  EXPECT_FALSE(faults.clear("f9"));
  EXPECT_TRUE(faults.clear("f1"));
  EXPECT_EQ(faults.list().size(), 1U);
  EXPECT_TRUE(faults.clear(""));
  EXPECT_TRUE(faults.list().empty());
  EXPECT_EQ(added(faults, with_status(500)), "f3") << "an id is never used again";
}

TEST(Faults, OnesThatMeanNothingAreRefused) {
  std::vector<Fault> wrong(6);
  wrong[1] = with_status(503);
  wrong[1].cut = Fault::Cut::kAfter;
  wrong[2] = with_status(99);
  wrong[3].body = "x";
  wrong[3].delay = std::chrono::seconds(1);
  wrong[4] = with_status(503);
  wrong[4].times = -1;
  wrong[5].delay = std::chrono::hours(2);
  Faults faults;
  for (const Fault& fault : wrong) {
    EXPECT_TRUE(std::holds_alternative<ApiError>(faults.add(fault))) << dump_json(to_json(fault));
  }
}

TEST(Faults, WithoutABodyTheAnswerIsAnErrorAsTheApiWordsItOrNothing) {
  EXPECT_EQ(answer_of(with_status(200)).body, Json::object());
  EXPECT_EQ(answer_of(with_status(503)).body["error"]["status"], "UNAVAILABLE");
}

TEST(Faults, TravelsAsJsonWithoutLoss) {
  Fault fault = with_status(429);
  fault.method = "POST";
  fault.path = "*/x";
  fault.skip = 3;
  fault.times = 0;
  fault.delay = std::chrono::milliseconds(1'500);
  fault.carry_out = true;
  fault.body = "<html>";
  fault.headers = {{"Retry-After", "2"}, {"Content-Type", "text/html"}};
  const Fault back = fault_from(to_json(fault));
  EXPECT_EQ(to_json(back), to_json(fault));
  EXPECT_EQ(back.headers, fault.headers);
  fault.status = 0;
  fault.cut = Fault::Cut::kBefore;
  EXPECT_EQ(fault_from(to_json(fault)).cut, Fault::Cut::kBefore);
  fault.cut = Fault::Cut::kAfter;
  EXPECT_EQ(fault_from(to_json(fault)).cut, Fault::Cut::kAfter);
}

}  // namespace
}  // namespace slipway::emulator
