#include "emulator/metadata_answer.h"

#include "emulator/metadata_tree.h"
#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

constexpr std::string_view kRoot = "/computeMetadata/v1";

const char* phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved Permanently";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 405:
      return "Method Not Allowed";
    default:
      return "Not Found";
  }
}

std::string http_text(int status, const std::string& type, const std::string& body,
                      const std::string& more = "") {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nMetadata-Flavor: Google\r\nServer: Metadata Server for VM\r\nContent-Type: {}\r\n"
      "Content-Length: {}\r\nConnection: close\r\n{}\r\n{}",
      status, phrase(status), type, body.size(), more, body);
}

MetadataAnswer refusal(int status, const std::string& sentence) {
  const std::string page =
      fmt::format("<!DOCTYPE html>\n<html lang=en>\n<title>Error {0} ({1})</title>\n<p><b>{0}.</b> {2}\n",
                  status, phrase(status), sentence);
  return {http_text(status, "text/html; charset=UTF-8", page), "", false};
}

MetadataAnswer not_found(const std::string& path) {
  return refusal(404, fmt::format("The requested URL <code>{}</code> was not found on this server.", path));
}

// A browser's page can be made to ask for this address; it cannot send this header. A proxy adds the other.
std::optional<MetadataAnswer> refused(const MetadataRequest& request) {
  if (request.method != "GET" && request.method != "HEAD")
    return refusal(405, "The request method is not supported by this emulator.");
  if (request.headers.count("x-forwarded-for") != 0)
    return refusal(403, "Your client does not have permission to get this URL: a forwarded request.");
  const auto flavor = request.headers.find("metadata-flavor");
  if (flavor == request.headers.end() || flavor->second != "Google")
    return refusal(
        403, "Your client does not have permission to get this URL: Missing Metadata-Flavor:Google header.");
  return std::nullopt;
}

MetadataAnswer found(const MetadataRequest& request, const std::string& type, std::string body,
                     const std::string& etag) {
  if (request.method == "HEAD") body.clear();
  return {http_text(200, type, body, "ETag: " + etag + "\r\n"), etag, true};
}

}  // namespace

MetadataAnswer answer_metadata(const MetadataRequest& request, const Json& tree) {
  if (auto answer = refused(request)) return *answer;
  if (request.path == "/" || request.path == "/computeMetadata" || request.path == "/computeMetadata/")
    return found(request, "application/text", request.path == "/" ? "computeMetadata/\n" : "v1/\n", "0");
  if (request.path.compare(0, kRoot.size(), kRoot) != 0) return not_found(request.path);
  std::string path = request.path.substr(kRoot.size());
  if (!path.empty() && path[0] != '/') return not_found(request.path);
  const bool slash = !path.empty() && path.back() == '/';
  path = path.size() <= 1 ? "" : path.substr(1, path.size() - 1 - (slash ? 1 : 0));
  const auto value = find_metadata(tree, path);
  if (!value || (slash && !value->is_directory)) return not_found(request.path);

  const MetadataWish wish = wish_of(request);
  const std::string etag = metadata_etag(value->value);
  if (value->is_directory && !slash && !wish.recursive)
    return {http_text(301, "text/html", "", fmt::format("Location: {}/\r\n", request.path)), "", false};
  if (value->is_directory && wish.recursive)
    return found(request, "application/json", dump_json(metadata_document(value->value, path)), etag);
  if (value->is_directory) return found(request, "application/text", metadata_listing(value->value), etag);
  if (wish.as_json || value->value.is_object())
    return found(request, "application/json", dump_json(value->value), etag);
  return found(request, "application/text", metadata_text(value->value), etag);
}

std::string malformed_metadata_answer() {
  return refusal(400, "Your client has issued a malformed request.").bytes;
}

}  // namespace slipway::emulator
