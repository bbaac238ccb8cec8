#include "slipway/ssh/agent.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "slipway/core/clock.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/public_key.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

constexpr char kRequestIdentities = 11;
constexpr char kIdentitiesAnswer = 12;
constexpr char kSignRequest = 13;
constexpr char kSignResponse = 14;
constexpr std::uint32_t kRsaSha256 = 2;
constexpr std::uint32_t kRsaSha512 = 4;

/// OpenSSH's own limit for a message of an agent.
constexpr std::size_t kLargestMessage = std::size_t{256} << 10;
constexpr int kListSeconds = 10;
constexpr int kSignSeconds = 60;  ///< a person may have to agree

Error no_answer(const std::string& why) {
  return Error(ErrorCode::kDenied, "the ssh agent does not answer").why(why);
}

std::uint32_t flags_for(std::string_view algorithm) {
  if (algorithm == "rsa-sha2-512") return kRsaSha512;
  if (algorithm == "rsa-sha2-256") return kRsaSha256;
  return 0;
}

/// Waits for `events`; false when the time is over or a signal came.
bool wait_for(int fd, short events, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - BootClock::now());
  pollfd waiting{fd, events, 0};
  return left.count() > 0 && ::poll(&waiting, 1, static_cast<int>(left.count())) > 0;
}

Result<void> send_all(int fd, std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN || !wait_for(fd, POLLOUT, deadline)) {
      return no_answer(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
    }
  }
  return {};
}

Result<std::string> receive_exactly(int fd, std::size_t size, Clock::time_point deadline) {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t count = ::recv(fd, bytes.data() + have, size - have, 0);
    if (count == 0) return no_answer("it closed the connection");
    if (count > 0) {
      have += static_cast<std::size_t>(count);
    } else if (errno != EAGAIN || !wait_for(fd, POLLIN, deadline)) {
      return no_answer(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
    }
  }
  return bytes;
}

}  // namespace

Result<Agent> Agent::connect(const std::string& path) {
  const auto refused = [&](const std::string& why) {
    return Error(ErrorCode::kUsage, "there is no ssh agent to ask")
        .why(why)
        .next("eval \"$(ssh-agent)\"; ssh-add");
  };
  if (path.empty()) return refused("SSH_AUTH_SOCK is not set");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return refused("SSH_AUTH_SOCK is too long for a socket's name");
  std::memcpy(address.sun_path, path.data(), path.size());
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return refused(fmt::format("'{}': {}", printable(path), std::strerror(errno)));
  return Agent(std::move(fd));
}

Result<std::string> Agent::ask(std::string_view request, int timeout_seconds) {
  const auto deadline = BootClock::now() + std::chrono::seconds(timeout_seconds);
  TRY(send_all(fd_.get(), wire_string(request), deadline));
  TRY(const std::string header, receive_exactly(fd_.get(), 4, deadline));
  const std::uint32_t size = *WireReader(header).uint32();
  if (size == 0 || size > kLargestMessage) return no_answer("its answer is no agent's answer");
  return receive_exactly(fd_.get(), size, deadline);
}

Result<std::vector<AgentKey>> Agent::keys() {
  TRY(const std::string answer, ask(std::string(1, kRequestIdentities), kListSeconds));
  WireReader reader(answer);
  if (reader.byte() != kIdentitiesAnswer) return no_answer("it does not list its keys");
  const std::uint32_t count = reader.uint32().value_or(0);
  std::vector<AgentKey> keys;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto blob = reader.string(), comment = reader.string();
    if (!comment) return no_answer("its list of keys ends too early");
    if (auto type = type_of_public_blob(*blob))
      keys.push_back({std::move(*type), std::string(*blob), std::string(*comment)});
  }
  return keys;
}

Result<std::string> Agent::sign(std::string_view blob, std::string_view algorithm, std::string_view data) {
  TRY(const std::string answer, ask(std::string(1, kSignRequest) + wire_string(blob) + wire_string(data) +
                                        wire_uint32(flags_for(algorithm)),
                                    kSignSeconds));
  WireReader reader(answer);
  if (reader.byte() != kSignResponse) return Error(ErrorCode::kDenied, "the ssh agent refused to sign");
  WireReader signature(reader.string().value_or(""));
  const auto made_with = signature.string(), bytes = signature.string();
  if (!bytes) return Error(ErrorCode::kDenied, "the ssh agent's signature is damaged");
  // An agent that does not know the flags for RSA answers with SHA-1.
  if (*made_with != algorithm) {
    return Error(ErrorCode::kDenied, fmt::format("the ssh agent signs with {} and not with {}",
                                                 printable(*made_with), algorithm));
  }
  return std::string(*bytes);
}

}  // namespace slipway::ssh
