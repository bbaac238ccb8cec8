#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
#include "cli/deletion.h"
#include "cli/dry_run.h"
#include "cli/exit_code.h"
#include "cli/find_resource.h"
#include "cli/flag_values.h"
#include "cli/several.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"("deleted" is said after the resource is seen to be gone. Of several names one that cannot be deleted stops none of the
others. One whose deletion runs already is waited for.

Examples:
  slipway delete train-1 --force --yes           # with its slices
  slipway delete train-1 train-2 --if-exists --yes       # for scripts: no error when one is gone already)";

struct DeleteOptions {
  std::vector<std::string> ids;
  bool force = false;
  bool async = false;
  bool wait = false;
  bool if_exists = false;
  std::string timeout;
};

std::string described(const QueuedResource& resource) {
  return fmt::format("{} ({}, {})", resource.name.id, printable(resource.state_text),
                     counted(resource.slice_names().size(), "slice"));
}

std::string question_for(const std::vector<QueuedResource>& resources) {
  if (resources.size() == 1) return fmt::format("Delete {}?", described(resources.front()));
  std::string list;
  for (const QueuedResource& resource : resources) list += fmt::format("  {}\n", described(resource));
  return fmt::format("Delete these {}?\n{}", resources.size(), list);
}

/// One delete command: the names that it was given, and what becomes of each.
class DeleteCommand {
 public:
  DeleteCommand(const DeleteOptions& options, Api& api, const std::vector<QueuedResourceName>& names,
                Services& services)
      : options_(options),
        api_(api),
        names_(names),
        services_(services),
        errors_("delete", names.size(), services) {}

  /// What of the names is there to be deleted; says what is not.
  std::vector<QueuedResource> find();
  Result<void> perform(const std::vector<QueuedResource>& resources, const Countdown& countdown);
  Result<int> result() const { return errors_.result(); }

 private:
  void missing(const QueuedResourceName& name, const Error& error);

  const DeleteOptions& options_;
  Api& api_;
  const std::vector<QueuedResourceName>& names_;
  Services& services_;
  Several errors_;
};

std::vector<QueuedResource> DeleteCommand::find() {
  std::vector<QueuedResource> there;
  std::vector<Result<QueuedResource>> found = api_.client().get_many(names_);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!found[i].ok()) {
      missing(names_[i], found[i].error());
    } else if (finish_earlier_deletion(api_, names_[i], &*found[i])) {
      errors_.add(
          Error(ErrorCode::kConflict,
                fmt::format("an earlier run of this command has deleted '{}', and another one was made since",
                            names_[i].id))
              .why(fmt::format("this one is of {}; it is left as it is", found[i]->create_time))
              .next("the same command again deletes this one"));
    } else {
      there.push_back(std::move(*found[i]));
    }
  }
  return there;
}

void DeleteCommand::missing(const QueuedResourceName& name, const Error& error) {
  if (error.code() != ErrorCode::kNotFound) return errors_.add(error);
  if (finish_earlier_deletion(api_, name, nullptr)) {
    services_.say(fmt::format("{} is deleted, by an earlier run of this command", name.id));
  } else if (options_.if_exists) {
    services_.say(fmt::format("{} does not exist", name.id));
  } else {
    errors_.add(no_such_resource(api_, name));
  }
}

/// All are asked for before the first is waited for. An interrupt ends it at once.
Result<void> DeleteCommand::perform(const std::vector<QueuedResource>& resources,
                                    const Countdown& countdown) {
  std::vector<Deletion> running;
  for (const QueuedResource& resource : resources) {
    Deletion deletion(api_, resource, options_.force ? Force::kYes : Force::kNo, services_);
    Result<void> sent = deletion.send();
    if (!sent.ok() && sent.error().code() == ErrorCode::kInterrupted) return sent;
    if (sent.ok())
      running.push_back(std::move(deletion));
    else
      errors_.add(sent.error());
  }
  for (Deletion& deletion : running) {
    if (options_.async) {
      deletion.leave();
      continue;
    }
    Result<void> gone = deletion.see_gone(countdown);
    if (!gone.ok() && gone.error().code() == ErrorCode::kInterrupted) return gone;
    if (gone.ok())
      services_.say(fmt::format("{} is deleted", deletion.name().id));
    else
      errors_.add(gone.error());
  }
  return {};
}

Result<int> run_delete(const DeleteOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const std::vector<ResourceSettings> all, resolve_settings_for_each(global, options.ids));
  if (dry_run) {
    for (const ResourceSettings& one : all)
      show_call(tpu::delete_call(one.name, options.force, make_uuid()), one.settings, global, services);
    return kOk;
  }
  std::vector<QueuedResourceName> names;
  for (const ResourceSettings& one : all) names.push_back(one.name);
  TRY(const std::unique_ptr<Api> api, Api::open(all.front().settings, services));
  DeleteCommand command(options, *api, names, services);
  const std::vector<QueuedResource> there = command.find();
  if (there.empty()) return command.result();
  TRY(confirm(question_for(there), global, services));
  const Countdown countdown(timeout, services.clock);
  TRY(command.perform(there, countdown));
  return command.result();
}

}  // namespace

void add_delete(CommandLine& line) {
  auto options = std::make_shared<DeleteOptions>();  // filled by the parser, read by the action after it
  line.add("delete", "delete queued resources", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_delete(*options, services, global);
           })
      .words("QR...", options->ids, "the queued resources: their ids or full names")
      .on("force", options->force, "also when it is ACTIVE: its slices go with it")
      .on("async", options->async, "do not wait until it is gone")
      .on("wait", options->wait, "wait until it is gone: so it does anyway, without --async")
      .on("if-exists", options->if_exists, "exit 0 when there is none")
      .text("timeout", options->timeout, "TIME", "give up waiting after this, with exit code 124")
      .rivals({"async"}, {"wait"});
}

}  // namespace slipway::cli
