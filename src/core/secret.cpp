#include "slipway/core/secret.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cctype>
#include <set>

#include "slipway/core/format.h"

namespace slipway {
namespace {

/// A secret that another one begins with must not be taken out first: it would leave the rest of that one
/// behind.
struct LongestFirst {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};
using KnownSecrets = std::set<std::string, LongestFirst>;

/// What redact() looks for. One copy each for the life of the process: a log line may come after the last
/// Secret ended.
KnownSecrets& known_secrets() {
  static KnownSecrets known;
  return known;
}

constexpr std::size_t kShortestRedacted = 6;  // a shorter one would take innocent words out of every line

/// As a form or a URL carries it.
std::string percent_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~');
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return encoded;
}

/// As it stands inside a JSON string: a private key has newlines.
std::string json_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
    } else {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

Secret::Secret(std::string text) : text_(std::move(text)) {
  if (text_.empty()) return;
  forbid_dumps();
  if (text_.size() < kShortestRedacted) return;
  known_secrets().insert({text_, percent_encoded(text_), json_escaped(text_)});
}

Secret::~Secret() { wipe(); }

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    text_ = other.text_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    text_ = std::move(other.text_);
    other.wipe();
  }
  return *this;
}

void Secret::wipe() { slipway::wipe(text_); }

std::string redact(std::string text) {
  for (const std::string& secret : known_secrets()) {
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), "[redacted]");
    }
  }
  return text;
}

void forbid_dumps() {
  static const bool forbidden = [] {
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    rlimit limit{};
    if (::getrlimit(RLIMIT_CORE, &limit) == 0) {
      limit.rlim_cur = 0;
      ::setrlimit(RLIMIT_CORE, &limit);
    }
    return true;
  }();
  static_cast<void>(forbidden);
}

void wipe(std::string& text) {
  // A moved-from short string still has its bytes where it had them, so the whole buffer goes.
  text.resize(text.capacity());
  if (!text.empty()) ::explicit_bzero(text.data(), text.size());
  text.clear();
}

}  // namespace slipway
