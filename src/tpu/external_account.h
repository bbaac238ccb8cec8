#pragma once

#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// A workload or workforce identity from elsewhere: its proof is exchanged for a token by Google's Security
/// Token Service (RFC 8693), and with a service_account_impersonation_url that one for the service account's.
/// Errors (kDenied): the file cannot be used, with the reason.
Result<OwnedExchange> external_account_exchange(const Json& file, const TokenClient& client);

}  // namespace slipway::tpu
