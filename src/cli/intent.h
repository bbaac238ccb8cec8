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
  /// Forgets what is open for this resource and verb, whoever opened it: its end was seen another way.
  static void forget(Api& api, const std::string& verb, const QueuedResourceName& name);

  const std::string& request_id() const { return entry_.request_id; }
  /// An earlier run of the same command may have sent it.
  bool resumed() const { return entry_.resumed; }
  /// When this requestId was first used: what a span in the request counts from.
  std::chrono::system_clock::time_point opened_at() const { return entry_.opened_at; }
  /// Since when an earlier run may have acted; nothing when there was none.
  std::optional<std::chrono::system_clock::time_point> may_have_acted_since() const;

  void close();
  /// Closes it if `error` is an end: what may still have arrived, or still goes on, stays open.
  void settle(const Error& error);

 private:
  Intent(Api& api, std::string verb, QueuedResourceName name, tpu::JournalEntry entry)
      : api_(&api), verb_(std::move(verb)), name_(std::move(name)), entry_(std::move(entry)) {}

  Api* api_;
  std::string verb_;
  QueuedResourceName name_;
  tpu::JournalEntry entry_;
};

}  // namespace slipway::cli
