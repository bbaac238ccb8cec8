#pragma once

#include <optional>
#include <string>

#include "slipway/tpu/credentials.h"
#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// A token that somebody gave us and that we cannot renew.
class FixedToken final : public TokenSource {
 public:
  FixedToken(Secret token, std::string description, std::string quota_project)
      : token_(std::move(token)),
        description_(std::move(description)),
        quota_project_(std::move(quota_project)) {}
  Result<Secret> token() override { return token_; }
  bool refresh() override { return false; }
  std::string description() const override { return description_; }
  std::string quota_project() const override { return quota_project_; }

 private:
  Secret token_;
  std::string description_;
  std::string quota_project_;
};

/// A file that somebody else keeps fresh: read once, and again after a refusal.
class TokenFile final : public TokenSource {
 public:
  TokenFile(std::string path, std::string quota_project)
      : path_(std::move(path)), quota_project_(std::move(quota_project)) {}
  Result<Secret> token() override;
  bool refresh() override;
  std::string description() const override { return "access token file " + path_; }
  std::string quota_project() const override { return quota_project_; }

 private:
  std::string path_;
  std::string quota_project_;
  Secret token_;
};

/// A token that is fetched when it is asked for, and again shortly before it ends.
class RenewedToken final : public TokenSource {
 public:
  /// `clock` outlives it.
  RenewedToken(FetchToken fetch, const Clock& clock, std::string description, std::string quota_project)
      : fetch_(std::move(fetch)),
        clock_(clock),
        description_(std::move(description)),
        quota_project_(std::move(quota_project)) {}
  /// When no new one can be had, the old one serves until its true end.
  Result<Secret> token() override;
  bool refresh() override;
  std::string description() const override { return description_; }
  std::string quota_project() const override { return quota_project_; }

 private:
  FetchToken fetch_;
  const Clock& clock_;
  std::string description_;
  std::string quota_project_;
  Secret token_;
  Clock::time_point expires_{};
};

}  // namespace slipway::tpu
