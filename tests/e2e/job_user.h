#pragma once

#include <map>
#include <string>
#include <vector>

#include "e2e/slipway_user.h"

namespace slipway::test {

/// Somebody who launches jobs of the toy trainer (examples/toy-trainer) on an emulator of their own.
class JobUser : public EmulatorUser {
 public:
  explicit JobUser(const std::vector<std::string>& start_flags = {"--provision-delay", "50ms"});
  ~JobUser();

  using Keys = std::map<std::string, std::string>;
  /// Writes job.yaml: two v4-16 slices (four workers), 30 steps of 50 ms, a checkpoint every 10, with `keys`
  /// in place of what it would say, or beside it; a key with an empty value is left out.
  void write_job(const Keys& keys = {}, const Keys& env = {}) const;
  /// The same with a command of /bin/bash and slices of one worker each, without checkpoints.
  void write_plain_job(const std::string& command, Keys keys = {}) const;
  /// slipway launch train -f job.yaml WORDS.
  Ended launch(const std::vector<std::string>& words = {},
               std::chrono::seconds limit = std::chrono::seconds(120)) const;
  std::unique_ptr<Program> start_launch(const std::vector<std::string>& words = {}) const;
  /// status --format json, of a job that may be over.
  Json status() const;
  /// Waits until `holds` of the status; false after `limit`.
  bool eventually(const std::function<bool(const Json&)>& holds,
                  std::chrono::seconds limit = std::chrono::seconds(90)) const;
  /// Waits until a step of `attempt` has been done, at least number `step`.
  bool reaches(int attempt, int step) const;
  /// Waits until the job is over: its verdict.
  std::string verdict() const;
  /// Waits until `holds`.
  bool until(const std::function<bool()>& holds) const;
  /// A folder that all workers see too, at the same path.
  const std::string& shared() const { return shared_; }
  /// emulator WORDS, which has to work.
  void emulator(const std::string& words) const;

  struct Step {
    int attempt;
    int step;
  };
  /// What process 0 did, in order.
  std::vector<Step> steps() const;
  /// What is wrong with the steps: empty when each of 1 to `last` was done, in order but for those that a
  /// later attempt did again because they were behind the last commit; `saves` is the distance of commits.
  std::string flaw(int last, int saves = 10) const;
  /// A curl of the bucket's API: METHOD, path behind the host, body.
  Ended storage(const std::string& method, const std::string& path, const std::string& body = "") const;
  /// The text of the object below the launch's prefix, such as "ctl/attempt/000001/verdict".
  std::string object(const std::string& name) const;
  void put_object(const std::string& name, const std::string& text) const;
  /// A file of a worker's, seen from outside: "root/name".
  std::string worker_file(const std::string& address, const std::string& name) const;
  /// The startup script's own log of a worker: "127.1.0.1".
  std::string console(const std::string& address) const;

 private:
  std::string shared_;  ///< a folder that all workers see too: /tmp is each worker's own
};

/// The state of the attempt at `index` of a status; empty when there is none yet.
std::string attempt_state(const Json& status, std::size_t index);
/// The first worker of `slice` in a status.
Json worker(const Json& status, int slice);

}  // namespace slipway::test
