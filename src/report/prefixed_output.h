#pragma once

#include <memory>
#include <string>
#include <vector>

#include "slipway/report/worker_output.h"

namespace slipway::report {

/// The workers' output as it comes, in whole lines behind their labels: their stdout to ours, their stderr to
/// ours. On a terminal the text begins in one column for the whole run, and a slice has a colour.
class PrefixedOutput final : public WorkerOutput {
 public:
  /// Both outlive it.
  PrefixedOutput(const std::vector<fleet::Target>& targets, Console& console);

  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;

 private:
  struct Way {
    std::string prefix;
    LineAssembler lines;
  };
  struct Voice {
    Way out;
    Way err;
  };

  Voice& voice_of(std::size_t target);
  std::string prefix(std::size_t target, ssh::Stream stream) const;
  LineSink line_sink(ssh::Stream stream, const Way& way);

  const std::vector<fleet::Target>& targets_;
  Console& console_;
  std::size_t widest_ = 0;
  std::vector<std::unique_ptr<Voice>> voices_;  ///< made with a worker's first byte
};

}  // namespace slipway::report
