#include "cli/job_log.h"

#include "cli/job_text.h"
#include "slipway/core/format.h"

namespace slipway::cli {

Result<void> JobLog::show_more() {
  TRY(const std::vector<int> attempts, reader_.attempts());
  for (const int attempt : attempts) {
    if (attempt < attempt_ || (only_ && attempt != *only_)) continue;
    TRY(const std::string text, reader_.more(attempt));
    if (text.empty()) continue;
    if (attempt != attempt_) begin(attempt);
    show(text);
  }
  return console_.error() == nullptr ? Result<void>() : Result<void>(*console_.error());
}

void JobLog::begin(int attempt) {
  finish();
  attempt_ = attempt;
  services_.say(fmt::format("--- attempt {}, {}", attempt, slot_text(slice_, worker_)));
}

void JobLog::show(std::string_view bytes) {
  said_ = true;
  lines_.add(bytes, [this](std::string_view line, report::LineEnd end) {
    console_.worker_line(ssh::Stream::kOut, "", line, end);
  });
  console_.flush();
}

void JobLog::finish() {
  lines_.finish([this](std::string_view line, report::LineEnd end) {
    console_.worker_line(ssh::Stream::kOut, "", line, end);
  });
  console_.flush();
}

}  // namespace slipway::cli
