#pragma once

#include <sys/types.h>

#include <fstream>
#include <string>
#include <vector>

namespace slipway::test {

/// The processes that `pid` has started and not buried.
inline std::vector<pid_t> children_of(pid_t pid) {
  const std::string number = std::to_string(pid);
  std::ifstream text("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; text >> child;) children.push_back(child);
  return children;
}

}  // namespace slipway::test
