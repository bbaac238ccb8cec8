#include "emulator/storage_upload.h"

#include <charconv>

#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

/// Every request but the last carries a multiple of this.
constexpr std::size_t kGranule = std::size_t{256} << 10;
constexpr std::size_t kLargestUpload = std::size_t{256} << 20;

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string boundary_of(const std::string& content_type) {
  const std::size_t at = to_lower(content_type).find("boundary=");
  if (at == std::string::npos) return "";
  std::string text(trim(content_type.substr(at + 9)));
  const char quote = text.empty() ? '\0' : text.front();
  if (quote == '"' || quote == '\'') return text.substr(1, text.find(quote, 1) - 1);
  return text.substr(0, text.find_first_of("; \t"));
}

struct Part {
  std::string content_type;
  std::string_view body;
};

// One part without its boundaries: headers, an empty line, the body.
std::optional<Part> read_part(std::string_view text, std::string_view line_end) {
  Part part;
  while (true) {
    const std::size_t end = text.find(line_end);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + line_end.size());
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && to_lower(line.substr(0, colon)) == "content-type")
      part.content_type = std::string(trim(line.substr(colon + 1)));
  }
  part.body = text;
  return part;
}

StorageError malformed() { return bad_request("Malformed multipart body."); }
StorageError no_such_upload() { return {404, "notFound", "No such upload session."}; }

}  // namespace

StorageOutcome<MultipartUpload> read_multipart(const std::string& content_type, const std::string& body) {
  const std::string boundary = boundary_of(content_type);
  if (boundary.empty()) return bad_request("Missing end boundary in multipart body.");
  const std::string mark = "--" + boundary;
  const std::size_t first = body.find(mark);
  if (first == std::string::npos) return malformed();
  const std::size_t after = first + mark.size();
  const std::string line_end = body.compare(after, 2, "\r\n") == 0 ? "\r\n" : "\n";
  const std::string between = line_end + mark;
  const std::size_t second = body.find(between, after);
  const std::size_t last = body.rfind(between + "--");
  if (second == std::string::npos || last == std::string::npos || last <= second) return malformed();
  const std::string_view text = body;
  const std::size_t begin = after + line_end.size();
  const std::size_t middle = second + between.size() + line_end.size();
  if (begin > second || middle > last) return malformed();
  const auto about = read_part(text.substr(begin, second - begin), line_end);
  const auto media = read_part(text.substr(middle, last - middle), line_end);
  if (!about || !media) return malformed();
  Result<Json> metadata = parse_json(about->body);
  if (!metadata.ok() || !metadata->is_object()) return bad_request("Metadata part is no JSON object.");
  return MultipartUpload{std::move(*metadata), media->content_type, std::string(media->body)};
}

std::optional<ContentRange> parse_content_range(const std::string& header) {
  const std::string text(trim(header));
  const std::size_t slash = text.find('/');
  if (text.rfind("bytes ", 0) != 0 || slash == std::string::npos) return std::nullopt;
  ContentRange range;
  if (const std::string total = text.substr(slash + 1); total != "*") {
    range.total = whole_number(total);
    if (!range.total) return std::nullopt;
  }
  const std::string span = text.substr(6, slash - 6);
  if (span == "*") return range;
  const std::size_t dash = span.find('-');
  if (dash == std::string::npos) return std::nullopt;
  range.begin = whole_number(span.substr(0, dash));
  const auto final = whole_number(span.substr(dash + 1));
  if (!range.begin || !final || *final < *range.begin) return std::nullopt;
  range.end = *final + 1;
  return range;
}

std::string UploadSessions::begin(UploadSession session) {
  const std::string id = make_uuid();
  const std::lock_guard lock(mutex_);
  sessions_.emplace(id, std::move(session));
  return id;
}

StorageOutcome<UploadStep> UploadSessions::take(const std::string& id,
                                                const std::optional<ContentRange>& range,
                                                const std::string& body) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return no_such_upload();
  UploadSession& session = found->second;
  UploadStep step{id, session.bytes.size(), std::nullopt, session.done};
  if (session.done) return step;

  const ContentRange asked = range.value_or(ContentRange{
      session.bytes.size(), session.bytes.size() + body.size(), session.bytes.size() + body.size()});
  if (asked.begin) {
    if (asked.end - *asked.begin != body.size())
      return bad_request("Content-Range does not fit the length of the body.");
    if (*asked.begin > session.bytes.size()) {
      return bad_request(fmt::format("The bytes from {} on are expected, not those from {} on.",
                                     session.bytes.size(), *asked.begin));
    }
    if (asked.end > kLargestUpload)
      return storage_error_of(413, fmt::format("This emulator takes at most {} bytes.", kLargestUpload));
    const bool is_last = asked.total && asked.end == *asked.total;
    if (!is_last && body.size() % kGranule != 0)
      return bad_request(fmt::format("All chunks but the last are multiples of {} bytes.", kGranule));
    if (asked.end > session.bytes.size()) session.bytes.append(body, session.bytes.size() - *asked.begin);
  }
  step.held = session.bytes.size();
  if (asked.total && step.held > *asked.total)
    return bad_request("There are more bytes than the total says.");
  if (asked.total && step.held == *asked.total) step.whole = session;
  return step;
}

void UploadSessions::finish(const std::string& id, const StoredObject& object) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  found->second.done = object;
  found->second.bytes.clear();
}

StorageError UploadSessions::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (sessions_.erase(id) == 0) return no_such_upload();
  return {499, "uploadCancelled", "The upload was cancelled."};
}

}  // namespace slipway::emulator
