#include "cli/commands/create.h"

#include <memory>

#include "cli/api.h"
#include "cli/api_version.h"
#include "cli/commands/commands.h"
#include "cli/creation.h"
#include "cli/dry_run.h"
#include "cli/flag_values.h"
#include "cli/listing.h"
#include "slipway/core/format.h"
#include "slipway/core/random.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kDetails =
    R"(Without --wait it ends when the request is queued. Several slices need --node-count. The version of the API is v2, or
v2alpha1 where a field needs it. The same command again after a crash or a lost answer is the same request.

Examples:
  slipway create train-1 --node-count 4 --accelerator-type v4-16 --wait
  slipway create dev-1 --node-id dev-1 --accelerator-type v5litepod-16 --spot --valid-until-duration 6h
  slipway create train-1 --node-count 4 --type v5p --topology 2x2x2 --if-not-exists --recreate --wait
  slipway create train-1 --from-file request.json --dry-run
  slipway create train-1 --node-count 4 --accelerator-type v4-16 --dry-run=curl)";

Result<int> show_created(tpu::Client& client, const QueuedResourceName& name, tpu::ApiVersion version,
                         const OutputFormat& output, Services& services) {
  if (!output.asked_for_data()) return 0;
  TRY(const QueuedResource resource, client.get(name, version));
  TRY(show_state(resource, output, services));
  return 0;
}

}  // namespace

Result<int> run_create(const CreateOptions& options, Services& services, const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const bool dry_run, is_dry_run(global));
  TRY(const auto timeout, parse_limit(options.timeout));
  TRY(const auto version, api_version(global));
  const auto now = services.clock.wall_now();
  TRY(const ResourceSettings resource, resolve_settings_for(global, options.id));
  const QueuedResourceName& name = resource.name;
  TRY(const CreateRequest request, CreateRequest::from(options, name.location, version, now));
  if (!request.note().empty()) services.say(request.note());
  if (dry_run) {
    show_call(tpu::create_call(name, request.body(now), make_uuid()), resource.settings, global, services);
    return 0;
  }

  TRY(const std::unique_ptr<Api> api, Api::open(resource.settings, services));
  const CreationOptions behaviour{options.if_not_exists, options.recreate, options.async, options.wait};
  const Countdown countdown(timeout, services.clock);
  Creation creation(*api, name, request, behaviour, countdown, services);
  TRY(creation.run());
  if (!options.async && !options.wait && !creation.is_active())
    services.say(fmt::format("next: slipway wait {} --for ACTIVE", shell_quote(name.id)));
  return show_created(api->client(), name, request.body(now).version, output, services);
}

void add_create(CommandLine& line) {
  auto options = std::make_shared<CreateOptions>();  // filled by the parser, read by the action after it
  bind_create_flags(line.add("create", "request one or many slices", kDetails,
                             [options](Services& services, const GlobalOptions& global) {
                               return run_create(*options, services, global);
                             }),
                    *options);
}

}  // namespace slipway::cli
