#include "ssh/ecdsa_signature.h"

#include <openssl/ecdsa.h>

#include "ssh/evp.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

std::string mpint(const BIGNUM* number) {
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data()));
  return wire_mpint(bytes);
}

}  // namespace

std::string ecdsa_signature_from_der(std::string_view der) {
  const unsigned char* at = unsigned_bytes(der);
  const COwner<ECDSA_SIG, ECDSA_SIG_free> signature(
      d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (!signature) return {};
  return mpint(ECDSA_SIG_get0_r(signature.get())) + mpint(ECDSA_SIG_get0_s(signature.get()));
}

}  // namespace slipway::ssh
