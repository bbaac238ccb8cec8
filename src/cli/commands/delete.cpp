#include <memory>

#include "cli/api.h"
#include "cli/commands/commands.h"
#include "cli/confirm.h"
#include "cli/dry_run.h"
#include "cli/exit_code.h"
#include "cli/find_resource.h"
#include "cli/flag_values.h"
#include "cli/intent.h"
#include "cli/state_watch.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails = R"("deleted" is said after the resource is seen to be gone.

Examples:
  slipway delete train-1 --force --yes           # with its slices
  slipway delete train-1 --if-exists --yes       # for scripts: no error when it is gone already)";

struct DeleteOptions {
  std::string id;
  bool force = false;
  bool async = false;
  bool wait = false;
  bool if_exists = false;
  std::string timeout;
};

Result<int> already_gone(const QueuedResourceName& name, Services& services) {
  services.say(fmt::format("{} does not exist", name.id));
  return kOk;
}

std::string question_for(const QueuedResource& resource) {
  return fmt::format("Delete {} ({}, {})?", resource.name.id, resource.state_text,
                     counted(resource.slice_names().size(), "slice"));
}

Result<void> see_it_gone(Api& api, const QueuedResourceName& name, const Operation& operation,
                         std::optional<std::chrono::milliseconds> timeout, Services& services) {
  TRY(tpu::wait_for_operation(api.client(), operation, timeout));
  tpu::WaitOptions wait;
  wait.goal = tpu::Goal::kDeleted;
  wait.timeout = timeout;
  StateWatch watch(name.id, services);
  Result<tpu::Sight> gone = tpu::wait_for(api.client(), name, wait, std::ref(watch));
  if (!gone.ok() && gone.error().code() != ErrorCode::kNotFound) return std::move(gone).error();
  return {};
}

Result<int> refused(Error error, const QueuedResourceName& name, const DeleteOptions& options,
                    Services& services) {
  if (error.code() == ErrorCode::kNotFound && options.if_exists) return already_gone(name, services);
  if (error.code() == ErrorCode::kConflict && !options.force) {
    return std::move(error).next(fmt::format("slipway delete {} --force", name.id));
  }
  return error;
}

Result<int> run_delete(const DeleteOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const bool dry_run, is_dry_run(global));
  if (options.async && options.wait) return Error(ErrorCode::kUsage, "--async and --wait exclude each other");
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.id));
  const QueuedResourceName& name = resource.name;
  if (dry_run) {
    show_call(tpu::delete_call(name, options.force, make_uuid()), resource.settings, global, services);
    return kOk;
  }
  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  const Result<QueuedResource> found = find_resource(*api, name);
  if (!found.ok() && found.error().code() == ErrorCode::kNotFound && options.if_exists)
    return already_gone(name, services);
  if (!found.ok()) return found.error();
  TRY(confirm(question_for(*found), global, services));

  // The time of creation makes it this resource: one of the same name made later is another intent.
  const std::string content = fmt::format("{} force={}", found->create_time, options.force);
  Intent intent = Intent::open(*api, "delete", name, content, services);
  Result<Operation> deleting = api->client().remove(name, options.force, intent.request_id());
  if (!deleting.ok()) {
    intent.settle(deleting.error());
    return refused(std::move(deleting).error(), name, options, services);
  }
  services.say(fmt::format("deleting {}", name.id));
  if (!options.async) {
    const Result<void> gone = see_it_gone(*api, name, *deleting, timeout, services);
    if (!gone.ok()) {
      intent.settle(gone.error());
      return gone.error();
    }
  }
  intent.close();
  if (options.async) return kOk;
  services.say(fmt::format("{} is deleted", name.id));
  return kOk;
}

}  // namespace

void add_delete(CommandLine& line) {
  auto options = std::make_shared<DeleteOptions>();  // filled by the parser, read by the action after it
  line.add("delete", "delete a queued resource", kDetails,
           [options](Services& services, const GlobalOptions& global) {
             return run_delete(*options, services, global);
           })
      .word("QR", options->id, "the queued resource: its id or full name")
      .on("force", options->force, "also when it is ACTIVE: its slices go with it")
      .on("async", options->async, "do not wait until it is gone")
      .on("wait", options->wait, "wait until it is gone: so it does anyway, without --async")
      .on("if-exists", options->if_exists, "exit 0 when there is none")
      .text("timeout", options->timeout, "TIME", "give up waiting after this, with exit code 124");
}

}  // namespace slipway::cli
