#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipway {

/// A generation of TPUs, by all the names that the API and its documents give it.
struct AcceleratorFamily {
  std::string_view prefix;    ///< of acceleratorType: "v5litepod" in v5litepod-16
  std::string_view api_type;  ///< of acceleratorConfig.type: "V5LITE_POD"
  std::string_view alias;     ///< what people also write: "v5e"
  bool counts_cores;          ///< v4-16 counts cores, two a chip; v5litepod-16 counts chips
  std::string_view runtime;   ///< the runtime version that its documents name; empty: none is known
  bool alpha_type;            ///< acceleratorConfig.type knows it in v2alpha1 only
};

/// By prefix, alias or the API's word, in any case ("V5LITE_POD", "v5e"); nullptr for one that this build
/// does not know, which the server may know all the same.
const AcceleratorFamily* find_accelerator_family(std::string_view name);

/// The API's word for --type: of a family that is known, or `name` in its spelling (V9X for v9x).
std::string accelerator_api_type(std::string_view name);

/// The runtime version that the family's documents name for "v4-16" or "V4"; empty when none is known.
std::string default_runtime_version(std::string_view accelerator);

/// The chips of a slice, to compare "v4-16" with a type and "2x2x2". Nothing when either cannot be read.
struct SliceShape {
  std::string api_type;
  std::int64_t chips = 0;
  bool operator==(const SliceShape&) const = default;
};
std::optional<SliceShape> shape_of_type(std::string_view accelerator_type);
std::optional<SliceShape> shape_of_topology(std::string_view type, std::string_view topology);

}  // namespace slipway
