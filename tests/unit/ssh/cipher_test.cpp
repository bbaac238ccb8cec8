// Every cipher and check sum that is offered carries every size of packet in both directions, byte for byte.
#include <gtest/gtest.h>

#include "unit/ssh/session_test.h"

namespace slipway::test {
namespace {

struct Agreed {
  const char* name;
  const char* ciphers;
  const char* macs;
};
void PrintTo(const Agreed& agreed, std::ostream* out) { *out << agreed.name; }

class CipherTest : public SessionTest, public ::testing::WithParamInterface<Agreed> {
 protected:
  static std::string bytes(std::size_t size) {
    std::string text(size, '\0');
    std::uint32_t state = 1;
    for (char& byte : text) {
      state = state * 1'664'525 + 1'013'904'223;
      byte = static_cast<char>(state >> 24U);
    }
    return text;
  }
};

TEST_P(CipherTest, CarriesEverySizeBothWays) {
  Sshd::Options only;
  only.config = {std::string("Ciphers ") + GetParam().ciphers, std::string("MACs ") + GetParam().macs};
  const Sshd server(only);
  for (const std::size_t size :
       {0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 80, 1'000, 32'768, 500'001}) {
    SCOPED_TRACE("seed 1, " + std::to_string(size) + " bytes");
    const std::string input = bytes(size);
    ssh::RemoteCommand command;
    command.text = "cat; exit 7";
    command.input = input;
    const auto wire = ssh::to_wire(command);
    SessionDriver driver(socket(server), options(server));
    driver.session().release(std::make_shared<const std::string>(wire.exec_line), wire.input,
                             wire.shared_input);
    ASSERT_TRUE(driver.until_over());
    EXPECT_EQ(end_of(driver), "exit 7");
    EXPECT_EQ(driver.out.size(), size);
    EXPECT_TRUE(driver.out == input);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Offered, CipherTest,
    ::testing::Values(Agreed{"Gcm128", "aes128-gcm@openssh.com", "hmac-sha2-256"},
                      Agreed{"Gcm256", "aes256-gcm@openssh.com", "hmac-sha2-256"},
                      Agreed{"Ctr128", "aes128-ctr", "hmac-sha2-256"},
                      Agreed{"Ctr256EncryptThenMac", "aes256-ctr", "hmac-sha2-256-etm@openssh.com"},
                      Agreed{"Ctr128Sha512EncryptThenMac", "aes128-ctr", "hmac-sha2-512-etm@openssh.com"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace slipway::test
