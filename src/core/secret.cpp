#include "slipway/core/secret.h"

#include <string.h>

#include <set>

namespace slipway {
namespace {

/// What redact() looks for. One copy each for the life of the process: a log line may come after the last
/// Secret ended.
std::set<std::string>& known_secrets() {
  static std::set<std::string> known;
  return known;
}

void wipe(std::string& text) {
  if (!text.empty()) ::explicit_bzero(text.data(), text.size());
  text.clear();
}

constexpr std::size_t kShortestRedacted = 6;  // a shorter one would take innocent words out of every line

}  // namespace

Secret::Secret(std::string text) : text_(std::move(text)) {
  if (text_.size() >= kShortestRedacted) known_secrets().insert(text_);
}

Secret::~Secret() { wipe(text_); }

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe(text_);
    text_ = std::exchange(other.text_, {});
  }
  return *this;
}

std::string redact(std::string text) {
  for (const std::string& secret : known_secrets()) {
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), "[redacted]");
    }
  }
  return text;
}

}  // namespace slipway
