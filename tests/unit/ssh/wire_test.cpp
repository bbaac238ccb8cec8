#include "ssh/wire.h"

#include <gtest/gtest.h>

#include "ssh/kex_offer.h"

namespace slipway::test {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Wire, NumbersAreAsRfc4251HasThem) {
  EXPECT_EQ(ssh::wire_uint32(699921578), "\x29\xb7\xf4\xaa"s);
  EXPECT_EQ(ssh::wire_mpint(""), "\0\0\0\0"s);
  EXPECT_EQ(ssh::wire_mpint("\0\0"s), "\0\0\0\0"s);
  EXPECT_EQ(ssh::wire_mpint("\x09\xa3\x78"s), "\0\0\0\x03\x09\xa3\x78"s);
  EXPECT_EQ(ssh::wire_mpint("\x80"s), "\0\0\0\x02\0\x80"s);
}

TEST(Wire, ReadingPastTheEndIsEmptyAndStaysSo) {
  ssh::WireReader reader("\0\0\0\5abc"sv);
  EXPECT_FALSE(reader.string());
  EXPECT_FALSE(reader.byte());
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(ssh::WireReader("\xff\xff\xff\xff"sv).string());
}

std::string kex_packet(const std::string& host_keys) {
  const std::string payload = "\x14"s + std::string(16, 'c') + ssh::wire_string("curve25519-sha256") +
                              ssh::wire_string(host_keys) + ssh::wire_string("aes128-ctr") +
                              ssh::wire_string("aes256-ctr") + ssh::wire_string("hmac-sha2-256") +
                              ssh::wire_string("hmac-sha2-512");
  return ssh::wire_string("\4"s + payload + "pad!");
}

TEST(KexOffer, IsReadFromBehindTheBannerAndWhatStandsBeforeIt) {
  const auto offer =
      ssh::read_kex_offer("welcome\r\nSSH-2.0-OpenSSH_9.2\r\n" + kex_packet("ssh-ed25519,rsa-sha2-512"));
  ASSERT_TRUE(offer);
  EXPECT_EQ(offer->host_keys, "ssh-ed25519,rsa-sha2-512");
  EXPECT_EQ(offer->ciphers, "aes128-ctr");
  EXPECT_EQ(offer->macs, "hmac-sha2-256");
}

TEST(KexOffer, IsNothingWhileItIsNotWhole) {
  const std::string whole = "SSH-2.0-x\r\n" + kex_packet("ssh-ed25519");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ssh::read_kex_offer(whole.substr(0, size)));
  EXPECT_FALSE(ssh::read_kex_offer("SSH-2.0-x\r\n" + ssh::wire_string("\4\x15 something else")));
}

TEST(KexOffer, NamesAreComparedWhole) {
  EXPECT_TRUE(ssh::have_common_name("a,b", "c,b"));
  EXPECT_FALSE(ssh::have_common_name("ssh-rsa", "ssh-rsa-cert"));
  EXPECT_FALSE(ssh::have_common_name("", ""));
}

}  // namespace
}  // namespace slipway::test
