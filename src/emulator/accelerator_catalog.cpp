#include "emulator/accelerator_catalog.h"

#include <algorithm>

#include "slipway/core/format.h"

namespace slipway::emulator {
namespace {

struct Size {
  int number;  ///< as in the name: cores or chips, as the family counts
  const char* topology;
};

enum class Counts { kCores, kChips };

struct Family {
  const char* prefix;
  const char* type;
  Counts counts;
  bool multislice;
  std::vector<Size> sizes;
};

const std::vector<Size> kCubes = {{8, "2x2x1"},    {16, "2x2x2"},    {32, "2x2x4"},    {64, "2x4x4"},
                                  {128, "4x4x4"},  {256, "4x4x8"},   {384, "4x4x12"},  {512, "4x8x8"},
                                  {1024, "8x8x8"}, {1536, "8x8x12"}, {2048, "8x8x16"}, {4096, "8x16x16"}};
const std::vector<Size> kLargeCubes = {
    {8, "2x2x1"},    {16, "2x2x2"},    {32, "2x2x4"},     {64, "2x4x4"},      {128, "4x4x4"},
    {256, "4x4x8"},  {384, "4x4x12"},  {512, "4x8x8"},    {640, "4x4x20"},    {768, "4x8x12"},
    {1024, "8x8x8"}, {2048, "8x8x16"}, {4096, "8x16x16"}, {8192, "16x16x16"}, {12288, "16x16x24"}};
const std::vector<Size> kPlanes = {{1, "1x1"},  {4, "2x2"},  {8, "2x4"},    {16, "4x4"},
                                   {32, "4x8"}, {64, "8x8"}, {128, "8x16"}, {256, "16x16"}};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"v2",
       "V2",
       Counts::kCores,
       false,
       {{8, "2x2"}, {32, "4x4"}, {128, "8x8"}, {256, "8x16"}, {512, "16x16"}}},
      {"v3",
       "V3",
       Counts::kCores,
       false,
       {{8, "2x2"},
        {32, "4x4"},
        {64, "4x8"},
        {128, "8x8"},
        {256, "8x16"},
        {512, "16x16"},
        {1024, "16x32"},
        {2048, "32x32"}}},
      {"v4", "V4", Counts::kCores, true, kCubes},
      {"v5litepod", "V5LITE_POD", Counts::kChips, true, kPlanes},
      {"v5p", "V5P", Counts::kCores, true, kLargeCubes},
      {"v6e", "V6E", Counts::kChips, true, kPlanes},
  };
  return all;
}

// v2 to v5p: four chips (eight cores) a VM. v5e and v6e: one VM up to eight chips, then four chips a VM.
int workers_of(Counts counts, int number) {
  if (counts == Counts::kCores) return number / 8;
  return number <= 8 ? 1 : number / 4;
}

std::vector<Accelerator> make_catalog() {
  std::vector<Accelerator> all;
  for (const Family& family : families()) {
    for (const Size& size : family.sizes) {
      all.push_back({fmt::format("{}-{}", family.prefix, size.number), family.type, size.topology,
                     family.counts == Counts::kCores ? size.number / 2 : size.number,
                     workers_of(family.counts, size.number), family.multislice});
    }
  }
  return all;
}

template <typename Matches>
std::optional<Accelerator> find_if(Matches matches) {
  const auto& all = accelerator_catalog();
  const auto found = std::find_if(all.begin(), all.end(), matches);
  return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

const std::vector<Accelerator>& accelerator_catalog() {
  static const std::vector<Accelerator> all = make_catalog();
  return all;
}

std::optional<Accelerator> find_accelerator(const std::string& name) {
  return find_if([&](const Accelerator& one) { return one.name == name; });
}

std::optional<Accelerator> find_accelerator(const std::string& type, const std::string& topology) {
  return find_if([&](const Accelerator& one) { return one.type == type && one.topology == topology; });
}

const std::vector<std::string>& runtime_versions() {
  static const std::vector<std::string> all = {"tpu-ubuntu2204-base", "tpu-vm-base",
                                               "tpu-vm-v4-base",      "v2-alpha-tpuv5",
                                               "v2-alpha-tpuv5-lite", "v2-alpha-tpuv6e"};
  return all;
}

}  // namespace slipway::emulator
