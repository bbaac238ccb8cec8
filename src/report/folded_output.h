#pragma once

#include <optional>
#include <vector>

#include "report/shared_text.h"
#include "slipway/report/worker_output.h"

namespace slipway::report {

/// Keeps what the workers say until all have ended, and then shows what is equal once, under the folded names
/// of all who said it: the largest group first and whole, the others as a difference to it where that is
/// shorter. stdout and stderr are folded apart. Equal output is kept once, and much of it in a temporary
/// file.
class FoldedOutput final : public WorkerOutput {
 public:
  /// Both outlive it.
  FoldedOutput(const std::vector<fleet::Target>& targets, Console& console);

  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  Result<void> finish() override;

 private:
  struct Said {
    SharedText::End out;
    SharedText::End err;
    bool ran = false;
  };
  struct Group {
    SharedText::End end;
    std::vector<std::size_t> workers;
  };

  SharedText::End& end_of(std::size_t target, ssh::Stream stream);
  std::vector<Group> groups(ssh::Stream stream);
  Result<void> show(ssh::Stream stream);
  Result<void> show_whole(ssh::Stream stream, const Group& group);
  Result<bool> show_difference(ssh::Stream stream, const Group& largest, const Group& group);
  Result<std::string> text_of(const Group& group);
  void head(ssh::Stream stream, const Group& group, std::string_view what);

  const std::vector<fleet::Target>& targets_;
  Console& console_;
  SharedText text_;
  std::vector<Said> said_;
  std::optional<Error> error_;
};

}  // namespace slipway::report
