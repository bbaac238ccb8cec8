#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace slipway {

/// A token or a key. It has no stream operator and no conversion: whoever needs the text says reveal(). Every
/// revealed form that is registered here is taken out of logs and errors by redact().
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text);
  ~Secret();
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  Secret(Secret&& other) noexcept : text_(std::exchange(other.text_, {})) {}
  Secret& operator=(Secret&& other) noexcept;

  bool empty() const { return text_.empty(); }
  const std::string& reveal() const { return text_; }

 private:
  std::string text_;
};

/// `text` with every secret that this process has held replaced by "[redacted]". The last step before any
/// sink.
std::string redact(std::string text);

}  // namespace slipway
