#pragma once

#include <mutex>
#include <string>

#include "emulator/request.h"
#include "slipway/core/fd.h"

namespace slipway::emulator {

/// What befell a request on its way: a fault, and whether its answer was lost.
struct Mishap {
  std::string fault;  ///< its id; empty for none
  bool lost = false;
};

/// The requests as JSON lines in a file: time, method, path, query, body (of an upload of bytes:
/// their number, bodyBytes), status (of the answer that was
/// made, if it was lost; none if nothing was done), requestId, fault, lost. Never a token. Several threads
/// write.
class RequestLog {
 public:
  explicit RequestLog(const std::string& path);
  void add(const ApiRequest& request, int status, const Mishap& mishap = {});

 private:
  std::mutex mutex_;
  Fd file_;
};

}  // namespace slipway::emulator
