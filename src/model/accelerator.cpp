#include "slipway/model/accelerator.h"

#include <charconv>

#include "slipway/core/text.h"

namespace slipway {
namespace {

// Names and what they count: cloud.google.com/tpu/docs (v4, v5e, v5p, v6e, tpu7x), AcceleratorConfig.Type in
// the discovery documents of v2 and v2alpha1. Runtime versions: cloud.google.com/tpu/docs/runtimes, read
// 2026-11; TPU7x and V6EA have none there.
constexpr AcceleratorFamily kFamilies[] = {
    {"v2", "V2", "", true, "tpu-ubuntu2204-base", false},
    {"v3", "V3", "", true, "tpu-ubuntu2204-base", false},
    {"v4", "V4", "", true, "tpu-ubuntu2204-base", false},
    {"v5litepod", "V5LITE_POD", "v5e", false, "v2-alpha-tpuv5-lite", false},
    {"v5p", "V5P", "", true, "v2-alpha-tpuv5", false},
    {"v6e", "V6E", "", false, "v2-alpha-tpuv6e", false},
    {"v6ea", "V6EA", "", false, "", true},
    {"tpu7x", "TPU7X", "v7x", true, "", true},
};

/// "v5litepod-16" and "V5LITE_POD" alike: the letters in lower case, without what parts them.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : to_lower(name)) {
    if (c != '_' && c != '-') text += c;
  }
  return text;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value <= 0 || value > 1'000'000)
    return std::nullopt;
  return value;
}

}  // namespace

const AcceleratorFamily* find_accelerator_family(std::string_view name) {
  const std::string wanted = plain(name);
  for (const AcceleratorFamily& family : kFamilies) {
    if (wanted == family.prefix || wanted == plain(family.api_type) || wanted == family.alias) return &family;
  }
  return nullptr;
}

std::string accelerator_api_type(std::string_view name) {
  if (const AcceleratorFamily* family = find_accelerator_family(name)) return std::string(family->api_type);
  std::string word;
  for (const char c : name)
    word += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

std::string default_runtime_version(std::string_view accelerator) {
  const AcceleratorFamily* family = find_accelerator_family(accelerator);
  if (family == nullptr) family = find_accelerator_family(accelerator.substr(0, accelerator.rfind('-')));
  return family == nullptr ? "" : std::string(family->runtime);
}

std::optional<SliceShape> shape_of_type(std::string_view accelerator_type) {
  const std::size_t dash = accelerator_type.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const AcceleratorFamily* family = find_accelerator_family(accelerator_type.substr(0, dash));
  const auto units = number(accelerator_type.substr(dash + 1));
  if (family == nullptr || !units) return std::nullopt;
  return SliceShape{std::string(family->api_type), family->counts_cores ? *units / 2 : *units};
}

std::optional<SliceShape> shape_of_topology(std::string_view type, std::string_view topology) {
  const AcceleratorFamily* family = find_accelerator_family(type);
  if (family == nullptr || topology.empty()) return std::nullopt;
  SliceShape shape{std::string(family->api_type), 1};
  for (const std::string& side : split(to_lower(topology), 'x')) {
    const auto length = number(side);
    if (!length || shape.chips > 1'000'000) return std::nullopt;
    shape.chips *= *length;
  }
  return shape;
}

}  // namespace slipway
