#pragma once

#include <mutex>
#include <string>

#include "emulator/request.h"
#include "slipway/core/fd.h"

namespace slipway::emulator {

/// The requests as JSON lines in a file: time, method, path, query, body, status, requestId. Never a token.
/// Several threads write.
class RequestLog {
 public:
  explicit RequestLog(const std::string& path);
  void add(const ApiRequest& request, const Answer& answer);

 private:
  std::mutex mutex_;
  Fd file_;
};

}  // namespace slipway::emulator
