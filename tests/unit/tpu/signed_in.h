#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "slipway/core/file.h"
#include "slipway/tpu/credentials.h"
#include "support/fake_transport.h"
#include "support/scoped_env.h"
#include "support/service_key.h"
#include "support/temp_folder.h"

namespace slipway::tpu {

/// Somebody with an empty gcloud folder, and nothing of this machine's credentials.
class SignedIn : public ::testing::Test {
 protected:
  SignedIn() {
    for (const char* name :
         {"CLOUDSDK_AUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", "CLOUDSDK_AUTH_TOKEN_HOST",
          "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", "CLOUDSDK_AUTH_IMPERSONATE_SERVICE_ACCOUNT",
          "CLOUDSDK_AUTH_SERVICE_ACCOUNT_USE_SELF_SIGNED_JWT", "CLOUDSDK_AUTH_DISABLE_CREDENTIALS",
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS", "CLOUDSDK_BILLING_QUOTA_PROJECT",
          "CLOUDSDK_CORE_ACCOUNT", "CLOUDSDK_CORE_PROJECT", "CLOUDSDK_CORE_UNIVERSE_DOMAIN",
          "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_QUOTA_PROJECT", "GCE_METADATA_HOST",
          "GCE_METADATA_ROOT", "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"}) {
      set(name, std::nullopt);
    }
    set("NO_GCE_CHECK", "true");
    set("CLOUDSDK_CONFIG", folder_.path());
    set("CLOUDSDK_ACTIVE_CONFIG_NAME", "NONE");
    set("CLOUDSDK_ROOT_DIR", folder_.path());
  }
  ~SignedIn() override {
    while (!environment_.empty()) environment_.pop_back();  // back to front: a name may be there twice
  }

  void set(const std::string& name, const std::optional<std::string>& value) {
    environment_.push_back(std::make_unique<test::ScopedEnv>(name, value));
  }
  std::string write(const std::string& name, const std::string& content) {
    EXPECT_TRUE(write_file_atomically(folder_ / name, content).ok());
    return folder_ / name;
  }
  /// Lets GOOGLE_APPLICATION_CREDENTIALS name a file with this.
  void use(const Json& credentials) {
    set("GOOGLE_APPLICATION_CREDENTIALS", write("credentials.json", dump_json(credentials)));
  }
  Result<std::unique_ptr<TokenSource>> find(http::Transport& transport,
                                            const CredentialOptions& options = {}) {
    return find_credentials(options, GcloudConfig::load(), transport, clock_, [] { return 0.5; });
  }
  /// The token, or "error: what: why".
  std::string token(http::Transport& transport, const CredentialOptions& options = {}) {
    auto source = find(transport, options);
    const Result<Secret> found = source.ok() ? source.value()->token() : Result<Secret>(source.error());
    return found.ok() ? found->reveal() : "error: " + found.error().message() + ": " + found.error().why();
  }

  test::TempFolder folder_;
  test::FakeClock clock_;

 private:
  std::vector<std::unique_ptr<test::ScopedEnv>> environment_;
};

}  // namespace slipway::tpu
