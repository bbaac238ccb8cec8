#pragma once

#include <string>
#include <utility>

#include "slipway/http/attempts.h"
#include "tpu/api_error.h"

namespace slipway::tpu {

using http::Outcome;

/// The response when it is a success; else the error that it is. `what` names what was asked for.
Result<http::Response> accepted(Outcome outcome, const std::string& what);

template <typename Value>
Result<Value> decoded(Outcome outcome, const std::string& what,
                      Result<Value> (*decode)(const http::Response&)) {
  TRY(const http::Response response, accepted(std::move(outcome), what));
  Result<Value> value = decode(response);
  if (!value.ok()) return std::move(value).error().within(what);
  return value;
}

}  // namespace slipway::tpu
