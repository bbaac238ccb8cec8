#pragma once

#include <string>

#include "cli/api.h"

namespace slipway::cli {

/// One create or delete, with its requestId on the disk from before it is sent until its end was seen: the
/// same command after a lost answer or a crash is the same intent, and asks for the same thing again.
class Intent {
 public:
  /// `content` is what makes a repetition the same intent. Where nothing can be written down it says so and
  /// goes on with an id that only this process knows.
  static Intent open(Api& api, std::string verb, QueuedResourceName name, const std::string& content,
                     const Services& services);

  const std::string& request_id() const { return request_id_; }
  void close();
  /// Closes it if `error` is an end: what may still have arrived, or still goes on, stays open.
  void settle(const Error& error);

 private:
  Intent(Api& api, std::string verb, QueuedResourceName name, std::string request_id)
      : api_(&api), verb_(std::move(verb)), name_(std::move(name)), request_id_(std::move(request_id)) {}

  Api* api_;
  std::string verb_;
  QueuedResourceName name_;
  std::string request_id_;
};

}  // namespace slipway::cli
