#pragma once

#include <string>
#include <string_view>

#include "slipway/core/result.h"
#include "ssh/evp.h"

namespace slipway::ssh {

/// The bytes of a private key file. As ssh does, a key that is ours and that others may read is refused;
/// somebody else's file is not ours to judge. Errors (kUsage).
Result<std::string> read_key_file(const std::string& path);

/// The key in `text`, in whatever form; `passphrase` is empty for none. Errors: kDenied where the passphrase
/// does not open it, kUsage for what is no key.
Result<EvpKey> parse_key(std::string_view text, const std::string& passphrase);

/// Writes a file that must not be there yet. Errors: kLocal.
Result<void> write_new_file(const std::string& path, std::string_view content, unsigned mode);

}  // namespace slipway::ssh
