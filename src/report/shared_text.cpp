#include "report/shared_text.h"

#include <algorithm>

namespace slipway::report {
namespace {

constexpr std::size_t kLongestTail = 2048;
constexpr std::uint64_t kReadAtOnce = 64 * 1024;

}  // namespace

Result<void> SharedText::add(End& end, std::string_view bytes) {
  while (!bytes.empty()) {
    TRY(const std::uint64_t same, follow(end, bytes));
    end.offset += same;
    bytes.remove_prefix(same);
    if (bytes.empty()) break;
    if (end.offset == branches_[end.branch].size()) {
      TRY(extend(branches_[end.branch], bytes));
      end.offset += bytes.size();
      break;
    }
    TRY(const std::uint32_t child, child_with(end, bytes.front()));
    end = {child, 0};
  }
  return {};
}

/// How many of `bytes` stand in the branch already, from `end` on.
Result<std::uint64_t> SharedText::follow(End end, std::string_view bytes) {
  std::uint64_t same = 0;
  const Branch& branch = branches_[end.branch];
  while (same < bytes.size() && end.offset + same < branch.size()) {
    TRY(const std::string_view there, stretch(branch, end.offset + same, bytes.size() - same));
    const std::string_view ours = bytes.substr(same, there.size());
    const auto differs = std::mismatch(ours.begin(), ours.end(), there.begin()).first;
    same += static_cast<std::uint64_t>(differs - ours.begin());
    if (differs != ours.end()) break;
  }
  return same;
}

/// Some bytes of `branch` from `offset` on, at least one and at most `most`. `offset` is inside of it.
Result<std::string_view> SharedText::stretch(const Branch& branch, std::uint64_t offset, std::uint64_t most) {
  if (offset >= branch.stored) return std::string_view(branch.tail).substr(offset - branch.stored, most);
  const auto after = std::upper_bound(branch.pieces.begin(), branch.pieces.end(), offset,
                                      [](std::uint64_t at, const Piece& piece) { return at < piece.start; });
  const Piece& piece = *(after - 1);
  const std::uint64_t inside = offset - piece.start;
  return store_.read(piece.place + inside, std::min({most, piece.length - inside, kReadAtOnce}));
}

Result<void> SharedText::extend(Branch& branch, std::string_view bytes) {
  branch.tail += bytes;
  if (branch.tail.size() <= kLongestTail) return {};
  const bool follows =
      !branch.pieces.empty() && store_.ends_at(branch.pieces.back().place + branch.pieces.back().length);
  Result<SpillStore::Place> place = store_.append(branch.tail);
  if (!place) {
    branch.tail.resize(branch.tail.size() - bytes.size());  // as if it had not been said
    return std::move(place).error();
  }
  if (follows && *place == branch.pieces.back().place + branch.pieces.back().length) {
    branch.pieces.back().length += branch.tail.size();
  } else {
    branch.pieces.push_back({branch.stored, *place, branch.tail.size()});
  }
  branch.stored += branch.tail.size();
  branch.tail = {};
  return {};
}

/// The branch that leaves at `at` and begins with `first`; a new, empty one when there is none.
Result<std::uint32_t> SharedText::child_with(End at, char first) {
  for (const std::uint32_t child : branches_[at.branch].children) {
    if (!(branches_[child].parent == at) || branches_[child].size() == 0) continue;
    TRY(const std::string_view begins, stretch(branches_[child], 0, 1));
    if (begins.front() == first) return child;
  }
  const auto child = static_cast<std::uint32_t>(branches_.size());
  branches_.emplace_back();
  branches_[child].parent = at;
  branches_[at.branch].children.push_back(child);
  return child;
}

std::uint64_t SharedText::length(End end) const {
  std::uint64_t length = end.offset;
  while (end.branch != 0) {
    end = branches_[end.branch].parent;
    length += end.offset;
  }
  return length;
}

Result<void> SharedText::read(End end, const Sink& sink) {
  std::vector<End> path{end};
  while (path.back().branch != 0) path.push_back(branches_[path.back().branch].parent);
  for (auto part = path.rbegin(); part != path.rend(); ++part) {
    const Branch& branch = branches_[part->branch];
    for (std::uint64_t offset = 0; offset < part->offset;) {
      TRY(const std::string_view bytes, stretch(branch, offset, part->offset - offset));
      sink(bytes);
      offset += bytes.size();
    }
  }
  return {};
}

}  // namespace slipway::report
