#include "unit/fleet/bed.h"

#include <filesystem>

namespace slipway::test {
namespace {

Sshd::Options for_many(const std::vector<std::string>& config) {
  Sshd::Options options;
  // Of this one setting sshd takes the last line, of the others the first.
  options.config = {"MaxStartups 2000"};
  options.config.insert(options.config.end(), config.begin(), config.end());
  options.config.emplace_back("LogLevel ERROR");
  return options;
}

ssh::Identity make_stranger(const std::string& path) {
  make_key(path, "ed25519", "", false);
  return ssh::Identity::load(path).value();
}

}  // namespace

Bed::Bed(const std::vector<std::string>& config)
    : sshd_(for_many(config)),
      dead_port_(free_port(Sshd::address())),
      identity_(ssh::Identity::load(sshd_.key_path()).value()),
      stranger_(make_stranger(folder_ / "stranger")) {
  std::filesystem::create_directory(folder_ / "marks");
}

std::vector<fleet::Target> Bed::targets(std::size_t slices, std::size_t workers) const {
  std::vector<fleet::Target> targets = make_targets(slices, workers);
  for (fleet::Target& target : targets) {
    target.address = Sshd::address();
    target.port = sshd_.port();
    target.pins = sshd_.pins();
  }
  return targets;
}

fleet::FanOutOptions Bed::options() const {
  fleet::FanOutOptions options;
  options.user = Sshd::user();
  options.identity = &identity_;
  return options;
}

ssh::HostKeyPins Bed::other_pins() const { return {read_public_key(folder_ / "stranger.pub")}; }

std::ptrdiff_t Bed::count(const std::string& name) const {
  return std::distance(std::filesystem::directory_iterator(folder_ / name),
                       std::filesystem::directory_iterator());
}

}  // namespace slipway::test
