// Every request that the real gcloud (528.0.0) was seen to send for a command that we have is compared with
// ours: method, path, query and body. Whatever differs stands in kDifferences with its reason, or fails.
#include <gtest/gtest.h>

#include <algorithm>

#include "capture.h"
#include "slipway/core/format.h"

namespace slipway::tpu {
namespace {

constexpr const char* kRequestId = "00000000-0000-4000-8000-000000000001";
constexpr const char* kAny = "*";
constexpr const char* kAbsent = "-";

/// One deliberate difference: at `place`, gcloud says the one and we say the other.
struct Difference {
  const char* place;
  const char* gcloud;
  const char* ours;
  const char* reason;
  const char* only_in = "";  ///< the capture that it is for; empty for all
};

constexpr Difference kDifferences[] = {
    {"query.alt", "json", kAbsent, "JSON is what the API answers anyway"},
    {"query.requestId", kAbsent, kRequestId,
     "gcloud repeats a POST or DELETE without one, so a success can end as ALREADY_EXISTS"},
    {"query.force", "True", "true", "proto3's JSON for a bool; Python's word is only tolerated"},
    {"version", "v2alpha1", "v2", "the fields that are used choose the version, not a release track"},
    {"body.provisioningModel", "\"STANDARD\"", kAbsent,
     "gcloud alpha always sends it, even beside spot, where it is wrong; v2 has no such field"},
    {"body.tpu.nodeSpec[0].node.autocheckpointEnabled", "false", kAbsent,
     "gcloud alpha always sends the default; v2 has no such field"},
    {"body.reservationName", "\"projects/test-project/locations/None/reservations/-\"",
     "\"projects/test-project/locations/us-central2-b/reservations/-\"",
     "gcloud's defect: it forgets a zone that comes from the configuration"},
    {"body.reservationName", "\"projects/host-proj/locations/None/reservations/-\"",
     "\"projects/host-proj/locations/us-central2-b/reservations/-\"",
     "gcloud's defect: it forgets a zone that comes from the configuration",
     "ga_create_reservation_host_project.json"},
    {"body.reservationName", "\"folders/12345/locations/None/reservations/-\"",
     "\"folders/12345/locations/us-central2-b/reservations/-\"",
     "gcloud's defect: it forgets a zone that comes from the configuration",
     "ga_create_reservation_host_folder.json"},
    {"body.reservationName", "\"organizations/6789/locations/None/reservations/-\"",
     "\"organizations/6789/locations/us-central2-b/reservations/-\"",
     "gcloud's defect: it forgets a zone that comes from the configuration",
     "ga_create_reservation_host_org.json"},
    {"body.tpu.nodeSpec[0].node.networkConfig.network", "\"default\"", kAbsent,
     "gcloud's defect: the API refuses networkConfig beside networkConfigs",
     "alpha_create_network_config.json"},
    {"body.tpu.nodeSpec[0].node.networkConfig.enableExternalIps", "true", kAbsent,
     "gcloud's defect: the API refuses networkConfig beside networkConfigs",
     "alpha_create_network_config.json"},
    {"body.spot", kAbsent, "{}", "gcloud's defect: the model SPOT without the spot tier",
     "alpha_create_provisioning_spot.json"},
    {"body.tpu.nodeSpec[0].multiNodeParams.workloadType", kAbsent, "\"THROUGHPUT_OPTIMIZED\"",
     "gcloud drops this value without a word", "alpha_create_multinode_throughput.json"},
    {"body.guaranteed.reserved", "true", kAbsent, "v2alpha1's way to say reserved; v2 names the reservation"},
    {"body.reservationName", kAbsent, "\"projects/test-project/locations/us-central2-b/reservations/-\"",
     "v2's way to say reserved", "alpha_create_reserved.json"},
    {"body.reservationName", kAbsent, "\"projects/test-project/locations/us-central2-b/reservations/-\"",
     "v2's way to say reserved", "alpha_create_guaranteed_reserved.json"},
    {"body.guaranteed", kAbsent, "{}", "v2's tier has nothing in it here",
     "alpha_create_guaranteed_reserved.json"},
};

const std::vector<Capture>& captures() {
  static const std::vector<Capture> all = read_captures(SLIPWAY_SOURCE_DIR "/tests/golden/wire");
  return all;
}

std::string at(const Flat& flat, const std::string& place) {
  const auto found = flat.find(place);
  return found == flat.end() ? kAbsent : found->second;
}

/// v2alpha1 calls v2's multisliceParams multiNodeParams: where the versions differ, so does the name.
Flat in_words_of(const std::string& version, const Flat& flat) {
  if (at(flat, "version") == version || version != "v2") return flat;
  Flat renamed;
  for (const auto& [place, value] : flat) {
    const std::size_t found = place.find(".multiNodeParams.");
    renamed[found == std::string::npos
                ? place
                : place.substr(0, found) + ".multisliceParams." + place.substr(found + 17)] = value;
  }
  return renamed;
}

/// The position of the row that permits this difference; nothing when none does.
std::optional<std::size_t> permitted(const std::string& capture, const std::string& place,
                                     const std::string& gcloud, const std::string& ours) {
  for (std::size_t i = 0; i < std::size(kDifferences); ++i) {
    const Difference& row = kDifferences[i];
    const auto fits = [](const std::string& pattern, const std::string& value) {
      return pattern == kAny || pattern == value;
    };
    const bool here = *row.only_in == '\0' || capture == row.only_in;
    if (here && place == row.place && fits(row.gcloud, gcloud) && fits(row.ours, ours)) return i;
  }
  return std::nullopt;
}

std::set<std::string> flags_we_lack(const Capture& capture) {
  std::set<std::string> unknown;
  if (capture.verb == "create" && !capture.requests.empty()) spec_of(capture, unknown);
  return unknown;
}

/// Compares and fails with a line for each difference that has no row; counts the rows that were needed.
void compare(const Capture& capture, const Json& request, const Call& call, std::set<std::size_t>& needed) {
  const Flat ours = flatten(call);
  const Flat gcloud = in_words_of(at(ours, "version"), flatten(request));
  std::set<std::string> places;
  for (const auto& flat : {ours, gcloud}) {
    for (const auto& [place, value] : flat) places.insert(place);
  }
  for (const std::string& place : places) {
    const std::string theirs = at(gcloud, place);
    const std::string own = at(ours, place);
    if (theirs == own) continue;
    const auto row = permitted(capture.name, place, theirs, own);
    if (row) needed.insert(*row);
    EXPECT_TRUE(row.has_value()) << capture.name << ": " << place << ": gcloud sends " << theirs
                                 << ", we send " << own;
  }
}

/// Our call for a request that gcloud sent, made from the command's own words wherever they say it.
std::optional<Call> our_call(const Capture& capture, const Json& request) {
  const std::string method = request["method"].get<std::string>();
  const std::string path = request["path"].get<std::string>();
  const std::string name = path.substr(path.find('/', 1) + 1);
  const std::string last = last_segment(path);
  const Location& location = capture.location;
  if (path.find("/operations/") != std::string::npos) return get_operation_call(name);
  if (path.find("/nodes/") != std::string::npos) {
    const NodeName node{location, last.substr(0, last.find(':'))};
    if (method == "GET") return get_node_call(node);
    if (method == "PATCH")
      return set_metadata_call(node, request["body"]["metadata"].get<std::map<std::string, std::string>>());
    return guest_attributes_call(node);
  }
  if (capture.verb == "list") {
    const int page_size = static_cast<int>(int_member(request["query"], "pageSize").value_or(0));
    return list_call(location, page_size, string_member(request["query"], "pageToken"));
  }
  std::set<std::string> unknown;
  if (method == "POST" && last == "queuedResources")
    return create_call(name_of(capture), spec_of(capture, unknown), kRequestId);
  if (method == "POST") return reset_call(name_of(capture));
  if (method == "DELETE") return delete_call(name_of(capture), capture.has("--force"), kRequestId);
  if (method == "GET") return get_call(name_of(capture));
  return std::nullopt;
}

TEST(WireCaptures, WhatWeSendIsWhatGcloudSendsButForTheListedDifferences) {
  std::set<std::size_t> needed;
  std::map<std::string, int> compared;
  for (const Capture& capture : captures()) {
    // gcloud refused the command by itself, before any request: there is nothing to compare.
    if (capture.requests.empty()) {
      EXPECT_NE(capture.exit_code, 0) << capture.name;
      continue;
    }
    for (const Json& request : capture.requests) {
      const bool one_worker = request["body"].is_object() && request["body"].contains("workerIds") &&
                              request["body"]["workerIds"][0] != "";
      if (one_worker) continue;  // we always ask for all workers of a slice at once
      const std::optional<Call> call = our_call(capture, request);
      ASSERT_TRUE(call.has_value()) << capture.name;
      compare(capture, request, *call, needed);
      ++compared[capture.verb];
    }
  }
  for (std::size_t i = 0; i < std::size(kDifferences); ++i) {
    EXPECT_EQ(needed.count(i), 1u) << "no capture needs this row any more: " << kDifferences[i].place << ": "
                                   << kDifferences[i].reason;
  }
  for (const auto& [verb, count] : compared) RecordProperty(verb, count);
  // A folder that was not found, or an empty one, must not pass.
  EXPECT_GE(compared["create"], 60);
  EXPECT_GE(compared["delete"], 10);
  EXPECT_GE(compared["list"], 15);
  EXPECT_GE(compared["describe"], 5);
  EXPECT_GE(compared["reset"], 4);
  EXPECT_GE(compared["ssh"], 7);
}

TEST(WireCaptures, ThereIsNoFlagOfGcloudsCreateThatWeLack) {
  for (const Capture& capture : captures())
    EXPECT_EQ(flags_we_lack(capture), std::set<std::string>()) << capture.name;
}

TEST(WireCaptures, BestEffortGoesToTheOnlyVersionThatHasIt) {
  CreateSpec spec;
  spec.node_count = 2;
  spec.node_id_prefix = "s";
  spec.tier = Tier::kBestEffort;
  const Flat flat = flatten(create_call({{"p", "z"}, "q"}, spec, kRequestId));
  EXPECT_EQ(at(flat, "version"), "v2alpha1");
  EXPECT_EQ(at(flat, "body.bestEffort"), "{}");
  EXPECT_EQ(at(flat, "body.tpu.nodeSpec[0].multiNodeParams.nodeCount"), "2");
  EXPECT_EQ(at(flat, "body.tpu.nodeSpec[0].multiNodeParams.nodeIdPrefix"), "\"s\"");
}

}  // namespace
}  // namespace slipway::tpu
