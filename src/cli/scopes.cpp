#include "cli/scopes.h"

#include <map>

namespace slipway::cli {
namespace {

constexpr const char* kBase = "https://www.googleapis.com/auth/";

/// `gcloud compute instances create --help`, --scopes.
const std::map<std::string, std::vector<const char*>>& aliases() {
  static const std::map<std::string, std::vector<const char*>> all = {
      {"bigquery", {"bigquery"}},
      {"cloud-platform", {"cloud-platform"}},
      {"cloud-source-repos", {"source.full_control"}},
      {"cloud-source-repos-ro", {"source.read_only"}},
      {"compute-ro", {"compute.readonly"}},
      {"compute-rw", {"compute"}},
      {"datastore", {"datastore"}},
      {"default",
       {"devstorage.read_only", "logging.write", "monitoring.write", "pubsub", "service.management.readonly",
        "servicecontrol", "trace.append"}},
      {"gke-default",
       {"devstorage.read_only", "logging.write", "monitoring", "service.management.readonly",
        "servicecontrol", "trace.append"}},
      {"logging-write", {"logging.write"}},
      {"monitoring", {"monitoring"}},
      {"monitoring-read", {"monitoring.read"}},
      {"monitoring-write", {"monitoring.write"}},
      {"pubsub", {"pubsub"}},
      {"service-control", {"servicecontrol"}},
      {"service-management", {"service.management.readonly"}},
      {"sql-admin", {"sqlservice.admin"}},
      {"storage-full", {"devstorage.full_control"}},
      {"storage-ro", {"devstorage.read_only"}},
      {"storage-rw", {"devstorage.read_write"}},
      {"taskqueue", {"taskqueue"}},
      {"trace", {"trace.append"}},
      {"userinfo-email", {"userinfo.email"}},
  };
  return all;
}

}  // namespace

std::vector<std::string> expand_scopes(const std::vector<std::string>& words) {
  std::vector<std::string> scopes;
  for (const std::string& word : words) {
    const auto alias = aliases().find(word);
    if (alias == aliases().end()) {
      scopes.push_back(word);
      continue;
    }
    for (const char* scope : alias->second) scopes.push_back(std::string(kBase) + scope);
  }
  return scopes;
}

}  // namespace slipway::cli
