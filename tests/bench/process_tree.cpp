#include "bench/process_tree.h"

#include <dirent.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace slipway::bench {
namespace {

struct CloseDirectory {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

std::vector<pid_t> all_processes() {
  std::vector<pid_t> all;
  const std::unique_ptr<DIR, CloseDirectory> proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const int pid = std::atoi(entry->d_name);
    if (pid > 0) all.push_back(pid);
  }
  return all;
}

/// The field behind the state in /proc/PID/stat; the name before it may hold blanks and parentheses. 0: it is
/// gone.
pid_t parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(line.substr(name_end + 1));
  std::string state;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

std::size_t proportional_kib(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
  std::string word;
  while (file >> word) {
    std::size_t kib = 0;
    if (word == "Pss:" && file >> kib) return kib;
  }
  return 0;
}

}  // namespace

std::vector<pid_t> process_tree(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  for (const pid_t pid : all_processes()) children.emplace(parent_of(pid), pid);
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto [begin, end] = children.equal_range(tree[i]);
    for (auto child = begin; child != end; ++child) tree.push_back(child->second);
  }
  return tree;
}

std::size_t proportional_kib(const std::vector<pid_t>& processes) {
  std::size_t sum = 0;
  for (const pid_t pid : processes) sum += proportional_kib(pid);
  return sum;
}

void kill_tree(pid_t root) {
  // From the root on, so that nobody is left who would start another.
  for (const pid_t pid : process_tree(root)) ::kill(pid, SIGKILL);
}

}  // namespace slipway::bench
