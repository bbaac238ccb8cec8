#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "slipway/core/fd.h"
#include "slipway/core/result.h"

namespace slipway::report {

/// Bytes put away, and read again by their place: the first in memory, the rest in a file without a name in
/// the temporary folder.
class SpillStore {
 public:
  using Place = std::uint64_t;

  explicit SpillStore(std::size_t most_in_memory) : most_in_memory_(most_in_memory) {}

  /// Errors: kLocal, the temporary folder cannot be written.
  Result<Place> append(std::string_view bytes);
  /// True when bytes that were put away at `place` are followed by what is put away next.
  bool ends_at(Place place) const;
  /// `length` bytes from `place`, all put away by one append, or by several that followed each other. The
  /// view is good until the next call.
  Result<std::string_view> read(Place place, std::size_t length);

 private:
  Result<void> open_file();

  std::size_t most_in_memory_;
  std::string memory_;
  Fd file_;
  std::uint64_t file_size_ = 0;
  std::string read_;
};

}  // namespace slipway::report
