#pragma once

#include <string>
#include <utility>

#include "slipway/tpu/credentials.h"
#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// What is known of a source before anything is fetched.
struct SourceInfo {
  std::string description;
  std::string quota_project;
  std::string shell_command = "gcloud auth print-access-token";
  std::string origin;
};

class DescribedSource : public TokenSource {
 public:
  explicit DescribedSource(SourceInfo info) : info_(std::move(info)) {}
  std::string description() const override { return info_.description; }
  std::string origin() const override { return info_.origin; }
  std::string quota_project() const override { return info_.quota_project; }
  std::string shell_command() const override { return info_.shell_command; }

 private:
  SourceInfo info_;
};

/// A token that somebody gave us and that we cannot renew; an empty one for "send none".
class FixedToken final : public DescribedSource {
 public:
  FixedToken(Secret token, SourceInfo info) : DescribedSource(std::move(info)), token_(std::move(token)) {}
  Result<Secret> token() override { return token_; }
  bool refresh() override { return false; }

 private:
  Secret token_;
};

/// A file that somebody else keeps fresh: read once, and again after a refusal.
class TokenFile final : public DescribedSource {
 public:
  TokenFile(std::string path, SourceInfo info) : DescribedSource(std::move(info)), path_(std::move(path)) {}
  Result<Secret> token() override;
  bool refresh() override;

 private:
  std::string path_;
  Secret token_;
};

/// A token that is fetched when it is asked for, and again five minutes before its end. However many ask,
/// there is never more than one fetch for one token.
class RenewedToken final : public DescribedSource {
 public:
  /// `clock` outlives it.
  RenewedToken(OwnedExchange exchange, const Clock& clock, SourceInfo info)
      : DescribedSource(std::move(info)), exchange_(std::move(exchange)), clock_(clock) {}
  /// When no new one can be had, the old one serves until the server refuses it: our clock may be the one
  /// that is wrong. It is not asked for again within half a minute.
  Result<Secret> token() override;
  bool refresh() override;
  void note_server_time(std::chrono::system_clock::time_point time) override {
    exchange_->note_server_time(time);
  }

 private:
  void keep(FetchedToken fetched);

  OwnedExchange exchange_;
  const Clock& clock_;
  Secret token_;
  Clock::time_point next_fetch_{};
  bool refused_ = false;  ///< by the server, since the last one was fetched
};

}  // namespace slipway::tpu
