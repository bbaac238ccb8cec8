#pragma once

#include <openssl/bn.h>
#include <openssl/evp.h>

#include <string_view>

#include "ssh/c_owner.h"

namespace slipway::ssh {

using EvpKey = COwner<EVP_PKEY, EVP_PKEY_free>;
using EvpKeyContext = COwner<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using EvpDigest = COwner<EVP_MD_CTX, EVP_MD_CTX_free>;
using BigNumber = COwner<BIGNUM, BN_clear_free>;
using BigNumberContext = COwner<BN_CTX, BN_CTX_free>;

/// OpenSSL takes unsigned bytes where the rest of the world has char.
inline const unsigned char* unsigned_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace slipway::ssh
