#pragma once

#include <string_view>
#include <vector>

namespace slipway::tpu {

/// What a field of a create request holds, as far as a body can be checked here: what a value means is the
/// API's to judge.
enum class FieldKind { kText, kNumber, kFlag, kTextList, kTextMap, kMessage, kMessageList };
/// Where a field is. kOutput: the API sets it, and ignores or refuses it from us.
enum class FieldIn { kBoth, kV2, kAlpha, kOutput };

struct RequestMessage;
struct RequestField {
  std::string_view name;
  FieldKind kind = FieldKind::kText;
  FieldIn in = FieldIn::kBoth;
  const RequestMessage* message = nullptr;
};
struct RequestMessage {
  std::string_view name;
  std::vector<RequestField> fields;

  const RequestField* find(std::string_view field) const;
};

/// QueuedResource with all that it holds, from the discovery documents of v2 and v2alpha1
/// (tpu.googleapis.com/$discovery/rest?version=..).
const RequestMessage& queued_resource_fields();

}  // namespace slipway::tpu
