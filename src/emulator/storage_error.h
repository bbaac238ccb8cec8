#pragma once

#include <string>
#include <variant>

#include "emulator/http_answer.h"

namespace slipway::emulator {

/// A refusal as Cloud Storage's JSON API words it. It is older than google.rpc.Status: its errors have a
/// reason and, some of them, the place in the request that they are about.
/// https://cloud.google.com/storage/docs/json_api/v1/status-codes
struct StorageError {
  int status = 400;
  std::string reason;  ///< "notFound", "conditionNotMet", ..
  std::string message;
  std::string location_type = {};  ///< "header", "parameter"; empty for none
  std::string location = {};

  HttpAnswer answer() const;
};

template <typename T>
using StorageOutcome = std::variant<T, StorageError>;

StorageError no_such_bucket();
StorageError no_such_object(const std::string& bucket, const std::string& name);
/// 412: what ifGenerationMatch or a condition like it asked for does not hold.
StorageError condition_not_met();
StorageError bad_parameter(const std::string& name, const std::string& message);
StorageError bad_request(const std::string& message);
/// What the status of an injected fault, or of a request that was not let in, means here.
StorageError storage_error_of(int status, const std::string& message);

}  // namespace slipway::emulator
