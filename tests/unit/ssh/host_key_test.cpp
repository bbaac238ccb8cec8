#include "slipway/ssh/host_key.h"

#include <gtest/gtest.h>

#include "slipway/core/text.h"
#include "ssh/algorithms.h"
#include "ssh/wire.h"

namespace slipway::test {
namespace {

// ssh-keygen -l of this key: 256 SHA256:2GNnvAsVbM48ei/HbfJ9gKNCcM04jTvZ4L2yNb6dSCc
const char* const kEd25519 = "AAAAC3NzaC1lZDI1NTE5AAAAIBnsjsKf7WSuiPvO9PNkKdGZvpPGVQYDvfjPC0nDsKrs";

std::string ed25519_blob(char fill) {
  return ssh::wire_string("ssh-ed25519") + ssh::wire_string(std::string(32, fill));
}
std::string ecdsa_blob(const std::string& curve, std::size_t point) {
  return ssh::wire_string("ecdsa-sha2-" + curve) + ssh::wire_string(curve) +
         ssh::wire_string(std::string(point, '\4'));
}
std::string rsa_blob(std::size_t modulus) {
  return ssh::wire_string("ssh-rsa") + ssh::wire_mpint("\1\0\1") +
         ssh::wire_string(std::string(modulus, 'n'));
}

TEST(HostKey, PinsAreThePublishedKeysThatAreWhole) {
  const auto pins = ssh::to_pins({{"ssh-ed25519", std::string(kEd25519) + "\n"},
                                  {"ssh-rsa", base64_encode(rsa_blob(256))},
                                  {"ecdsa-sha2-nistp256", base64_encode(ecdsa_blob("nistp256", 65))}});
  ASSERT_EQ(pins.size(), 3U);
  EXPECT_EQ(pins[0].type, "ssh-ed25519");
  EXPECT_EQ(pins[2].type, "ecdsa-sha2-nistp256");
}

TEST(HostKey, ABadPublishedKeyIsNoPin) {
  const std::string good = ed25519_blob('k');
  EXPECT_TRUE(ssh::to_pins({{"ssh-ed25519", "not base64!"}}).empty());
  EXPECT_TRUE(ssh::to_pins({{"ssh-ed25519", ""}}).empty());
  EXPECT_TRUE(ssh::to_pins({{"ssh-rsa", base64_encode(good)}}).empty());  // says another type than it is
  EXPECT_TRUE(ssh::to_pins({{"ssh-ed25519", base64_encode(good + "x")}}).empty());
  EXPECT_TRUE(ssh::to_pins({{"ssh-ed25519", base64_encode(good.substr(0, 40))}}).empty());
  EXPECT_TRUE(ssh::to_pins({{"ssh-rsa", base64_encode(rsa_blob(64))}}).empty());  // 512 bits
  EXPECT_TRUE(ssh::to_pins({{"ecdsa-sha2-nistp256", base64_encode(ecdsa_blob("nistp256", 97))}}).empty());
  EXPECT_TRUE(ssh::to_pins({{"ssh-dss", base64_encode(ssh::wire_string("ssh-dss"))}}).empty());
}

TEST(HostKey, TheSameKeyTwiceIsOnePin) {
  const std::string key = base64_encode(ed25519_blob('k'));
  EXPECT_EQ(ssh::to_pins({{"ssh-ed25519", key}, {"ssh-ed25519", key}}).size(), 1U);
}

TEST(HostKey, OnlyPinnedTypesAreAskedForAndNeverWithSha1) {
  const ssh::HostKeyPins pins = {{"ssh-rsa", "1"}, {"ssh-rsa", "2"}, {"ssh-ed25519", "3"}};
  EXPECT_EQ(ssh::host_key_algorithms(pins), "rsa-sha2-512,rsa-sha2-256,ssh-ed25519");
}

}  // namespace
}  // namespace slipway::test
