#include "emulator/ssh_keys.h"

#include <algorithm>
#include <optional>

#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::size_t kLongestName = 32;
constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

// A name becomes a file name and a field of passwd, so nothing but the usual characters may be in it.
bool is_user_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name[0] != '-' && name[0] != '.' &&
         name.find_first_not_of(kNameCharacters) == std::string_view::npos;
}

bool is_key(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view type = text.substr(0, blank);
  const std::string_view data = text.substr(blank + 1, text.find(' ', blank + 1) - blank - 1);
  const bool known =
      type.substr(0, 4) == "ssh-" || type.substr(0, 6) == "ecdsa-" || type.substr(0, 3) == "sk-";
  return known && data.size() > 16 && base64_decode(data).has_value();
}

bool is_expired(std::string_view key, std::chrono::system_clock::time_point now) {
  const std::size_t mark = key.find("google-ssh {");
  if (mark == std::string_view::npos) return false;
  const Result<Json> comment = parse_json(key.substr(mark + std::string_view("google-ssh ").size()));
  if (!comment.ok()) return false;
  std::string when = string_member(*comment, "expireOn");
  // gcloud writes +0000, RFC 3339 wants +00:00.
  if (when.size() > 5 && (when[when.size() - 5] == '+' || when[when.size() - 5] == '-'))
    when.insert(when.size() - 2, ":");
  const auto expires = parse_rfc3339(when);
  return expires.has_value() && *expires < now;
}

std::optional<SshKey> parse_line(std::string_view line, std::chrono::system_clock::time_point now) {
  line = trim(line);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view user = line.substr(0, colon);
  const std::string_view key = trim(line.substr(colon + 1));
  if (!is_user_name(user) || !is_key(key) || is_expired(key, now)) return std::nullopt;
  return SshKey{std::string(user), std::string(key)};
}

}  // namespace

std::vector<SshKey> parse_ssh_keys(std::string_view metadata, std::chrono::system_clock::time_point now) {
  std::vector<SshKey> keys;
  for (const std::string& line : split(metadata, '\n')) {
    if (auto key = parse_line(line, now)) keys.push_back(std::move(*key));
  }
  return keys;
}

}  // namespace slipway::emulator
