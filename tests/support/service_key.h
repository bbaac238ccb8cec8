#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <string>
#include <vector>

#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::test {

/// An RSA key as a service account has one.
class ServiceKey {
 public:
  ServiceKey() : key_(EVP_RSA_gen(2048), &EVP_PKEY_free) {}

  std::string pem() const {
    const std::unique_ptr<BIO, decltype(&BIO_free_all)> out(BIO_new(BIO_s_mem()), &BIO_free_all);
    PEM_write_bio_PrivateKey(out.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* data = nullptr;
    const long size = BIO_get_mem_data(out.get(), &data);
    return std::string(data, static_cast<std::size_t>(size));
  }

  bool has_signed(const std::string& text, const std::string& signature) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                            signature.size(), reinterpret_cast<const unsigned char*>(text.data()),
                            text.size()) == 1;
  }

 private:
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

/// A JSON Web Token taken apart.
struct OpenedJwt {
  Json header;
  Json claims;
  bool is_signed = false;
};

inline std::string from_base64url(std::string text) {
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  return base64_decode(text).value_or("");
}

inline OpenedJwt open_jwt(const std::string& jwt, const ServiceKey& key) {
  const std::vector<std::string> parts = split(jwt, '.');
  if (parts.size() != 3) return {};
  const Result<Json> header = parse_json(from_base64url(parts[0]));
  const Result<Json> claims = parse_json(from_base64url(parts[1]));
  if (!header.ok() || !claims.ok()) return {};
  return {*header, *claims, key.has_signed(parts[0] + "." + parts[1], from_base64url(parts[2]))};
}

/// The fields of a form as a server reads them.
inline Json parse_form(const std::string& body) {
  Json fields = Json::object();
  for (const std::string& pair : split(body, '&')) {
    const std::size_t equals = pair.find('=');
    std::string value;
    for (std::size_t i = equals + 1; i < pair.size(); ++i) {
      if (pair[i] == '%') {
        value += static_cast<char>(std::stoi(pair.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        value += pair[i] == '+' ? ' ' : pair[i];
      }
    }
    fields[pair.substr(0, equals)] = value;
  }
  return fields;
}

}  // namespace slipway::test
