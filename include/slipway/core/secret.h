#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace slipway {

/// A token or a key. It has no stream operator and no conversion: whoever needs the text says reveal(). What
/// one has ever held is taken out of logs and errors by redact(). The first one switches off core dumps and
/// debuggers for this process (see forbid_dumps); its own copy is wiped when it ends.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text);
  ~Secret();
  Secret(const Secret&) = default;
  Secret& operator=(const Secret& other);
  Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }
  Secret& operator=(Secret&& other) noexcept;

  bool empty() const { return text_.empty(); }
  const std::string& reveal() const { return text_; }

 private:
  void wipe();

  std::string text_;
};

/// `text` with every secret that this process has held replaced by "[redacted]", also as it looks
/// percent-encoded and inside a JSON string. The last step before any sink.
std::string redact(std::string text);

/// No core dump of this process, and nobody but root reads its memory (prctl PR_SET_DUMPABLE, RLIMIT_CORE).
/// Programs that it starts can have core dumps again: the first is reset by execve, of the second only the
/// soft limit is set.
void forbid_dumps();

/// Overwrites `text` before it is emptied, in a way that no compiler takes out.
void wipe(std::string& text);

}  // namespace slipway
