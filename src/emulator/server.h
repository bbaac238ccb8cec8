#pragma once

#include <memory>
#include <string>

#include "emulator/request_log.h"
#include "emulator/service.h"
#include "emulator/storage.h"
#include "slipway/core/result.h"

namespace slipway::emulator {

/// HTTP on 127.0.0.1 in front of a Service and a Storage, with threads of its own until it is destroyed.
class Server {
 public:
  /// Binds and begins to answer. `service`, `storage` and `log` outlive it. `port` 0: any free one. Errors:
  /// kLocal.
  static Result<std::unique_ptr<Server>> start(int port, Service& service, Storage& storage, RequestLog& log);
  virtual ~Server() = default;
  virtual int port() const = 0;
};

}  // namespace slipway::emulator
