// accelerator-types, runtime-versions and locations: one command each over the same kind of list.
#include <algorithm>
#include <memory>

#include "cli/api.h"
#include "cli/api_version.h"
#include "cli/commands/commands.h"
#include "cli/listing.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/model/accelerator.h"

namespace slipway::cli {
namespace {

constexpr const char* kTypesDetails =
    R"(What the API offers in the zone, in the order of their names and sizes.

Examples:
  slipway accelerator-types
  slipway accelerator-types --filter 'type:v5*' --format 'value(type)'
  slipway accelerator-types --zone=-                    # which zone has what)";

constexpr const char* kVersionsDetails = R"(What --runtime-version of create takes in the zone.

Examples:
  slipway runtime-versions
  slipway runtime-versions --filter version~v6e --format value)";

constexpr const char* kLocationsDetails = R"(The zones in which the project can ask for TPUs.

Examples:
  slipway locations
  slipway locations --format 'value(locationId)')";

struct Kind {
  OfferKind offers;
  std::string plural;
  std::vector<Column> columns;
  Needs needs;
  std::string filter;  ///< an example
};

/// "2x2x2", or several where the API has several shapes of that name.
std::string topologies_of(const Offer& offer) {
  std::vector<std::string> topologies;
  for (const Offer::Shape& shape : offer.shapes) topologies.push_back(shape.topology);
  return fmt::format("{}", fmt::join(topologies, ","));
}

std::string chips_of(const Offer& offer) {
  auto shape = offer.shapes.empty()
                   ? std::nullopt
                   : shape_of_topology(offer.shapes.front().type, offer.shapes.front().topology);
  if (!shape) shape = shape_of_type(offer.id);
  return shape ? std::to_string(shape->chips) : "";
}

std::vector<std::string> cells_of(const Offer& offer, OfferKind kind) {
  switch (kind) {
    case OfferKind::kAcceleratorTypes:
      return {offer.id, topologies_of(offer), chips_of(offer), offer.zone};
    case OfferKind::kRuntimeVersions:
      return {offer.id, offer.zone};
    default:
      return {offer.id};
  }
}

Result<int> run_offers(const Kind& kind, const ListWords& words, Services& services,
                       const GlobalOptions& global) {
  TRY(const OutputFormat output, output_format(global));
  TRY(const Listing::Arrangement arrangement, Listing::arrangement(words, kind.columns, services.clock));
  TRY(const auto version, api_version(global));
  TRY(const Settings settings, resolve_settings(global, kind.needs));
  TRY(const std::unique_ptr<Api> api, Api::open(settings, services));
  tpu::ListOptions pages;
  pages.page_size = words.page_size;
  pages.version = version.value_or(tpu::ApiVersion::kV2);
  TRY(OfferList list, api->client().offers(settings.location, kind.offers, pages));
  std::stable_sort(list.offers.begin(), list.offers.end(), [](const Offer& left, const Offer& right) {
    return report::compare_naturally(left.id, right.id) < 0;
  });

  Listing listing(kind.columns);
  for (Offer& offer : list.offers) {
    std::vector<std::string> cells = cells_of(offer, kind.offers);
    listing.add(std::move(offer.document), std::move(cells));
  }
  TRY(listing.arrange(arrangement, services));
  TRY(listing.show(output, services));
  if (listing.empty())
    services.say(
        fmt::format("no {}{}", kind.plural, words.filter.empty() ? "" : " that the filter lets through"));
  for (const std::string& zone : list.unreachable)
    services.say(fmt::format("not reached, so not listed: {}", zone));
  return 0;
}

void add_offers(CommandLine& line, const std::string& name, const std::string& summary, const char* details,
                Kind kind) {
  auto words = std::make_shared<ListWords>();  // filled by the parser, read by the action after it
  const std::string filter = kind.filter;
  add_list_flags(line.add(name, summary, details,
                          [words, kind = std::move(kind)](Services& services, const GlobalOptions& global) {
                            return run_offers(kind, *words, services, global);
                          }),
                 *words, filter);
}

}  // namespace

void add_accelerator_types(CommandLine& line) {
  add_offers(line, "accelerator-types", "list the accelerator types of a zone", kTypesDetails,
             {OfferKind::kAcceleratorTypes,
              "accelerator types",
              {{"ACCELERATOR_TYPE", "type"},
               {"TOPOLOGY", "acceleratorConfigs.topology"},
               {"CHIPS", ""},
               {"ZONE", "name.segment(3)"}},
              Needs::kLocationOrAllZones,
              "type:v5*"});
}

void add_runtime_versions(CommandLine& line) {
  add_offers(line, "runtime-versions", "list the runtime versions of a zone", kVersionsDetails,
             {OfferKind::kRuntimeVersions,
              "runtime versions",
              {{"RUNTIME_VERSION", "version"}, {"ZONE", "name.segment(3)"}},
              Needs::kLocationOrAllZones,
              "version~v6e"});
}

void add_locations(CommandLine& line) {
  add_offers(
      line, "locations", "list the zones that have TPUs", kLocationsDetails,
      {OfferKind::kLocations, "locations", {{"LOCATION", "locationId"}}, Needs::kProject, "locationId:us-*"});
}

}  // namespace slipway::cli
