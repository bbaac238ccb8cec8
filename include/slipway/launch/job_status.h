#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slipway::launch {

/// How the command of one worker ended, in one attempt.
struct WorkerExit {
  int slice = 0;
  int worker = 0;
  std::string code;        ///< a number; "setup" when it never began, "none" when the attempt ended before
  bool told = false;       ///< it was told to end (TERM)
  bool preempted = false;  ///< its machine was being taken away
};

/// What the workers agreed on at the end of an attempt, and what counts on into the next.
struct Verdict {
  std::string word;  ///< done, preempted, failed, give-up, stopped
  std::string text;
  std::string time;  ///< RFC 3339
  long step = -1;    ///< newest committed checkpoint then; -1 for none
  int failures = 0;  ///< in a row, without progress
  int preemptions = 0;
};

struct AttemptStatus {
  int number = 0;
  std::string started;             ///< RFC 3339; empty while its workers meet
  long resume_step = -1;           ///< -1: from the beginning
  std::vector<std::string> ready;  ///< "slice-worker" of those who are set up
  std::vector<std::string> late;   ///< "slice-worker" that the barrier still waits for, once that is long
  std::string end_reason;          ///< why all were told to end; empty when nobody was
  std::string end_text;            ///< the first error, with slice and worker
  std::vector<WorkerExit> exits;
  std::optional<Verdict> verdict;
};

/// Where one worker is now.
struct SlotStatus {
  int slice = 0;
  int worker = 0;
  std::string phase;  ///< code, setup, barrier, running, back-off, finished
  int attempt = 0;
  std::string address;
  std::string instance;
  std::string time;    ///< RFC 3339, of the last word
  long step = -1;      ///< the newest committed step that it has seen; -1 for none
  std::string phases;  ///< "boot=2s code=1s ..": how long each step of its start took
};

struct JobStatus {
  std::vector<AttemptStatus> attempts;  ///< by number
  std::vector<SlotStatus> slots;        ///< by slice and worker
  std::optional<Verdict> finished;
  bool stop_asked = false;
  bool released = false;        ///< the job gave its resource back
  std::string release_refused;  ///< why it did not, though its policy says so
};

/// Of the names below "<job>/ctl/", those whose content job_status() reads: a few an attempt, one a worker.
std::vector<std::string> objects_to_read(const std::vector<std::string>& names);

/// `objects` holds every name below "<job>/ctl/"; content may be empty for those that objects_to_read()
/// leaves out. What is not of the protocol's form is passed over: a newer slipway may write more.
JobStatus job_status(const std::map<std::string, std::string>& objects);

}  // namespace slipway::launch
