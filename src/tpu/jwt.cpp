#include "tpu/jwt.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <memory>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::tpu {
namespace {

struct FreeOpenSsl {
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, FreeOpenSsl>;

/// Never asks: a key that wants a passphrase is not ours to use.
int no_passphrase(char*, int, int, void*) { return -1; }

Error unusable_key() {
  std::array<char, 160> text{};
  ERR_error_string_n(ERR_get_error(), text.data(), text.size());
  ERR_clear_error();
  return Error(ErrorCode::kDenied, "the service account's private key cannot be used").why(text.data());
}

Result<Owned<EVP_PKEY>> parse_key(const Secret& pem) {
  const Owned<BIO> source(BIO_new_mem_buf(pem.reveal().data(), static_cast<int>(pem.reveal().size())));
  Owned<EVP_PKEY> key(PEM_read_bio_PrivateKey(source.get(), nullptr, no_passphrase, nullptr));
  if (key == nullptr) return unusable_key();
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) {
    return Error(ErrorCode::kDenied, "the service account's private key cannot be used")
        .why("it is no RSA key");
  }
  return key;
}

Result<std::string> sign(const Secret& pem, std::string_view text) {
  TRY(const Owned<EVP_PKEY> key, parse_key(pem));
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1) {
    return unusable_key();
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                     text.size()) != 1) {
    return unusable_key();
  }
  signature.resize(size);
  return signature;
}

}  // namespace

Result<Secret> sign_jwt(const Json& claims, const std::string& key_id, const Secret& private_key_pem) {
  Json header = {{"alg", "RS256"}, {"typ", "JWT"}};
  if (!key_id.empty()) header["kid"] = key_id;
  const std::string signed_part =
      base64url_encode(dump_json(header)) + '.' + base64url_encode(dump_json(claims));
  TRY(const std::string signature, sign(private_key_pem, signed_part));
  return Secret(signed_part + '.' + base64url_encode(signature));
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest.at(i));
  return hex;
}

}  // namespace slipway::tpu
