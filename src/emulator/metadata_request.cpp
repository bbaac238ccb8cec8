#include "emulator/metadata_request.h"

#include <charconv>

#include "emulator/storage_request.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr std::chrono::hours kLongestWait{24};

std::string value_of(const MetadataRequest& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

std::optional<std::string> decoded(const std::string& text) {
  const auto segments = decoded_segments(text);
  if (!segments) return std::nullopt;
  std::string joined;
  for (const std::string& segment : *segments)
    joined += (joined.empty() && &segment == &segments->front() ? "" : "/") + segment;
  return joined;
}

}  // namespace

std::optional<MetadataRequest> parse_metadata_request(std::string_view head) {
  std::vector<std::string> lines = split(head, '\n');
  const std::vector<std::string> words = split(trim(lines.front()), ' ');
  if (words.size() != 3 || words[2].rfind("HTTP/1.", 0) != 0 || words[1].empty() || words[1][0] != '/')
    return std::nullopt;
  MetadataRequest request;
  request.method = words[0];
  const std::size_t mark = words[1].find('?');
  const auto path = decoded(words[1].substr(0, mark));
  if (!path) return std::nullopt;
  request.path = *path;
  if (mark != std::string::npos) {
    for (const std::string& pair : split(words[1].substr(mark + 1), '&')) {
      const std::size_t equals = pair.find('=');
      if (equals != std::string::npos) request.query[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t colon = lines[i].find(':');
    if (colon != std::string::npos)
      request.headers[to_lower(lines[i].substr(0, colon))] = std::string(trim(lines[i].substr(colon + 1)));
  }
  return request;
}

MetadataWish wish_of(const MetadataRequest& request) {
  MetadataWish wish;
  wish.recursive = to_lower(value_of(request, "recursive")) == "true";
  wish.as_json = value_of(request, "alt") == "json";
  wish.wait = to_lower(value_of(request, "wait_for_change")) == "true";
  wish.last_etag = value_of(request, "last_etag");
  const std::string seconds = value_of(request, "timeout_sec");
  int number = 0;
  const auto [end, failure] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), number);
  if (!seconds.empty() && failure == std::errc() && end == seconds.data() + seconds.size() && number >= 0)
    wish.timeout = std::min<std::chrono::seconds>(std::chrono::seconds(number), kLongestWait);
  return wish;
}

}  // namespace slipway::emulator
