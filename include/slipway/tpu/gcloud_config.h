#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/core/result.h"

namespace slipway::tpu {

/// A value and where it came from: "CLOUDSDK_CORE_PROJECT", "~/.config/gcloud/configurations/config_default".
struct GcloudProperty {
  std::string value;
  std::string origin;
};

/// gcloud's own settings, read as gcloud reads them: CLOUDSDK_<SECTION>_<NAME> (set to "" counts as set),
/// then the active configuration in $CLOUDSDK_CONFIG or ~/.config/gcloud (CLOUDSDK_ACTIVE_CONFIG_NAME, else
/// the file active_config, else "default"; NONE means no file), then the file `properties` of the
/// installation (the folder with .install above the gcloud in PATH, or CLOUDSDK_ROOT_DIR). Never written to.
class GcloudConfig {
 public:
  /// Reads the files once. A missing folder or file is an empty one; an unreadable one is a warning in the
  /// log.
  static GcloudConfig load();

  std::optional<GcloudProperty> property(std::string_view section, std::string_view name) const;
  /// $CLOUDSDK_CONFIG or ~/.config/gcloud.
  const std::string& folder() const { return folder_; }

 private:
  void read(const std::string& file);

  std::string folder_;
  std::map<std::string, GcloudProperty> values_;  ///< "section/name"
};

}  // namespace slipway::tpu
