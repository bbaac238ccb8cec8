#include "slipway/launch/job_objects.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::launch {
namespace {

std::optional<int> to_number(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

/// "a/b/7/" below "a/b/" is 7.
std::optional<int> numbered_folder(const std::string& name, std::size_t parent) {
  return to_number(std::string_view(name).substr(parent, name.size() - parent - 1));
}

Result<std::vector<int>> numbered_folders(storage::Bucket& bucket, const std::string& parent) {
  TRY(const storage::Listing listing, bucket.list({parent, "/", "", 0}));
  std::vector<int> numbers;
  for (const std::string& folder : listing.prefixes) {
    if (const auto number = numbered_folder(folder, parent.size())) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

Result<std::vector<Launch>> launches(storage::Bucket& bucket, const std::string& home) {
  TRY(const std::vector<int> numbers, numbered_folders(bucket, home + "/"));
  std::vector<Launch> found;
  for (const int number : numbers) found.push_back({number, fmt::format("{}/{}", home, number)});
  return found;
}

Result<JobStatus> JobReader::look() {
  const std::string folder = prefix_ + "/ctl/";
  TRY(const storage::Listing listing, bucket_.list({folder, "", "", 0}));
  std::vector<std::string> names;
  std::map<std::string, std::int64_t> generations;
  for (const storage::ObjectInfo& object : listing.objects) {
    names.push_back(object.name.substr(folder.size()));
    generations[names.back()] = object.generation;
  }
  std::map<std::string, std::string> objects;
  for (const std::string& name : names) objects[name];
  for (const std::string& name : objects_to_read(names)) {
    Seen& seen = seen_[name];
    if (seen.generation != generations[name]) {
      TRY(const std::optional<storage::Object> object, bucket_.find(folder + name));
      if (!object) continue;
      seen = {generations[name], object->bytes};
    }
    objects[name] = seen.content;
  }
  return job_status(objects);
}

std::string stopped_object(const JobStatus& status, const std::string& text,
                           std::chrono::system_clock::time_point now) {
  long step = -1;
  int failures = 0;
  int preemptions = 0;
  for (const AttemptStatus& attempt : status.attempts) {
    step = std::max(step, attempt.resume_step);
    if (!attempt.verdict) continue;
    step = std::max(step, attempt.verdict->step);
    failures = attempt.verdict->failures;
    preemptions = attempt.verdict->preemptions;
  }
  return fmt::format(
      "verdict=stopped\ntext={}\nstep={}\nhangs=0\nfailures={}\nstuck=0\nsetups=0\npreemptions={}\npause=0\n"
      "by=user\ntime={}\nattempt={}\n",
      text, step, failures, preemptions, format_rfc3339(now),
      status.attempts.empty() ? 0 : status.attempts.back().number);
}

LogReader::LogReader(storage::Bucket& bucket, std::string prefix, int slice, int worker)
    : bucket_(bucket), prefix_(std::move(prefix)), slot_(fmt::format("{}-{}", slice, worker)) {}

std::string LogReader::folder(int attempt) const {
  return fmt::format("{}/logs/{:06d}/{}/", prefix_, attempt, slot_);
}

Result<std::string> LogReader::more(int attempt) {
  std::string& last = last_[attempt];
  TRY(const storage::Listing listing, bucket_.list({folder(attempt), "", last, 0}));
  std::string text;
  for (const storage::ObjectInfo& object : listing.objects) {
    if (object.name == last) continue;
    TRY(const storage::Object piece, bucket_.get(object.name));
    text += piece.bytes;
    last = object.name;
  }
  return text;
}

Result<std::vector<int>> LogReader::attempts() { return numbered_folders(bucket_, prefix_ + "/logs/"); }

}  // namespace slipway::launch
