#include "emulator/os_login.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

const std::string kKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh";

ApiRequest request(const std::string& method, const std::string& path, const std::string& body = "") {
  ApiRequest request;
  request.method = method;
  request.path = path;
  request.body = body;
  return request;
}

TEST(OsLogin, AnAccountHasAUserNameFromTheFirstLookOn) {
  OsLogin login;
  const Answer answer = login.handle(request("GET", "/v1/users/Dev@example.com/loginProfile"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body["posixAccounts"][0]["username"], "dev_example_com");
  EXPECT_EQ(login.version(), 0U);
}

TEST(OsLogin, AKeyIsTakenOnceAndGivenToTheMachines) {
  OsLogin login;
  for (int i = 0; i < 2; ++i) {
    const Answer answer =
        login.handle(request("POST", "/v1/users/a@b.c:importSshPublicKey", R"({"key":")" + kKey + R"("})"));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body["loginProfile"]["sshPublicKeys"].size(), 1U);
  }
  EXPECT_EQ(login.version(), 1U);
  ASSERT_EQ(login.keys().size(), 1U);
  EXPECT_EQ(login.keys()[0].user, "a_b_c");
}

TEST(OsLogin, WhatIsNoKeyOrNoMethodIsRefused) {
  OsLogin login;
  EXPECT_EQ(login.handle(request("POST", "/v1/users/a@b.c:importSshPublicKey", R"({"key":"no"})")).status,
            400);
  EXPECT_EQ(login.handle(request("POST", "/v1/users/a@b.c:importSshPublicKey", "[]")).status, 400);
  EXPECT_EQ(login.handle(request("DELETE", "/v1/users/a@b.c/loginProfile")).status, 404);
  EXPECT_EQ(login.handle(request("GET", "/v1/users/nobody/loginProfile")).status, 400);
}

}  // namespace
}  // namespace slipway::emulator
