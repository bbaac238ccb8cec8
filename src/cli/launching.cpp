#include "cli/launching.h"

#include "cli/creation.h"
#include "slipway/core/format.h"
#include "slipway/core/json.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr std::size_t kLongestShown = 60;

/// "command: was 'a', is 'b'", a line each.
std::string spec_differences(const std::string& before, const std::string& now) {
  const Result<Json> old_spec = parse_json(before);
  const Result<Json> new_spec = parse_json(now);
  if (!old_spec.ok() || !new_spec.ok()) return "the spec in the bucket cannot be read";
  std::vector<std::string> lines;
  for (const auto& [key, value] : new_spec->items()) {
    const Json* other = find_member(*old_spec, key);
    const std::string was = other == nullptr ? "" : dump_json(*other);
    const std::string is = dump_json(value);
    if (was == is) continue;
    lines.push_back(fmt::format("{}: was {}, is {}", key, shortened(printable(was), kLongestShown),
                                shortened(printable(is), kLongestShown)));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

bool is_dead(const QueuedResource& resource) {
  return resource.state == QueuedResourceState::kFailed ||
         resource.state == QueuedResourceState::kSuspended ||
         resource.state == QueuedResourceState::kDeleting;
}

}  // namespace

std::string job_uri(const launch::JobSpec& job) {
  return fmt::format("gs://{}/{}", job.home.bucket, launch::job_prefix(job));
}

Result<CreateRequest> with_job(CreateRequest request, const launch::JobSpec& job,
                               const launch::ServiceEndpoints& endpoints) {
  TRY(const std::string script, launch::startup_script(job, endpoints));
  TRY(request.add_metadata("startup-script", script));
  TRY(request.add_metadata(kJobMetadata, job_uri(job)));
  return request;
}

Launching::Launching(Api& api, const QueuedResourceName& name, launch::JobSpec job,
                     const std::optional<launch::CodeArchive>& archive, CreateRequest request,
                     const LaunchingOptions& options, Services& services)
    : api_(api),
      name_(name),
      job_(std::move(job)),
      archive_(archive),
      request_(std::move(request)),
      options_(options),
      services_(services),
      bucket_(api.bucket(job_.home.bucket)) {}

Result<JobPlace> Launching::run(const launch::ServiceEndpoints& endpoints) {
  TRY(choose_launch());
  TRY(request_, with_job(std::move(request_), job_, endpoints));
  TRY(check_resource());
  TRY(upload_code());
  if (is_new_) TRY(write_spec());
  const CreationOptions behaviour{true, options_.recreate, false, false, "launch"};
  const Countdown countdown(std::nullopt, services_.clock);
  if (const auto made = Creation(api_, name_, request_, behaviour, countdown, services_).run(); !made.ok()) {
    forget_refused(made.error());
    return made.error();
  }
  JobPlace place;
  place.bucket = job_.home.bucket;
  place.launch = {job_.launch, launch::job_prefix(job_)};
  return place;
}

/// A name is used once, by one spec; unless the user wants another launch of it.
Result<void> Launching::choose_launch() {
  TRY(const std::vector<launch::Launch> all, launch::launches(bucket_, launch::job_home(job_)));
  if (all.empty()) return {};
  TRY(const std::optional<storage::Object> spec, bucket_.find(all.back().prefix + "/spec.json"));
  job_.launch = all.back().number;
  const std::string before = spec ? spec->bytes : "";
  if (options_.replace) {
    job_.launch = all.back().number + 1;
    return {};
  }
  if (before != launch::job_document(job_)) return another_spec(before);
  return take_over(all.back(), before);
}

Result<void> Launching::take_over(const launch::Launch& before, const std::string&) {
  is_new_ = false;
  TRY(const launch::JobStatus status, launch::JobReader(bucket_, before.prefix).look());
  if (!status.finished && !status.stop_asked) {
    services_.say(fmt::format("{} was launched before, as asked for: {}", name_.id, job_uri(job_)));
    return {};
  }
  const std::string word = status.finished ? status.finished->word : "being stopped";
  return Error(ErrorCode::kConflict, fmt::format("the job '{}' is over: {}", name_.id, word))
      .why(status.finished ? printable(status.finished->text) : "somebody stopped it")
      .next(fmt::format("slipway launch {} --replace ...   (launches it anew)", shell_quote(name_.id)));
}

Error Launching::another_spec(const std::string& before) const {
  return Error(ErrorCode::kConflict,
               fmt::format("the name '{}' has another job in {}", name_.id, job_uri(job_)))
      .why(before.empty() ? "its spec is not there" : spec_differences(before, launch::job_document(job_)))
      .next(fmt::format("slipway launch {} --replace ...   (or take another name)", shell_quote(name_.id)));
}

/// A resource of this name that works for somebody else is never taken over.
Result<void> Launching::check_resource() {
  const Result<QueuedResource> there = api_.client().get(name_);
  if (!there.ok()) {
    return there.error().code() == ErrorCode::kNotFound ? Result<void>() : Result<void>(there.error());
  }
  if (options_.recreate && is_dead(*there)) return {};
  const std::string uri = job_uri_of(*there);
  if (uri == job_uri(job_)) return {};
  return Error(ErrorCode::kConflict,
               fmt::format("the queued resource '{}' is there already, and is not this launch's", name_.id))
      .why(uri.empty() ? "it was not made by slipway launch" : fmt::format("it works for {}", printable(uri)))
      .next(fmt::format("slipway delete {} --force", shell_quote(name_.id)));
}

Result<void> Launching::upload_code() {
  if (!archive_) return {};
  const std::string uri = job_.code.uri();
  const Result<storage::ObjectInfo> there = bucket_.stat(job_.code.prefix);
  if (there.ok()) {
    services_.say(fmt::format("code: {} is there already", uri));
    return {};
  }
  if (there.error().code() != ErrorCode::kNotFound) return there.error();
  const auto stored =
      bucket_.put(job_.code.prefix, archive_->bytes, storage::Condition::absent(), "application/gzip");
  if (!stored.ok() && stored.error().code() != ErrorCode::kConflict) return stored.error();
  services_.say(fmt::format("code: {}, {} KiB, as {}", printable(archive_->origin),
                            (archive_->bytes.size() + 1023) / 1024, uri));
  return {};
}

void Launching::forget_refused(const Error& error) {
  const ErrorCode code = error.code();
  const bool may_still_come =
      code == ErrorCode::kUnavailable || code == ErrorCode::kInterrupted || code == ErrorCode::kTimeout;
  if (!spec_generation_ || may_still_come) return;
  const Result<QueuedResource> there = api_.client().get(name_);
  if (there.ok() || there.error().code() != ErrorCode::kNotFound) return;
  // What stays is a name that only --replace takes; the error that is on its way out matters more.
  static_cast<void>(bucket_.remove(launch::job_prefix(job_) + "/spec.json",
                                   storage::Condition::unchanged(*spec_generation_)));
}

/// Whoever writes it has the launch.
Result<void> Launching::write_spec() {
  const std::string name = launch::job_prefix(job_) + "/spec.json";
  const std::string document = launch::job_document(job_);
  const auto written = bucket_.put(name, document, storage::Condition::absent(), "application/json");
  if (written.ok()) {
    spec_generation_ = written->generation;
    return {};
  }
  if (written.error().code() != ErrorCode::kConflict) return written.error();
  TRY(const storage::Object other, bucket_.get(name));
  return other.bytes == document ? Result<void>() : another_spec(other.bytes);
}

}  // namespace slipway::cli
