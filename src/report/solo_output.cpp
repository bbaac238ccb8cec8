#include "report/solo_output.h"

namespace slipway::report {

void SoloOutput::on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) {
  if (target != 0) return;
  if (!console_.is_terminal(stream)) return console_.worker_bytes(stream, bytes);
  (stream == ssh::Stream::kOut ? out_ : err_).add(bytes, line_sink(stream));
}

void SoloOutput::on_outcome(std::size_t target, const fleet::Outcome&) {
  if (target != 0) return;
  out_.finish(line_sink(ssh::Stream::kOut));
  err_.finish(line_sink(ssh::Stream::kErr));
}

LineSink SoloOutput::line_sink(ssh::Stream stream) {
  return [this, stream](std::string_view line, LineEnd end) { console_.worker_line(stream, "", line, end); };
}

}  // namespace slipway::report
