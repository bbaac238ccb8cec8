#include "ssh/key_cipher.h"

#include <openssl/crypto.h>

#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/bcrypt_pbkdf.h"
#include "ssh/evp.h"

namespace slipway::ssh {
namespace {

using CipherContext = COwner<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free>;

constexpr std::size_t kTagSize = 16;
/// A file that asks for more would keep us busy for longer than anybody waits: ssh-keygen makes 16.
constexpr std::uint32_t kMostRounds = 20'000;

struct Cipher {
  std::string_view name;
  const EVP_CIPHER* (*make)();
  bool authenticates = false;
};

const Cipher* find_cipher(std::string_view name) {
  static const Cipher all[] = {{"aes256-ctr", EVP_aes_256_ctr},
                               {"aes192-ctr", EVP_aes_192_ctr},
                               {"aes128-ctr", EVP_aes_128_ctr},
                               {"aes256-cbc", EVP_aes_256_cbc},
                               {"aes192-cbc", EVP_aes_192_cbc},
                               {"aes128-cbc", EVP_aes_128_cbc},
                               {"aes256-gcm@openssh.com", EVP_aes_256_gcm, true},
                               {"aes128-gcm@openssh.com", EVP_aes_128_gcm, true}};
  for (const Cipher& one : all) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

Error unknown(std::string_view what, std::string_view name) {
  return Error(ErrorCode::kUsage,
               fmt::format("the key is encrypted with a {} that slipway does not know", what))
      .why(fmt::format("'{}'; ssh-keygen -p writes it anew with one that it does", printable(name)));
}

}  // namespace

Result<std::string> decrypt(const KeyCipher& how, std::string_view passphrase, std::string_view section,
                            std::string_view tag) {
  const Cipher* cipher = find_cipher(how.cipher);
  if (cipher == nullptr) return unknown("cipher", how.cipher);
  if (how.derivation != "bcrypt") return unknown("key derivation", how.derivation);
  if (how.salt.empty() || how.rounds == 0 || how.rounds > kMostRounds)
    return Error(ErrorCode::kUsage, "the key is damaged").why("its key derivation makes no sense");
  const Error wrong(ErrorCode::kDenied, "the passphrase is wrong");
  if (passphrase.empty()) return wrong;

  const EVP_CIPHER* evp = cipher->make();
  const auto key_size = static_cast<std::size_t>(EVP_CIPHER_get_key_length(evp));
  const auto iv_size = static_cast<std::size_t>(EVP_CIPHER_get_iv_length(evp));
  std::string secret = bcrypt_pbkdf(passphrase, how.salt, how.rounds, key_size + iv_size);
  const CipherContext context(EVP_CIPHER_CTX_new());
  std::string clear(section.size() + static_cast<std::size_t>(EVP_MAX_BLOCK_LENGTH), '\0');
  auto* out = reinterpret_cast<unsigned char*>(clear.data());
  int size = 0, last = 0;
  bool good = EVP_DecryptInit_ex(context.get(), evp, nullptr, unsigned_bytes(secret),
                                 unsigned_bytes(secret) + key_size) == 1 &&
              EVP_CIPHER_CTX_set_padding(context.get(), 0) == 1;
  OPENSSL_cleanse(secret.data(), secret.size());
  if (good && cipher->authenticates) {
    std::string expected(tag);
    good = tag.size() == kTagSize && EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG,
                                                         static_cast<int>(kTagSize), expected.data()) == 1;
  }
  good = good &&
         EVP_DecryptUpdate(context.get(), out, &size, unsigned_bytes(section),
                           static_cast<int>(section.size())) == 1 &&
         EVP_DecryptFinal_ex(context.get(), out + size, &last) == 1;
  if (!good) return wrong;
  clear.resize(static_cast<std::size_t>(size + last));
  return clear;
}

}  // namespace slipway::ssh
