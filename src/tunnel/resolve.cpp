#include "slipway/tunnel/resolve.h"

#include <netdb.h>
#include <sys/socket.h>

#include <array>

#include "slipway/core/format.h"

namespace slipway::tunnel {

Result<std::vector<std::string>> resolve(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (failure != 0) {
    return Error(ErrorCode::kUnavailable, fmt::format("cannot find the address of '{}'", host))
        .why(::gai_strerror(failure));
  }
  std::vector<std::string> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    std::array<char, 64> text{};
    if (::getnameinfo(one->ai_addr, one->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) ==
        0)
      addresses.emplace_back(text.data());
  }
  ::freeaddrinfo(found);
  return addresses;
}

}  // namespace slipway::tunnel
