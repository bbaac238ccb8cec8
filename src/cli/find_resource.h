#pragma once

#include "cli/api.h"
#include "slipway/model/queued_resource.h"

namespace slipway::cli {

/// The queued resource of this name. Where there is none, the error (kNotFound) names the one of the zone
/// that is nearest in spelling.
Result<QueuedResource> find_resource(Api& api, const QueuedResourceName& name,
                                     tpu::ApiVersion version = tpu::ApiVersion::kV2);

/// That error, for a name that is known not to be there.
Error no_such_resource(Api& api, const QueuedResourceName& name);

}  // namespace slipway::cli
