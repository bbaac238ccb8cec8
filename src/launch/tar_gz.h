#pragma once

#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::launch {

/// One member of an archive.
struct TarMember {
  std::string name;  ///< relative, with slashes
  std::string content;
  std::string link;  ///< where a symbolic link leads; empty for a file
  bool executable = false;
};

/// Appends the member in the form of POSIX.1-2001 (pax): ustar, with an extended header for what does not fit
/// it. Owners are 0 and times are 1980-01-01.
void append_tar(std::string& tar, const TarMember& member);
/// The two empty blocks at an archive's end.
void end_tar(std::string& tar);

/// RFC 1952, without name and time. Errors (kLocal): zlib's.
Result<std::string> gzip(std::string_view bytes);

}  // namespace slipway::launch
