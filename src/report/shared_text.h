#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/spill_store.h"
#include "slipway/core/result.h"

namespace slipway::report {

/// Many texts that grow piece by piece and are mostly equal: what they have in common from their beginning on
/// is kept once. Two texts are equal exactly when their ends are, so nothing is hashed and nothing is
/// compared twice.
///
/// It is a tree: a branch is a stretch of text that leaves its parent where the first worker said something
/// else. There are at most as many branches as texts.
class SharedText {
 public:
  /// Where a text ends. A new one is the empty text.
  struct End {
    std::uint32_t branch = 0;
    std::uint64_t offset = 0;
    bool operator==(const End& other) const { return branch == other.branch && offset == other.offset; }
    bool operator<(const End& other) const {
      return branch != other.branch ? branch < other.branch : offset < other.offset;
    }
  };
  using Sink = std::function<void(std::string_view)>;

  /// The first `most_in_memory` bytes of different text stay in memory.
  explicit SharedText(std::size_t most_in_memory) : store_(most_in_memory), branches_(1) {}

  /// The text that ends at `end` goes on with `bytes`. Errors: kLocal; the text then misses something.
  Result<void> add(End& end, std::string_view bytes);
  std::uint64_t length(End end) const;
  /// The whole text, in pieces. Errors: kLocal.
  Result<void> read(End end, const Sink& sink);

 private:
  /// A part of a branch that stands in the store in one piece.
  struct Piece {
    std::uint64_t start;
    SpillStore::Place place;
    std::uint64_t length;
  };
  struct Branch {
    End parent;
    std::vector<Piece> pieces;
    std::string tail;  ///< the last bytes, not in the store yet: it is written in larger pieces
    std::uint64_t stored = 0;
    std::vector<std::uint32_t> children;

    std::uint64_t size() const { return stored + tail.size(); }
  };

  Result<std::string_view> stretch(const Branch& branch, std::uint64_t offset, std::uint64_t most);
  Result<std::uint64_t> follow(End end, std::string_view bytes);
  Result<void> extend(Branch& branch, std::string_view bytes);
  Result<std::uint32_t> child_with(End at, char first);

  SpillStore store_;
  std::vector<Branch> branches_;
};

}  // namespace slipway::report
