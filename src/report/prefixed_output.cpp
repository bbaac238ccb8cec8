#include "report/prefixed_output.h"

#include <algorithm>
#include <iterator>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

/// SGR numbers without red, which means that something failed.
constexpr int kColors[] = {36, 33, 32, 35, 34, 96, 93, 92, 95, 94};

}  // namespace

PrefixedOutput::PrefixedOutput(const std::vector<fleet::Target>& targets, Console& console)
    : targets_(targets), console_(console), voices_(targets.size()) {
  for (const fleet::Target& target : targets) widest_ = std::max(widest_, display_width(target.label()));
}

void PrefixedOutput::on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) {
  Voice& voice = voice_of(target);
  Way& way = stream == ssh::Stream::kOut ? voice.out : voice.err;
  way.lines.add(bytes, line_sink(stream, way));
}

void PrefixedOutput::on_outcome(std::size_t target, const fleet::Outcome&) {
  if (!voices_[target]) return;
  Voice& voice = *voices_[target];
  voice.out.lines.finish(line_sink(ssh::Stream::kOut, voice.out));
  voice.err.lines.finish(line_sink(ssh::Stream::kErr, voice.err));
  voices_[target].reset();
}

PrefixedOutput::Voice& PrefixedOutput::voice_of(std::size_t target) {
  if (!voices_[target]) {
    voices_[target] = std::make_unique<Voice>();
    voices_[target]->out.prefix = prefix(target, ssh::Stream::kOut);
    voices_[target]->err.prefix = prefix(target, ssh::Stream::kErr);
  }
  return *voices_[target];
}

/// A pipe always gets "<label>: ", which a program can cut off; columns are for the eye.
std::string PrefixedOutput::prefix(std::size_t target, ssh::Stream stream) const {
  const std::string label = targets_[target].label();
  StyledLine prefix;
  const int color = kColors[targets_[target].slice_index % std::size(kColors)];
  prefix.add(console_.is_terminal(stream) ? printable(label) : label, console_.has_color(stream) ? color : 0);
  prefix.add(": ");
  if (console_.is_terminal(stream))
    prefix.text.append(widest_ - std::min(widest_, display_width(label)), ' ');
  return prefix.text;
}

LineSink PrefixedOutput::line_sink(ssh::Stream stream, const Way& way) {
  return [this, stream, &way](std::string_view line, LineEnd end) {
    console_.worker_line(stream, way.prefix, line, end);
  };
}

}  // namespace slipway::report
