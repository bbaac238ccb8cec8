#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

namespace slipway::test {

/// Sets (or, without a value, unsets) an environment variable until it ends.
class ScopedEnv {
 public:
  ScopedEnv(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
    if (const char* before = ::getenv(name_.c_str()); before != nullptr) before_ = before;
    assign(value);
  }
  ~ScopedEnv() { assign(before_); }
  ScopedEnv(const ScopedEnv&) = delete;
  ScopedEnv& operator=(const ScopedEnv&) = delete;

 private:
  void assign(const std::optional<std::string>& value) const {
    if (value) {
      ::setenv(name_.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace slipway::test
