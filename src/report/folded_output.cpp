#include "report/folded_output.h"

#include <algorithm>
#include <map>

#include "report/line_diff.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/report/fold.h"

namespace slipway::report {
namespace {

constexpr std::size_t kMostInMemory = std::size_t{32} << 20;
/// Longer texts are shown whole: a difference that long is read by a program, not by a person.
constexpr std::uint64_t kLongestCompared = std::uint64_t{1} << 20;
constexpr int kBold = 1;

}  // namespace

FoldedOutput::FoldedOutput(const std::vector<fleet::Target>& targets, Console& console)
    : targets_(targets), console_(console), text_(kMostInMemory), said_(targets.size()) {}

SharedText::End& FoldedOutput::end_of(std::size_t target, ssh::Stream stream) {
  return stream == ssh::Stream::kOut ? said_[target].out : said_[target].err;
}

/// Once something could not be kept nothing more is: a hole must not look like a difference.
void FoldedOutput::on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) {
  if (error_) return;
  Result<void> kept = text_.add(end_of(target, stream), bytes);
  if (kept) return;
  error_ = std::move(kept).error();
  console_.say(error_->message() + "; --output fold shows only what came before");
}

void FoldedOutput::on_outcome(std::size_t target, const fleet::Outcome& outcome) {
  said_[target].ran = outcome.started_at.has_value();
}

Result<void> FoldedOutput::finish() {
  console_.erase_drawing();
  TRY(show(ssh::Stream::kOut));
  TRY(show(ssh::Stream::kErr));
  if (error_) return *error_;
  return {};
}

/// The largest first; of equally large ones the one with the first worker.
std::vector<FoldedOutput::Group> FoldedOutput::groups(ssh::Stream stream) {
  std::map<SharedText::End, Group> by_end;
  for (std::size_t i = 0; i < said_.size(); ++i) {
    if (!said_[i].ran) continue;
    Group& group = by_end[end_of(i, stream)];
    group.end = end_of(i, stream);
    group.workers.push_back(i);
  }
  std::vector<Group> groups;
  for (auto& [end, group] : by_end) groups.push_back(std::move(group));
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return a.workers.size() != b.workers.size() ? a.workers.size() > b.workers.size()
                                                : a.workers.front() < b.workers.front();
  });
  return groups;
}

Result<void> FoldedOutput::show(ssh::Stream stream) {
  const std::vector<Group> all = groups(stream);
  const bool silent =
      std::all_of(all.begin(), all.end(), [&](const Group& g) { return text_.length(g.end) == 0; });
  if (silent) return {};
  for (const Group& group : all) {
    if (&group != &all.front()) {
      TRY(const bool shown, show_difference(stream, all.front(), group));
      if (shown) continue;
    }
    TRY(show_whole(stream, group));
  }
  console_.flush();
  return {};
}

Result<void> FoldedOutput::show_whole(ssh::Stream stream, const Group& group) {
  head(stream, group, text_.length(group.end) == 0 ? "nothing" : "");
  LineAssembler lines;
  const LineSink sink = [&](std::string_view line, LineEnd end) {
    console_.worker_line(stream, "", line, end);
    if (console_.congested()) console_.flush();
  };
  TRY(text_.read(group.end, [&](std::string_view bytes) { lines.add(bytes, sink); }));
  lines.finish(sink);
  return {};
}

Result<bool> FoldedOutput::show_difference(ssh::Stream stream, const Group& largest, const Group& group) {
  if (std::max(text_.length(largest.end), text_.length(group.end)) > kLongestCompared) return false;
  TRY(const std::string before, text_of(largest));
  TRY(const std::string after, text_of(group));
  const std::optional<DiffLines> lines = line_diff(before, after);
  if (!lines) return false;
  head(stream, group, lines->empty() ? "the same, but for the last newline" : "the same but for");
  for (const std::string& line : *lines) console_.worker_line(stream, "", line, LineEnd::kNewline);
  return true;
}

Result<std::string> FoldedOutput::text_of(const Group& group) {
  std::string text;
  TRY(text_.read(group.end, [&](std::string_view bytes) { text += bytes; }));
  return text;
}

void FoldedOutput::head(ssh::Stream stream, const Group& group, std::string_view what) {
  if (targets_.size() == 1) return;
  std::string text = fmt::format("== {} ({})", printable(fold_labels(targets_, group.workers)),
                                 counted(group.workers.size(), "worker"));
  if (!what.empty()) text += fmt::format(": {}", what);
  StyledLine line;
  line.add(text, console_.has_color(stream) ? kBold : 0);
  console_.write_line(stream, line.text);
}

}  // namespace slipway::report
