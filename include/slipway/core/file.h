#pragma once

#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway {

/// The whole of a file of at most `limit` bytes; "-" is stdin. Errors carry the path and errno's words.
Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{64} << 20);
/// Writes beside `path`, fsyncs, renames, and fsyncs the folder: a reader sees the old or the new one, never
/// a part, and after a power cut too it is there when this has returned. `mode` as in chmod.
Result<void> write_file_atomically(const std::string& path, std::string_view content, unsigned mode = 0644);
/// Makes `path` and its parents, the last with `mode`.
Result<void> make_directories(const std::string& path, unsigned mode = 0755);
bool file_exists(const std::string& path);

/// An environment variable; empty when unset.
std::string env(const std::string& name);
/// $HOME, else the passwd entry; empty when there is neither.
std::string home_directory();
/// $XDG_STATE_HOME/slipway or ~/.local/state/slipway; empty without a home. Not created.
std::string state_directory();

}  // namespace slipway
