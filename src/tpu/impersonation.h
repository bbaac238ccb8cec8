#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "slipway/tpu/credentials.h"
#include "tpu/token_exchange.h"

namespace slipway::tpu {

/// Whom to act as, and through whom (IAM Credentials API, projects.serviceAccounts.generateAccessToken).
struct Impersonation {
  std::string url;                     ///< ends in "/serviceAccounts/EMAIL:generateAccessToken"
  std::vector<std::string> delegates;  ///< each may act as the next one, the last as the target
  std::chrono::seconds lifetime{3600};
};

/// The account in such a URL; empty when it is none.
std::string impersonated_account(const std::string& url);
/// The URL for `account` below `endpoint`, by default Google's.
std::string impersonation_url(const std::string& endpoint, const std::string& account);
/// gcloud's rule for a list with commas: the last one is the target, those before it are delegates.
struct ImpersonationChain {
  std::string target;
  std::vector<std::string> delegates;
};
/// Errors (kUsage): no target in it.
Result<ImpersonationChain> parse_impersonation_chain(const std::string& text);

/// `source` gives the token that asks. One that IAM refuses (401) is refreshed once.
OwnedExchange impersonated_exchange(std::unique_ptr<TokenSource> source, Impersonation impersonation,
                                    const TokenClient& client);

}  // namespace slipway::tpu
