#include "slipway/http/transport.h"

namespace slipway::http {

std::string Response::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? std::string() : found->second;
}

}  // namespace slipway::http
