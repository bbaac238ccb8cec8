#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/api_error.h"

namespace slipway::emulator {

inline constexpr const char* kJsonType = "application/json; charset=UTF-8";

/// One answer as it goes to the wire, whatever its body is.
struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string content_type = kJsonType;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

inline HttpAnswer as_http(int status, const Json& body) { return {status, dump_json(body, 2) + "\n"}; }
inline HttpAnswer as_http(const Answer& answer) { return as_http(answer.status, answer.body); }

}  // namespace slipway::emulator
