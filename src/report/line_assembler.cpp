#include "slipway/report/line_assembler.h"

#include "slipway/core/text.h"

namespace slipway::report {
namespace {

/// The length of `text` without a UTF-8 character that has only begun; all of it when it does not look like
/// UTF-8.
std::size_t whole_characters(std::string_view text) {
  constexpr std::size_t kLongestCharacter = 4;
  for (std::size_t back = 1; back <= std::min(kLongestCharacter, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;
    const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

void LineAssembler::add(std::string_view bytes, const LineSink& sink) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    const std::string_view rest = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (begun_.empty() && rest.size() <= kLongest) {
      sink(rest, LineEnd::kNewline);
      continue;
    }
    keep(rest, sink);
    sink(begun_, LineEnd::kNewline);
    begun_.clear();
  }
  keep(bytes, sink);
  if (begun_.empty())
    begun_ = {};  // thousands of quiet workers must not each hold the buffer of their longest line
}

void LineAssembler::keep(std::string_view bytes, const LineSink& sink) {
  while (begun_.size() + bytes.size() > kLongest) {
    const std::size_t taken = kLongest - begun_.size();
    begun_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    const std::size_t whole = whole_characters(begun_);
    sink(std::string_view(begun_).substr(0, whole), LineEnd::kCut);
    begun_.erase(0, whole);
  }
  begun_.append(bytes);
}

void LineAssembler::finish(const LineSink& sink) {
  if (!begun_.empty()) sink(begun_, LineEnd::kMissing);
  begun_ = {};
}

std::string as_on_terminal(std::string_view line) {
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t last = line.rfind('\r');
  return printable(last == std::string_view::npos ? line : line.substr(last + 1));
}

}  // namespace slipway::report
