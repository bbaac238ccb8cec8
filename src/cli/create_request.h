#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/commands/create.h"
#include "slipway/model/create_spec.h"
#include "slipway/tpu/call.h"

namespace slipway::cli {

/// What a create asks for, by flags or by a file, for one place.
class CreateRequest {
 public:
  /// Errors (kUsage): what the words or the file say wrong; a version that does not have what they ask for.
  static Result<CreateRequest> from(const CreateOptions& options, const Location& location,
                                    std::optional<tpu::ApiVersion> version,
                                    std::chrono::system_clock::time_point now);

  /// Adds metadata of each worker; a key that the words gave themselves is an error (kUsage).
  Result<void> add_metadata(const std::string& key, const std::string& value);

  /// The body, where spans count from `as_of`.
  tpu::CreateBody body(std::chrono::system_clock::time_point as_of) const;
  /// What makes a repetition the same intent: it does not depend on the time.
  std::string content() const;
  /// "4 slices of v4-16"; "as the file says" for a file.
  std::string text() const;
  /// A sentence about what was chosen for the person; empty when nothing was.
  const std::string& note() const { return note_; }

 private:
  Location location_;
  std::optional<tpu::ApiVersion> version_;
  std::optional<CreateSpec> spec_;
  tpu::CreateBody file_;
  std::string note_;
};

}  // namespace slipway::cli
