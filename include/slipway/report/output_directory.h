#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/core/fd.h"
#include "slipway/core/result.h"
#include "slipway/fleet/fan_out.h"

namespace slipway::report {

/// --output-dir D: the bytes of each worker as they came, in D/<slice>/<worker>.out and .err. Both are
/// there for each worker whose command has started, and for no other. Few descriptors are held, however many
/// workers there are. What cannot be written is said once and remembered, and the run goes on.
class OutputDirectory final : public fleet::Reporter {
 public:
  using OnError = std::function<void(const Error&)>;

  /// Makes `path` (and its parents) and looks that it is empty: results of two runs never mix. `on_error` is
  /// told of the first write that fails. Errors: kUsage for a folder that holds something and for a slice's
  /// name that is no file name; kLocal.
  static Result<OutputDirectory> create(const std::string& path, const std::vector<fleet::Target>& targets,
                                        OnError on_error = {});

  void on_phase(std::size_t target, ssh::Phase phase) override;
  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override;
  void on_outcome(std::size_t target, const fleet::Outcome& outcome) override;
  void on_notice(std::string_view) override {}

  /// D/run.json, whole or not at all.
  Result<void> write_run_json(std::string_view text);

  /// The first write that failed (kLocal); nullptr when the files are complete.
  const Error* error() const { return error_ ? &*error_ : nullptr; }

 private:
  enum class FileState : unsigned char { kNone, kMade, kBroken };
  struct OpenFile {
    std::size_t key;
    Fd fd;
  };

  OutputDirectory(std::string path, Fd folder, const std::vector<fleet::Target>& targets, OnError on_error);
  void make_files(std::size_t target);
  Result<int> file_for(std::size_t key);
  Result<Fd> open_file(std::size_t key);
  std::string name_of(std::size_t key) const;
  void close_file(std::size_t key);
  void fail(std::size_t key, Error error);

  std::string path_;
  Fd folder_;
  const std::vector<fleet::Target>* targets_;
  OnError on_error_;
  std::vector<FileState> states_;  ///< by key: target * 2 + stream
  std::list<OpenFile> open_;       ///< the most recently used first
  std::optional<Error> error_;
};

}  // namespace slipway::report
