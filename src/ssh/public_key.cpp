#include "ssh/public_key.h"

#include <openssl/core_names.h>

#include <array>

#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

constexpr std::array<Curve, 3> kCurves{{
    {"ecdsa-sha2-nistp256", "nistp256", "prime256v1", 32, "SHA256"},
    {"ecdsa-sha2-nistp384", "nistp384", "secp384r1", 48, "SHA384"},
    {"ecdsa-sha2-nistp521", "nistp521", "secp521r1", 66, "SHA512"},
}};
constexpr std::size_t kEd25519Bytes = 32;

std::string text_parameter(const EVP_PKEY& key, const char* name) {
  std::array<char, 64> text{};
  std::size_t size = 0;
  if (EVP_PKEY_get_utf8_string_param(&key, name, text.data(), text.size(), &size) != 1) return {};
  return std::string(text.data(), size);
}

std::string number_parameter(const EVP_PKEY& key, const char* name) {
  BIGNUM* raw = nullptr;
  if (EVP_PKEY_get_bn_param(&key, name, &raw) != 1) return {};
  const BigNumber number(raw);
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number.get())), '\0');
  BN_bn2bin(number.get(), reinterpret_cast<unsigned char*>(bytes.data()));
  return bytes;
}

/// The uncompressed point, whatever form the file had.
std::string point(const EVP_PKEY& key, const Curve& curve) {
  const auto coordinate = [&](const char* name) {
    const std::string bytes = number_parameter(key, name);
    return std::string(curve.bytes - std::min(curve.bytes, bytes.size()), '\0') + bytes;
  };
  return '\4' + coordinate(OSSL_PKEY_PARAM_EC_PUB_X) + coordinate(OSSL_PKEY_PARAM_EC_PUB_Y);
}

std::string ed25519_public(const EVP_PKEY& key) {
  std::string bytes(kEd25519Bytes, '\0');
  std::size_t size = bytes.size();
  EVP_PKEY_get_raw_public_key(&key, reinterpret_cast<unsigned char*>(bytes.data()), &size);
  return bytes;
}

bool rest_is_whole(std::string_view type, WireReader rest) {
  const auto first = rest.string();
  if (!first) return false;
  if (type == "ssh-ed25519") return first->size() == kEd25519Bytes && rest.at_end();
  const auto second = rest.string();
  if (!second || !rest.at_end()) return false;
  if (type == "ssh-rsa") return !first->empty() && second->size() >= 128;  // at least 1,024 bits
  const Curve* curve = curve_of_type(type);
  return curve != nullptr && *first == curve->name && second->size() == 2 * curve->bytes + 1;
}

}  // namespace

const Curve* curve_of_type(std::string_view type) {
  for (const Curve& curve : kCurves) {
    if (curve.type == type) return &curve;
  }
  return nullptr;
}

std::string key_type(const EVP_PKEY& key) {
  switch (EVP_PKEY_get_base_id(&key)) {
    case EVP_PKEY_ED25519:
      return "ssh-ed25519";
    case EVP_PKEY_RSA:
      return "ssh-rsa";
    case EVP_PKEY_EC:
      break;
    default:
      return {};
  }
  const std::string group = text_parameter(key, OSSL_PKEY_PARAM_GROUP_NAME);
  for (const Curve& curve : kCurves) {
    if (curve.openssl == group) return std::string(curve.type);
  }
  return {};
}

std::string public_key_blob(const EVP_PKEY& key) {
  const std::string type = key_type(key);
  const std::string start = wire_string(type);
  if (type == "ssh-ed25519") return start + wire_string(ed25519_public(key));
  if (type == "ssh-rsa") {
    return start + wire_mpint(number_parameter(key, OSSL_PKEY_PARAM_RSA_E)) +
           wire_mpint(number_parameter(key, OSSL_PKEY_PARAM_RSA_N));
  }
  const Curve* curve = curve_of_type(type);
  if (curve == nullptr) return {};
  return start + wire_string(curve->name) + wire_string(point(key, *curve));
}

std::optional<std::string> type_of_public_blob(std::string_view blob) {
  WireReader reader(blob);
  const auto type = reader.string();
  if (!type || !rest_is_whole(*type, reader)) return std::nullopt;
  return std::string(*type);
}

}  // namespace slipway::ssh
