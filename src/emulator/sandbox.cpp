#include "emulator/sandbox.h"

#include <unistd.h>

#include "emulator/process.h"
#include "slipway/core/file.h"
#include "slipway/core/text.h"

namespace slipway::emulator {
namespace {

constexpr const char* kBootId = "/proc/sys/kernel/random/boot_id";

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::vector<std::string> bubblewrap(const std::string& hostname) {
  return {find_program("bwrap"),
          "--die-with-parent",
          "--unshare-pid",
          "--unshare-uts",
          "--hostname",
          hostname,
          "--unshare-ipc",
          "--dev-bind",
          "/",
          "/",
          "--proc",
          "/proc"};
}

}  // namespace

Isolation find_isolation(const std::string& scratch_folder, std::string& why) {
  if (find_program("bwrap").empty()) {
    why = "bubblewrap (bwrap) is not installed";
    return Isolation::kPlain;
  }
  const std::string log = scratch_folder + "/bubblewrap.log";
  std::vector<std::string> trial = bubblewrap("trial");
  append(trial, {"--ro-bind", "/dev/null", kBootId, find_program("true")});
  const Result<int> status = run({trial, {"PATH=/usr/bin:/bin"}, log});
  const Result<std::string> words = read_file(log);
  ::unlink(log.c_str());
  if (status.ok() && *status == 0) return Isolation::kNamespaces;
  why = words.ok() ? std::string(trim(*words)) : "bubblewrap does not run here";
  return Isolation::kPlain;
}

std::vector<std::string> sandboxed(const std::string& folder, const std::string& hostname,
                                   const std::vector<std::string>& command) {
  std::vector<std::string> words = bubblewrap(hostname);
  append(words, {"--bind", folder + "/root", "/root"});
  append(words, {"--bind", folder + "/home", "/home"});
  append(words, {"--bind", folder + "/tmp", "/tmp"});
  append(words, {"--bind", folder + "/run", "/run"});
  append(words, {"--ro-bind", "/etc", "/etc"});  // useradd and its like would write beside the files below
  append(words, {"--bind", folder + "/ssh", "/etc/ssh"});
  append(words, {"--bind", folder + "/log", "/var/log"});
  for (const std::string file : {"passwd", "group", "shadow"}) {
    append(words, {"--bind", folder + "/etc/" + file, "/etc/" + file});
  }
  append(words, {"--bind", folder + "/etc/hosts", "/etc/hosts"});
  // The kernel has one boot id for all namespaces; a worker that boots has to have one of its own.
  append(words, {"--ro-bind", folder + "/etc/boot_id", kBootId});
  append(words, {"--chdir", "/", "--"});
  append(words, command);
  return words;
}

}  // namespace slipway::emulator
