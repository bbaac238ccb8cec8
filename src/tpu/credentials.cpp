#include "slipway/tpu/credentials.h"

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/log.h"
#include "slipway/core/text.h"
#include "tpu/credentials_file.h"
#include "tpu/gcloud_login.h"
#include "tpu/impersonation.h"
#include "tpu/token_sources.h"

namespace slipway::tpu {
namespace {

using Source = std::unique_ptr<TokenSource>;

constexpr const char* kUniverse = "googleapis.com";
constexpr const char* kUserCommand = "gcloud auth print-access-token";
constexpr const char* kDefaultCommand = "gcloud auth application-default print-access-token";

Error not_signed_in() {
  return Error(ErrorCode::kDenied, "not signed in to Google Cloud")
      .why(
          "there is no access token, gcloud has no login, there are no Application Default Credentials, and "
          "this is "
          "no Google VM; 'slipway help auth' lists what is tried")
      .next("gcloud auth login");
}

Error no_such_login(const std::string& account) {
  return Error(ErrorCode::kDenied, fmt::format("gcloud has no login '{}'", printable(account)))
      .why("it was asked for by name")
      .next("gcloud auth login " + shell_quote(account));
}

/// Looks in one place after the other. A place with nothing in it is an empty Source, one that cannot be used
/// an error.
class Search {
 public:
  Search(const CredentialOptions& options, const GcloudConfig& gcloud, TokenClient client)
      : options_(options), gcloud_(gcloud), client_(std::move(client)) {}

  /// The token that calls are made with. Whom it acts for stands around whatever gives it.
  Result<Source> find() const {
    if (is_set(gcloud_, "auth", "disable_credentials")) {
      return Source(
          std::make_unique<FixedToken>(Secret(), SourceInfo{"none (auth/disable_credentials)", "", "",
                                                            property_origin("auth", "disable_credentials")}));
    }
    TRY(Source source, find_own());
    return impersonating(std::move(source));
  }

 private:
  Result<Source> find_own() const {
    using Place = Result<Source> (Search::*)() const;
    for (const Place place : {&Search::given_token, &Search::override_file, &Search::named_default_file,
                              &Search::gcloud_login, &Search::known_default_file, &Search::metadata_server}) {
      TRY(Source source, (this->*place)());
      if (source) return source;
    }
    return not_signed_in();
  }

  Result<Source> impersonating(Source source) const {
    const std::string accounts = !options_.impersonate_service_account.empty()
                                     ? options_.impersonate_service_account
                                     : property_or(gcloud_, "auth", "impersonate_service_account");
    if (accounts.empty()) return source;
    TRY(ImpersonationChain chain, parse_impersonation_chain(accounts));
    SourceInfo info;
    info.description = fmt::format("service account {} through {}", chain.target, source->description());
    // As gcloud: the project of the credentials behind counts for them, not for the account that acts.
    info.quota_project = quota_project("", Counted::kWhenNamed);
    info.origin = options_.impersonate_service_account.empty()
                      ? property_origin("auth", "impersonate_service_account")
                      : "--impersonate-service-account";
    info.shell_command =
        fmt::format("{} --impersonate-service-account={}", kUserCommand, shell_quote(accounts));
    Impersonation impersonation;
    impersonation.url =
        impersonation_url(property_or(gcloud_, "api_endpoint_overrides", "iamcredentials"), chain.target);
    impersonation.delegates = std::move(chain.delegates);
    return renewed(impersonated_exchange(std::move(source), std::move(impersonation), client_),
                   std::move(info));
  }

  /// Whose project is charged when nobody names one: gcloud charges the user's current project, Google's
  /// library none.
  enum class Counted { kWhenNamed, kAgainstCurrentProject };

  std::string quota_project(const std::string& of_credentials, Counted counted) const {
    if (!options_.billing_project.empty()) return options_.billing_project;
    if (std::string project = env("GOOGLE_CLOUD_QUOTA_PROJECT"); !project.empty()) return project;
    if (!of_credentials.empty()) return of_credentials;
    const bool current = counted == Counted::kAgainstCurrentProject;
    const std::string named =
        property_or(gcloud_, "billing", "quota_project", current ? "CURRENT_PROJECT" : "LEGACY");
    if (named == "LEGACY") return "";
    if (named != "CURRENT_PROJECT" && named != "CURRENT_PROJECT_WITH_FALLBACK") return named;
    if (!current) return "";
    return options_.project.empty() ? property_or(gcloud_, "core", "project") : options_.project;
  }

  Source renewed(OwnedExchange exchange, SourceInfo info) const {
    return std::make_unique<RenewedToken>(std::move(exchange), client_.clock(), std::move(info));
  }

  SourceInfo token_info(std::string description, std::string command, std::string origin) const {
    return {std::move(description), quota_project("", Counted::kWhenNamed), std::move(command),
            std::move(origin)};
  }

  std::string property_origin(std::string_view section, std::string_view name) const {
    const auto property = gcloud_.property(section, name);
    return property ? property->origin : "";
  }

  std::string account_origin() const {
    return options_.account.empty() ? property_origin("core", "account") : "--account";
  }

  Result<Source> given_token() const {
    std::string file = options_.access_token_file;
    std::string token = file.empty() ? std::string(trim(env("CLOUDSDK_AUTH_ACCESS_TOKEN"))) : "";
    if (!token.empty()) {
      return Source(std::make_unique<FixedToken>(
          Secret(std::move(token)),
          token_info("CLOUDSDK_AUTH_ACCESS_TOKEN", "printenv CLOUDSDK_AUTH_ACCESS_TOKEN",
                     "CLOUDSDK_AUTH_ACCESS_TOKEN")));
    }
    if (file.empty()) file = property_or(gcloud_, "auth", "access_token_file");
    if (file.empty()) return Source();
    SourceInfo info =
        token_info("access token file " + file, "cat " + shell_quote(file),
                   options_.access_token_file.empty() ? property_origin("auth", "access_token_file")
                                                      : "--access-token-file");
    return Source(std::make_unique<TokenFile>(std::move(file), std::move(info)));
  }

  Result<Source> from_file(const std::string& path, const char* command, Counted counted,
                           std::string origin) const {
    TRY(ReadCredentials read, read_credentials_file(path, gcloud_, client_));
    const Counted by_type = read.is_user ? counted : Counted::kWhenNamed;
    SourceInfo info{read.who, quota_project(read.quota_project, by_type), command, std::move(origin)};
    return renewed(std::move(read.exchange), std::move(info));
  }

  Result<Source> override_file() const {
    const std::string path = property_or(gcloud_, "auth", "credential_file_override");
    if (path.empty()) return Source();
    return from_file(path, kUserCommand, Counted::kAgainstCurrentProject,
                     property_origin("auth", "credential_file_override"));
  }

  /// A file that the variable names must be there.
  Result<Source> named_default_file() const {
    const std::string path = env("GOOGLE_APPLICATION_CREDENTIALS");
    if (path.empty()) return Source();
    return from_file(path, kDefaultCommand, Counted::kWhenNamed, "GOOGLE_APPLICATION_CREDENTIALS");
  }

  Result<Source> known_default_file() const {
    const std::string path = gcloud_.folder() + "/application_default_credentials.json";
    if (gcloud_.folder().empty() || !file_exists(path)) return Source();
    return from_file(path, kDefaultCommand, Counted::kWhenNamed, path);
  }

  Result<Source> gcloud_login() const {
    const auto property = gcloud_.property("core", "account");
    const std::string account = !options_.account.empty() ? options_.account
                                : property                ? property->value
                                                          : "";
    const bool by_name =
        !options_.account.empty() || (property && property->origin == "CLOUDSDK_CORE_ACCOUNT");
    if (account.empty()) return Source();
    TRY(std::optional<GcloudLogin> login, read_gcloud_login(gcloud_.folder(), account));
    if (login) return from_login(std::move(*login));
    if (const std::string host = find_metadata_host(); !host.empty()) {
      SourceInfo info = token_info(fmt::format("service account {} of the metadata server {}", account, host),
                                   kUserCommand, account_origin());
      return renewed(metadata_server_exchange(host, account, client_), std::move(info));
    }
    if (by_name) return no_such_login(account);
    log(LogLevel::kInfo, fmt::format("gcloud's account '{}' has no login in {}; looking further",
                                     printable(account), gcloud_.folder()));
    return Source();
  }

  Result<Source> from_login(GcloudLogin login) const {
    const CredentialsOrigin origin{fmt::format("gcloud's login {}", login.account),
                                   "gcloud auth login " + shell_quote(login.account), login.rapt};
    TRY(ReadCredentials read, read_credentials(login.credentials, origin, gcloud_, client_));
    if (!is_set(gcloud_, "auth", "service_account_use_self_signed_jwt")) {
      read.exchange = cached_exchange(std::move(login.token), login.token_ends, std::move(read.exchange),
                                      client_.clock());
    }
    const Counted counted = read.is_user ? Counted::kAgainstCurrentProject : Counted::kWhenNamed;
    SourceInfo info{fmt::format("gcloud's login {}", login.account),
                    quota_project(read.quota_project, counted),
                    fmt::format("{} {}", kUserCommand, shell_quote(login.account)), account_origin()};
    return renewed(std::move(read.exchange), std::move(info));
  }

  Result<Source> metadata_server() const {
    const std::string host = find_metadata_host();
    if (host.empty()) return Source();
    return renewed(metadata_server_exchange(host, "", client_),
                   token_info(fmt::format("the metadata server {}", host), kUserCommand,
                              env("GCE_METADATA_HOST").empty() ? "" : "GCE_METADATA_HOST"));
  }

  const CredentialOptions& options_;
  const GcloudConfig& gcloud_;
  TokenClient client_;
};

Result<void> check_settings(const GcloudConfig& gcloud) {
  const std::string universe = property_or(gcloud, "core", "universe_domain", kUniverse);
  if (universe != kUniverse) {
    return Error(ErrorCode::kUsage, fmt::format("gcloud is set to the universe '{}'", printable(universe)))
        .why("slipway knows googleapis.com only")
        .next("gcloud config unset core/universe_domain");
  }
  if (is_set(gcloud, "context_aware", "use_client_certificate")) {
    log(LogLevel::kWarning,
        "gcloud's context_aware/use_client_certificate is not followed: slipway shows no client certificate");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<TokenSource>> find_credentials(const CredentialOptions& options,
                                                      const GcloudConfig& gcloud, http::Transport& transport,
                                                      Clock& clock, RandomUnit random) {
  TRY(check_settings(gcloud));
  const Search search(options, gcloud,
                      TokenClient(transport, clock, options.allowed_hosts, std::move(random)));
  TRY(Source source, search.find());
  log(LogLevel::kInfo, fmt::format("credentials: {}", source->description()));
  return source;
}

}  // namespace slipway::tpu
