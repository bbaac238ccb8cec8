#include "launch/git.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::launch {
namespace {

std::string last_line(const std::string& path) {
  const Result<std::string> text = read_file(path);
  ::unlink(path.c_str());
  if (!text.ok()) return "";
  return printable(split(trim(*text), '\n').back());
}

}  // namespace

Result<std::string> git(const std::vector<std::string>& words, std::size_t limit) {
  const std::string folder = env("TMPDIR").empty() ? "/tmp" : env("TMPDIR");
  const std::string complaints = fmt::format("{}/slipway-git-{}", folder, make_uuid());
  const std::string line =
      fmt::format("GIT_TERMINAL_PROMPT=0 git {} </dev/null 2>{}", shell_join(words), shell_quote(complaints));
  FILE* pipe = ::popen(line.c_str(), "re");
  if (pipe == nullptr) return system_error(ErrorCode::kLocal, "cannot start git", errno);
  std::string out;
  char buffer[65'536];
  while (const std::size_t size = ::fread(buffer, 1, sizeof buffer, pipe)) {
    if (out.size() <= limit) out.append(buffer, size);
  }
  const int status = ::pclose(pipe);
  const std::string said = last_line(complaints);
  if (status == 0 && out.size() <= limit) return out;
  if (status == 0)
    return Error(ErrorCode::kUsage, fmt::format("git {} says more than {} bytes", words.front(), limit));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return Error(ErrorCode::kUnavailable, fmt::format("git {} ended with {}", words.front(), code)).why(said);
}

}  // namespace slipway::launch
