#pragma once

#include <string>

#include "slipway/core/result.h"

namespace slipway::cli {

/// Whether a project's slipway.yaml, which may have come with somebody's repository, may set `flag` at all.
/// Not: what sends or writes files from elsewhere than the project, changes who we are, where tokens go, what
/// is trusted or runs on this machine, or takes away a question or a guard. A flag that nobody decided on is
/// not.
bool project_may_set(const std::string& flag);

/// Whether `flag` of `command` names files to send, so that a project's file may only say project_path()s.
bool is_project_path(const std::string& command, const std::string& flag);

/// `word` as an absolute path, which begins at `folder`, where the project's file stands. gs:// stays as it
/// is. Errors (kUsage): it leaves the folder, by .. or a link; it is hidden, as .env and .git/config with
/// their secrets are; it is a URL of git, which would be asked as the user.
Result<std::string> project_path(const std::string& folder, const std::string& word);

}  // namespace slipway::cli
