#include "emulator/storage_request.h"

#include <algorithm>
#include <charconv>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::int64_t kLargestPage = 1'000;

const std::set<std::string_view>& common_parameters() {
  static const std::set<std::string_view> all = {"alt",         "fields",    "prettyPrint",   "quotaUser",
                                                 "key",         "userIp",    "userProject",   "projection",
                                                 "uploadType",  "upload_id", "predefinedAcl", "access_token",
                                                 "oauth_token", "callback",  "$.xgafv"};
  return all;
}

template <typename Number>
bool parse_whole(std::string_view text, Number& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (failure != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

std::optional<StorageError> read_optional(const ApiRequest& request, const std::string& name,
                                          std::optional<std::int64_t>& value) {
  if (query_value(request, name).empty()) return std::nullopt;
  std::int64_t number = 0;
  if (auto error = read_number(request, name, number)) return error;
  value = number;
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> decoded_segments(const std::string& target) {
  std::vector<std::string> segments;
  for (const std::string& part : split(target.substr(0, target.find('?')), '/')) {
    const auto decoded = percent_decoded(part);
    if (!decoded) return std::nullopt;
    segments.push_back(*decoded);
  }
  return segments;
}

std::string percent_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("-_.~").find(c) != std::string_view::npos;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::optional<StorageError> check_parameters(const ApiRequest& request,
                                             const std::set<std::string_view>& own) {
  for (const auto& [name, value] : request.query) {
    if (own.count(name) == 0 && common_parameters().count(name) == 0)
      return bad_parameter(name, fmt::format("Unknown or unsupported parameter: {}", name));
  }
  return std::nullopt;
}

std::optional<StorageError> read_number(const ApiRequest& request, const std::string& name,
                                        std::int64_t& value) {
  const std::string text = query_value(request, name);
  value = 0;
  if (text.empty() || (parse_whole(text, value) && value >= 0)) return std::nullopt;
  return bad_parameter(name, fmt::format("Invalid value for {}: '{}'", name, text));
}

std::optional<StorageError> read_conditions(const ApiRequest& request, Conditions& conditions,
                                            const std::string& prefix) {
  if (auto error = read_optional(request, prefix + "GenerationMatch", conditions.generation_match))
    return error;
  if (auto error = read_optional(request, prefix + "GenerationNotMatch", conditions.generation_not_match))
    return error;
  if (auto error = read_optional(request, prefix + "MetagenerationMatch", conditions.metageneration_match))
    return error;
  return read_optional(request, prefix + "MetagenerationNotMatch", conditions.metageneration_not_match);
}

std::optional<StorageError> read_object_query(const ApiRequest& request, ObjectQuery& query) {
  query.prefix = query_value(request, "prefix");
  query.delimiter = query_value(request, "delimiter");
  query.start_offset = query_value(request, "startOffset");
  query.end_offset = query_value(request, "endOffset");
  query.trailing_delimiter = to_lower(query_value(request, "includeTrailingDelimiter")) == "true";
  std::int64_t wanted = 0;
  if (auto error = read_number(request, "maxResults", wanted)) return error;
  if (wanted != 0) query.max_results = static_cast<std::size_t>(std::min(wanted, kLargestPage));
  const std::string token = query_value(request, "pageToken");
  if (token.empty()) return std::nullopt;
  const auto last = base64_decode(token);
  if (!last || last->size() < 2 || last->substr(0, 2) != "o:")
    return bad_parameter("pageToken", "Invalid argument: pageToken is not one that this list gave.");
  query.after = last->substr(2);
  return std::nullopt;
}

std::string page_token(const std::string& last) { return base64_encode("o:" + last); }

StorageOutcome<ByteRange> read_range(const std::string& header, std::size_t size) {
  const ByteRange whole{0, size};
  const std::string text = to_lower(trim(header));
  if (text.rfind("bytes=", 0) != 0) return whole;
  const std::string range = text.substr(6);
  const std::size_t dash = range.find('-');
  if (dash == std::string::npos) return whole;
  const std::string first = range.substr(0, dash);
  const std::string last = range.substr(dash + 1);
  std::size_t begin = 0;
  std::size_t final = size;
  if (first.empty()) {  // the last n bytes
    if (!parse_whole(last, final)) return whole;
    if (final == 0 || size == 0) return storage_error_of(416, "The requested range cannot be satisfied.");
    return ByteRange{size - std::min(final, size), size};
  }
  if (!parse_whole(first, begin) || (!last.empty() && !parse_whole(last, final)) ||
      (!last.empty() && final < begin))
    return whole;
  if (begin >= size) return storage_error_of(416, "The requested range cannot be satisfied.");
  return ByteRange{begin, last.empty() ? size : std::min(final, size - 1) + 1};
}

}  // namespace slipway::emulator
