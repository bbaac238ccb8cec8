#include "ssh/kex_offer.h"

#include <algorithm>

#include "slipway/core/text.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

constexpr std::uint8_t kKexInit = 20;
constexpr std::size_t kCookieBytes = 16;

/// What follows the line that begins with "SSH-"; lines before it are allowed (RFC 4253 section 4.2).
std::optional<std::string_view> after_banner(std::string_view bytes) {
  while (true) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const bool is_banner = bytes.substr(0, 4) == "SSH-";
    bytes.remove_prefix(end + 1);
    if (is_banner) return bytes;
  }
}

}  // namespace

std::optional<KexOffer> read_kex_offer(std::string_view first_bytes) {
  const auto packets = after_banner(first_bytes);
  if (!packets) return std::nullopt;
  WireReader framing(*packets);
  const auto packet = framing.string();  // a packet is framed like a string: its length, then its bytes
  if (!packet) return std::nullopt;
  WireReader reader(*packet);
  reader.byte();  // the length of the padding
  if (reader.byte() != kKexInit || !reader.raw(kCookieBytes)) return std::nullopt;
  const auto key_exchanges = reader.string(), host_keys = reader.string(), ciphers = reader.string();
  reader.string();  // the ciphers of the other direction
  const auto macs = reader.string();
  if (!macs) return std::nullopt;
  return KexOffer{std::string(*key_exchanges), std::string(*host_keys), std::string(*ciphers),
                  std::string(*macs)};
}

bool have_common_name(std::string_view one, std::string_view other) {
  const auto names = split(other, ',');
  const auto mine = split(one, ',');
  return std::any_of(mine.begin(), mine.end(), [&](const std::string& name) {
    return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
  });
}

}  // namespace slipway::ssh
