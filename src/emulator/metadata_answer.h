#pragma once

#include <string>

#include "emulator/metadata_request.h"
#include "slipway/core/json.h"

namespace slipway::emulator {

/// What a metadata server answers to one request: the text to send, or that the value is not another one yet.
struct MetadataAnswer {
  std::string bytes;  ///< status line, headers and body
  std::string etag;   ///< of the value; empty for a refusal
  bool found = false;
};

/// The answer of now, whatever the request would wait for. `tree` is null when the worker is no more.
MetadataAnswer answer_metadata(const MetadataRequest& request, const Json& tree);
/// For what could not be read as a request.
std::string malformed_metadata_answer();

}  // namespace slipway::emulator
