#include "slipway/core/error.h"

#include <cstring>

namespace slipway {

Error Error::interrupted(int number, std::string message) {
  Error error(ErrorCode::kInterrupted, std::move(message));
  error.signal_ = number;
  return error;
}

Error system_error(ErrorCode code, const std::string& what, int error_number) {
  return Error(code, what + ": " + std::strerror(error_number));
}

}  // namespace slipway
