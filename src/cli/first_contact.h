#pragma once

#include "cli/host_key_book.h"
#include "cli/services.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::cli {

/// Logs in to one worker and out again: so that its host key is known before ssh is called, and a key that it
/// was told of a moment ago has arrived. What was learned is in `book`, which knows the worker at position 0.
/// Errors: kDenied (host key, login), kUnavailable, kInterrupted.
Result<void> first_contact(const fleet::Target& worker, const fleet::FanOutOptions& options,
                           HostKeyBook& book, Services& services);

}  // namespace slipway::cli
