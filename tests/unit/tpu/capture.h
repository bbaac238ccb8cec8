#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "slipway/core/json.h"
#include "slipway/tpu/call.h"

namespace slipway::tpu {

/// One recorded command of the real gcloud with the requests that it sent (tests/golden/wire/*.json: cut down
/// to what is compared).
struct Capture {
  std::string name;
  std::string verb;      ///< create, delete, reset, describe, list, ssh
  std::string resource;  ///< the first argument after the verb: a name or a full name
  std::multimap<std::string, std::string> flags;  ///< "--spot" with an empty value
  std::map<std::string, std::string> files;
  Location location;  ///< from the flags, else from the environment of the recording
  int exit_code = 0;
  std::vector<Json> requests;

  std::string flag(const std::string& wanted) const;
  bool has(const std::string& wanted) const { return flags.count(wanted) > 0; }
};

/// All captures of a folder, by name.
std::vector<Capture> read_captures(const std::string& folder);

/// The name that the command is about, completed with its location.
QueuedResourceName name_of(const Capture& capture);
/// What its create asks for. Flags that CreateSpec has no field for are put into `unknown`.
CreateSpec spec_of(const Capture& capture, std::set<std::string>& unknown);

/// A request as one line for each thing in it: "method", "version", "path", "query.X", "body.a.b[0].c".
using Flat = std::map<std::string, std::string>;
Flat flatten(const Json& captured);
Flat flatten(const Call& call);

}  // namespace slipway::tpu
