#include "slipway/storage/location.h"

#include <algorithm>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::storage {
namespace {

constexpr std::string_view kScheme = "gs://";
constexpr std::size_t kLongestPrefix =
    900;  // of the 1,024 bytes of a name: the rest is for what stands below

// https://cloud.google.com/storage/docs/buckets#naming
bool is_bucket_name(std::string_view name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return name.size() >= 3 && name.size() <= 222 && is_plain(name.front()) && is_plain(name.back()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_plain(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_prefix(std::string_view prefix) {
  const auto is_unfit = [](char c) {
    return static_cast<unsigned char>(c) < 32 || c == 127 || c == '"' || c == '\\';
  };
  if (prefix.size() > kLongestPrefix || std::any_of(prefix.begin(), prefix.end(), is_unfit)) return false;
  const std::vector<std::string> parts = split(prefix, '/');
  return std::none_of(parts.begin(), parts.end(),
                      [](const std::string& part) { return part.empty() || part == "." || part == ".."; });
}

}  // namespace

std::string Location::object(std::string_view relative) const {
  if (prefix.empty()) return std::string(relative);
  if (relative.empty()) return prefix;
  return prefix + "/" + std::string(relative);
}

std::string Location::uri() const {
  return std::string(kScheme) + bucket + (prefix.empty() ? "" : "/" + prefix);
}

Result<Location> parse_location(std::string_view uri, std::string_view flag) {
  const std::string from = flag.empty() ? "" : fmt::format("{}: ", flag);
  const Error wrong =
      Error(ErrorCode::kUsage, fmt::format("{}'{}' is no place in Cloud Storage", from, printable(uri)))
          .why("it is written gs://BUCKET/PREFIX");
  if (uri.substr(0, kScheme.size()) != kScheme) return wrong;
  const std::string_view rest = uri.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  Location location;
  location.bucket = std::string(rest.substr(0, slash));
  if (slash != std::string_view::npos) location.prefix = std::string(rest.substr(slash + 1));
  if (!location.prefix.empty() && location.prefix.back() == '/') location.prefix.pop_back();
  if (!is_bucket_name(location.bucket)) return wrong;
  if (!location.prefix.empty() && !is_prefix(location.prefix)) return wrong;
  return location;
}

}  // namespace slipway::storage
