#include "tpu/answer.h"

namespace slipway::tpu {

Result<http::Response> accepted(Outcome outcome, const std::string& what) {
  if (!outcome.response.ok()) return std::move(outcome.response).error().within(what);
  const int status = outcome.response->status;
  if (status >= 200 && status < 300) return std::move(outcome.response);
  return to_error(parse_api_error(*outcome.response), what);
}

}  // namespace slipway::tpu
