#pragma once

#include "slipway/report/worker_output.h"

namespace slipway::report {

/// The first worker's output as if it ran here: a pipe or a file gets its bytes untouched, a terminal its
/// lines as far as they can be shown. Nothing of the others.
class SoloOutput final : public WorkerOutput {
 public:
  /// It outlives this.
  explicit SoloOutput(Console& console) : console_(console) {}

  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;

 private:
  LineSink line_sink(ssh::Stream stream);

  Console& console_;
  LineAssembler out_;
  LineAssembler err_;
};

}  // namespace slipway::report
