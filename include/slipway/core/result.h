#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "slipway/core/error.h"

namespace slipway {

/// A value, or the error that came instead. Returned wherever a caller could react; passed up with TRY.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return assert(ok()), std::get<0>(state_); }
  const T& value() const& { return assert(ok()), std::get<0>(state_); }
  T&& value() && { return assert(ok()), std::get<0>(std::move(state_)); }
  const Error& error() const& { return assert(!ok()), std::get<1>(state_); }
  Error&& error() && { return assert(!ok()), std::get<1>(std::move(state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace slipway

// TRY(expression) leaves the function with the error; TRY(declaration, expression) also names the value:
//   TRY(QueuedResource resource, tpu.get(name));
#define SLIPWAY_JOIN_(a, b) a##b
#define SLIPWAY_JOIN(a, b) SLIPWAY_JOIN_(a, b)
#define SLIPWAY_TRY_DECLARE(declaration, expression, result) \
  auto result = (expression);                                \
  if (!result.ok()) return std::move(result).error();        \
  declaration = std::move(result).value()
#define SLIPWAY_TRY_1(expression)                                                                           \
  do {                                                                                                      \
    if (auto slipway_result = (expression); !slipway_result.ok()) return std::move(slipway_result).error(); \
  } while (false)
#define SLIPWAY_TRY_2(declaration, expression) \
  SLIPWAY_TRY_DECLARE(declaration, expression, SLIPWAY_JOIN(slipway_result_, __LINE__))
#define SLIPWAY_TRY_PICK(one, two, name, ...) name
#define TRY(...) SLIPWAY_TRY_PICK(__VA_ARGS__, SLIPWAY_TRY_2, SLIPWAY_TRY_1, )(__VA_ARGS__)
