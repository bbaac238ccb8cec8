#include "slipway/ssh/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "slipway/core/file.h"
#include "slipway/core/text.h"
#include "ssh/evp.h"
#include "ssh/openssh_key.h"
#include "ssh/public_key.h"
#include "ssh/wire.h"
#include "support/sshd.h"
#include "support/temp_folder.h"

namespace slipway::test {
namespace {

using ssh::Identity;
using ::testing::HasSubstr;

struct KeyCase {
  const char* name;
  const char* type;
  const char* bits;
  bool pem;
  const char* algorithm;
};

class IdentityOf : public ::testing::TestWithParam<KeyCase> {
 protected:
  void SetUp() override {
    if (!Sshd::installed()) GTEST_SKIP() << "no ssh-keygen is installed";
    make_key(folder_ / "key", GetParam().type, GetParam().bits, GetParam().pem);
  }
  TempFolder folder_;
};

TEST_P(IdentityOf, HasThePublicKeyThatSshKeygenWrote) {
  const auto identity = Identity::load(folder_ / "key");
  ASSERT_TRUE(identity.ok()) << identity.error().message() << ": " << identity.error().why();
  const ssh::HostKey expected = read_public_key(folder_ / "key.pub");
  EXPECT_EQ(identity->type(), expected.type);
  EXPECT_EQ(identity->public_blob(), expected.blob);
  EXPECT_THAT(read_file(folder_ / "key.pub").value(), ::testing::StartsWith(identity->public_line()));
}

/// A signature in ssh's own container (PROTOCOL.sshsig), for ssh-keygen to check: nothing of ours verifies
/// it.
std::string armoured_signature(const Identity& identity, const std::string& algorithm,
                               const std::string& message) {
  std::string digest(64, '\0');
  unsigned size = 0;
  EVP_Digest(message.data(), message.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
             EVP_sha512(), nullptr);
  const std::string common = ssh::wire_string("file") + ssh::wire_string("") + ssh::wire_string("sha512");
  const auto raw = identity.sign(algorithm, "SSHSIG" + common + ssh::wire_string(digest));
  const std::string signature = ssh::wire_string(algorithm) + ssh::wire_string(raw.ok() ? *raw : "");
  const std::string blob = "SSHSIG" + ssh::wire_uint32(1) + ssh::wire_string(identity.public_blob()) +
                           common + ssh::wire_string(signature);
  return "-----BEGIN SSH SIGNATURE-----\n" + base64_encode(blob) + "\n-----END SSH SIGNATURE-----\n";
}

TEST_P(IdentityOf, SignsWhatOpensshAccepts) {
  const auto identity = Identity::load(folder_ / "key");
  ASSERT_TRUE(identity.ok());
  std::ofstream(folder_ / "message") << "hello";
  std::ofstream(folder_ / "sig") << armoured_signature(*identity, GetParam().algorithm, "hello");
  std::ofstream(folder_ / "signers") << "me " << identity->public_line() << "\n";
  const std::string verify = "ssh-keygen -Y verify -f " + folder_ / "signers" + " -I me -n file -s " +
                             folder_ / "sig" + " < " + folder_ / "message" + " > " + folder_ / "said" +
                             " 2>&1";
  EXPECT_EQ(std::system(verify.c_str()), 0) << read_file(folder_ / "said").value();
}

TEST_P(IdentityOf, RefusesSha1AndOtherKeysAlgorithms) {
  const auto identity = Identity::load(folder_ / "key");
  ASSERT_TRUE(identity.ok());
  for (const char* other : {"ssh-rsa", "ssh-dss", "", "ecdsa-sha2-nistp999"}) {
    if (identity->type() == other && std::string(other) != "ssh-rsa") continue;
    EXPECT_FALSE(identity->sign(other, "data").ok()) << other;
  }
}

TEST_P(IdentityOf, ADamagedFileIsAnErrorAndNeverACrash) {
  const std::string text = read_file(folder_ / "key").value();
  for (std::size_t at = 0; at + 8 < text.size(); at += 1 + text.size() / 60) {
    std::string damaged = text;
    damaged[at] = damaged[at] == 'A' ? 'B' : 'A';
    if (write_file_atomically(folder_ / "damaged", damaged, 0600).ok())
      (void)Identity::load(folder_ / "damaged");
    if (write_file_atomically(folder_ / "short", text.substr(0, at), 0600).ok()) {
      EXPECT_FALSE(Identity::load(folder_ / "short").ok()) << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, IdentityOf,
                         ::testing::Values(KeyCase{"Ed25519", "ed25519", "", false, "ssh-ed25519"},
                                           KeyCase{"Rsa2048", "rsa", "2048", false, "rsa-sha2-512"},
                                           KeyCase{"Rsa2048InPem", "rsa", "2048", true, "rsa-sha2-256"},
                                           KeyCase{"Ecdsa256", "ecdsa", "256", false, "ecdsa-sha2-nistp256"},
                                           KeyCase{"Ecdsa384", "ecdsa", "384", false, "ecdsa-sha2-nistp384"},
                                           KeyCase{"Ecdsa521", "ecdsa", "521", false, "ecdsa-sha2-nistp521"},
                                           KeyCase{"Ecdsa521InPem", "ecdsa", "521", true,
                                                   "ecdsa-sha2-nistp521"}),
                         [](const auto& test) { return std::string(test.param.name); });

class IdentityFile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Sshd::installed()) GTEST_SKIP() << "no ssh-keygen is installed";
  }
  TempFolder folder_;
};

TEST_F(IdentityFile, OfAnRsaKeyHasAllCrtMembers) {
  make_key(folder_ / "key", "rsa", "2048", false);
  const auto key = ssh::parse_openssh_key(read_file(folder_ / "key").value());
  ASSERT_TRUE(key.ok());
  for (const char* member :
       {"rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1"}) {
    BIGNUM* number = nullptr;
    EXPECT_EQ(EVP_PKEY_get_bn_param(key->get(), member, &number), 1) << member;
    BN_free(number);
  }
  const ssh::EvpKeyContext context(EVP_PKEY_CTX_new(key->get(), nullptr));
  EXPECT_EQ(EVP_PKEY_check(context.get()), 1);
}

TEST_F(IdentityFile, ThatOthersMayReadIsRefusedWithTheCommandThatMendsIt) {
  make_key(folder_ / "key", "ed25519", "", false);
  ::chmod((folder_ / "key").c_str(), 0640);
  const auto identity = Identity::load(folder_ / "key");
  ASSERT_FALSE(identity.ok());
  EXPECT_EQ(identity.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(identity.error().next(), "chmod 600 " + folder_ / "key");
}

struct LockedCase {
  const char* name;
  const char* keygen;  ///< what ssh-keygen is told beside the passphrase
};

class LockedIdentity : public ::testing::TestWithParam<LockedCase> {
 protected:
  void SetUp() override {
    if (!Sshd::installed()) GTEST_SKIP() << "no ssh-keygen is installed";
    const std::string make =
        "ssh-keygen -q " + std::string(GetParam().keygen) + " -N 'open sesame' -f " + path() + " 2>/dev/null";
    if (std::system(make.c_str()) != 0) GTEST_SKIP() << "this ssh-keygen cannot make one";
  }
  std::string path() const { return folder_ / "key"; }
  TempFolder folder_;
};

TEST_P(LockedIdentity, OpensWithItsPassphraseAtTheSecondTry) {
  int asked = 0;
  const auto identity = Identity::load(path(), [&](const std::string&, bool again) -> Result<Secret> {
    EXPECT_EQ(again, asked > 0);
    return Secret(asked++ == 0 ? "wrong" : "open sesame");
  });
  ASSERT_TRUE(identity.ok()) << identity.error().message() << ": " << identity.error().why();
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(identity->public_blob(), read_public_key(path() + ".pub").blob);
}

TEST_P(LockedIdentity, IsAUsageErrorWithoutIt) {
  EXPECT_TRUE(ssh::needs_passphrase(path()));
  const auto unasked = Identity::load(path());
  ASSERT_FALSE(unasked.ok());
  EXPECT_EQ(unasked.error().code(), ErrorCode::kUsage);
  EXPECT_THAT(unasked.error().message(), HasSubstr("passphrase"));
  int asked = 0;
  const auto wrong = Identity::load(path(), [&](const std::string&, bool) -> Result<Secret> {
    ++asked;
    return Secret("wrong");
  });
  EXPECT_FALSE(wrong.ok());
  EXPECT_EQ(asked, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LockedIdentity,
    ::testing::Values(LockedCase{"Ed25519", "-t ed25519 -a 4"}, LockedCase{"Rsa", "-t rsa -b 2048 -a 4"},
                      LockedCase{"Ecdsa", "-t ecdsa -b 384 -a 4"},
                      LockedCase{"Ed25519ByCbc", "-t ed25519 -a 4 -Z aes256-cbc"},
                      LockedCase{"Ed25519ByGcm", "-t ed25519 -a 4 -Z aes256-gcm@openssh.com"},
                      LockedCase{"Ed25519ByAes128", "-t ed25519 -a 4 -Z aes128-ctr"},
                      LockedCase{"RsaInPem", "-t rsa -b 2048 -m PEM"},
                      LockedCase{"EcdsaInPem", "-t ecdsa -b 256 -m PEM"},
                      LockedCase{"RsaInPkcs8", "-t rsa -b 2048 -m PKCS8"},
                      LockedCase{"EcdsaInPkcs8", "-t ecdsa -b 521 -m PKCS8"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(IdentityFile, ThatNeedsNoPassphraseNeverAsks) {
  make_key(folder_ / "key", "ed25519", "", false);
  EXPECT_FALSE(ssh::needs_passphrase(folder_ / "key"));
  const auto identity = Identity::load(folder_ / "key", [](const std::string&, bool) -> Result<Secret> {
    ADD_FAILURE() << "asked";
    return Secret();
  });
  EXPECT_TRUE(identity.ok());
}

TEST_F(IdentityFile, ThatWeMakeIsOneThatOpensshReads) {
  const auto made = Identity::create(folder_ / "new/key", "me");
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->type(), "ssh-ed25519");
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "new/key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_EQ(::stat((folder_ / "new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  const std::string read = "ssh-keygen -y -P '' -f " + folder_ / "new/key" + " > " + folder_ / "public";
  ASSERT_EQ(std::system(read.c_str()), 0);
  EXPECT_EQ(read_public_key(folder_ / "public").blob, made->public_blob());
  EXPECT_EQ(read_public_key(folder_ / "new/key.pub").blob, made->public_blob());
}

TEST_F(IdentityFile, IsNeverWrittenOver) {
  ASSERT_TRUE(write_file_atomically(folder_ / "key", "precious", 0600).ok());
  EXPECT_EQ(Identity::create(folder_ / "key", "me").error().code(), ErrorCode::kLocal);
  EXPECT_EQ(read_file(folder_ / "key").value(), "precious");
  ASSERT_EQ(::symlink((folder_ / "elsewhere").c_str(), (folder_ / "link").c_str()), 0);
  EXPECT_FALSE(Identity::create(folder_ / "link", "me").ok());
  EXPECT_FALSE(file_exists(folder_ / "elsewhere"));
}

TEST_F(IdentityFile, HasItsPublicHalfWithoutThePassphrase) {
  const std::string make = "ssh-keygen -q -t ed25519 -a 1 -N secret -f " + folder_ / "key";
  ASSERT_EQ(std::system(make.c_str()), 0);
  const std::string blob = read_public_key(folder_ / "key.pub").blob;
  EXPECT_EQ(ssh::public_half(folder_ / "key"), blob);
  EXPECT_EQ(ssh::public_half(folder_ / "key.pub"), blob)
      << "the .pub itself, as for a key that an agent holds";
  ::unlink((folder_ / "key.pub").c_str());
  EXPECT_EQ(ssh::public_half(folder_ / "key"), blob);
  EXPECT_FALSE(ssh::public_half(folder_ / "none"));
}

TEST_F(IdentityFile, ThatIsMissingOrNoKeyIsAUsageError) {
  EXPECT_EQ(Identity::load(folder_ / "none").error().code(), ErrorCode::kUsage);
  EXPECT_EQ(Identity::load(folder_.path()).error().code(), ErrorCode::kUsage);
  for (const std::string text : {"", "hello\n", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"}) {
    ASSERT_TRUE(write_file_atomically(folder_ / "no-key", text, 0600).ok());
    const auto identity = Identity::load(folder_ / "no-key");
    ASSERT_FALSE(identity.ok());
    EXPECT_EQ(identity.error().code(), ErrorCode::kUsage);
  }
}

TEST_F(IdentityFile, OfATypeThatWeDoNotUseSaysSo) {
  const std::string make = "openssl genpkey -algorithm X25519 -out " + folder_ / "key" +
                           " 2>/dev/null && chmod 600 " + folder_ / "key";
  ASSERT_EQ(std::system(make.c_str()), 0);
  const auto identity = Identity::load(folder_ / "key");
  ASSERT_FALSE(identity.ok());
  EXPECT_THAT(identity.error().message(), HasSubstr("type"));
}

}  // namespace
}  // namespace slipway::test
