#include "emulator/metadata_tree.h"

#include <cctype>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

// A document that is a leaf is marked by its key, so that it is not taken for a directory.
bool is_leaf(const std::string& key, const Json& value) { return !value.is_object() || key == "token"; }

std::string camel_case(const std::string& name) {
  std::string text;
  bool up = false;
  for (const char c : name) {
    if (c != '-') text += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    up = c == '-';
  }
  return text;
}

bool keeps_names(const std::string& key) { return key == "attributes" || key == "guest-attributes"; }

bool is_numbered(const Json& directory) { return !directory.empty() && directory.begin().key() == "0"; }

Json document_of(const Json& directory, bool own_names) {
  Json document = is_numbered(directory) ? Json::array() : Json::object();
  for (const auto& [key, value] : directory.items()) {
    if (key == "token") continue;  // as the real one: a token is given out only when it is asked for by name
    Json shown = is_leaf(key, value) ? value : document_of(value, own_names || keeps_names(key));
    if (document.is_array()) {
      document.push_back(std::move(shown));
    } else {
      document[own_names ? key : camel_case(key)] = std::move(shown);
    }
  }
  return document;
}

}  // namespace

std::optional<MetadataValue> find_metadata(const Json& tree, const std::string& path) {
  const Json* at = &tree;
  bool leaf = false;
  if (!path.empty()) {
    for (const std::string& part : split(path, '/')) {
      const Json* next = leaf ? nullptr : find_member(*at, part);
      if (next == nullptr) return std::nullopt;
      leaf = is_leaf(part, *next);
      at = next;
    }
  }
  return MetadataValue{*at, !leaf};
}

std::string metadata_listing(const Json& directory) {
  std::string text;
  for (const auto& [key, value] : directory.items()) text += key + (is_leaf(key, value) ? "\n" : "/\n");
  return text;
}

Json metadata_document(const Json& directory, const std::string& path) {
  bool own_names = false;
  for (const std::string& part : split(path, '/')) own_names = own_names || keeps_names(part);
  return document_of(directory, own_names);
}

std::string metadata_text(const Json& leaf) {
  if (leaf.is_string()) return leaf.get<std::string>();
  if (!leaf.is_array()) return dump_json(leaf);
  std::string lines;  // scopes: one a line
  for (const Json& one : leaf) lines += metadata_text(one) + "\n";
  return lines;
}

std::string metadata_etag(const Json& value) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
  for (const char c : dump_json(value)) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  return fmt::format("{:016x}", hash);
}

}  // namespace slipway::emulator
