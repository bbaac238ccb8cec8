#pragma once

#include <string>

#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// A service account's key: a signed assertion is exchanged (RFC 7523). The audience is always Google's token
/// endpoint, wherever the assertion is sent. An assertion that is refused because this machine's clock is
/// wrong is signed again, dated by the server's.
OwnedExchange service_account_exchange(const Json& file, std::string token_uri, const TokenClient& client);

/// The same key without an exchange: the signed token is itself the bearer (google.aip.dev/auth/4111).
OwnedExchange self_signed_exchange(const Json& file, Clock& clock);

}  // namespace slipway::tpu
