#include "cli/exit_code.h"

#include <algorithm>

namespace slipway::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kCommandFailed = 3;
constexpr int kDenied = 4;
constexpr int kNotFound = 5;
constexpr int kConflict = 6;
constexpr int kImpossible = 7;
constexpr int kUnavailable = 8;
constexpr int kQuota = 9;
constexpr int kLocal = 10;
constexpr int kTimeout = 124;
constexpr int kSignalBase = 128;

int code_of(fleet::OutcomeKind kind) {
  using Kind = fleet::OutcomeKind;
  switch (kind) {
    case Kind::kOk:
      return kOk;
    case Kind::kExit:
    case Kind::kSignal:
      return kCommandFailed;
    case Kind::kTimeout:
      return kTimeout;
    case Kind::kLost:
    case Kind::kUnreachable:
      return kUnavailable;
    case Kind::kAuth:
    case Kind::kHostKey:
      return kDenied;
    case Kind::kNotStarted:
      return kFailed;  // only counts where nothing else says why
  }
  return kFailed;
}

/// 4 before 10, 8, 124 and 3, and these before what says of one thing only that it could not be had; a worker
/// that was only left out is the least.
int seriousness(int code) {
  constexpr int kOrder[] = {kOk,    kFailed,        kUsage,   kNotFound,    kConflict, kImpossible,
                            kQuota, kCommandFailed, kTimeout, kUnavailable, kLocal,    kDenied};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), code) - std::begin(kOrder));
}

}  // namespace

int exit_code(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kFailed:
      return kFailed;
    case ErrorCode::kUsage:
      return kUsage;
    case ErrorCode::kCommandFailed:
      return kCommandFailed;
    case ErrorCode::kDenied:
      return kDenied;
    case ErrorCode::kNotFound:
      return kNotFound;
    case ErrorCode::kConflict:
      return kConflict;
    case ErrorCode::kImpossible:
      return kImpossible;
    case ErrorCode::kUnavailable:
      return kUnavailable;
    case ErrorCode::kQuota:
      return kQuota;
    case ErrorCode::kLocal:
      return kLocal;
    case ErrorCode::kTimeout:
      return kTimeout;
    case ErrorCode::kInterrupted:
      return kSignalBase + error.signal();
  }
  return kFailed;
}

int exit_code(const std::vector<fleet::Outcome>& outcomes, std::size_t required) {
  std::size_t ok = 0;
  int worst = kOk;
  bool host_key_differs = false;
  for (const fleet::Outcome& outcome : outcomes) {
    ok += outcome.kind == fleet::OutcomeKind::kOk ? 1 : 0;
    const int code = code_of(outcome.kind);
    worst = more_serious(worst, code);
    host_key_differs = host_key_differs || outcome.kind == fleet::OutcomeKind::kHostKey;
  }
  if (ok >= required && !host_key_differs) return kOk;
  return worst == kOk ? kFailed : worst;
}

int more_serious(int a, int b) { return seriousness(b) > seriousness(a) ? b : a; }

}  // namespace slipway::cli
