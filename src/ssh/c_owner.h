#pragma once

#include <memory>

namespace slipway::ssh {

template <auto Free>
struct CFree {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

/// Owns one object of a C library: COwner<EVP_PKEY, EVP_PKEY_free>.
template <typename T, auto Free>
using COwner = std::unique_ptr<T, CFree<Free>>;

}  // namespace slipway::ssh
