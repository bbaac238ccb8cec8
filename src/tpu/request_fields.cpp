#include "tpu/request_fields.h"

namespace slipway::tpu {
namespace {

using In = FieldIn;
using Kind = FieldKind;

const RequestMessage kAnything{"Anything", {}};
const RequestMessage kEmpty{"Empty", {}};
const RequestMessage kAcceleratorConfig{"AcceleratorConfig", {{"type"}, {"topology"}}};
const RequestMessage kNetworkConfig{"NetworkConfig",
                                    {{"network"},
                                     {"subnetwork"},
                                     {"enableExternalIps", Kind::kFlag},
                                     {"canIpForward", Kind::kFlag},
                                     {"queueCount", Kind::kNumber}}};
const RequestMessage kServiceAccount{"ServiceAccount", {{"email"}, {"scope", Kind::kTextList}}};
const RequestMessage kSchedulingConfig{"SchedulingConfig",
                                       {{"preemptible", Kind::kFlag},
                                        {"reserved", Kind::kFlag},
                                        {"spot", Kind::kFlag},
                                        {"provisioningModel", Kind::kText, In::kAlpha},
                                        {"reservationName", Kind::kText, In::kAlpha},
                                        {"terminationTimestamp", Kind::kText, In::kOutput}}};
const RequestMessage kAttachedDisk{"AttachedDisk",
                                   {{"sourceDisk"}, {"mode"}, {"workerIds", Kind::kTextList, In::kAlpha}}};
const RequestMessage kShielded{"ShieldedInstanceConfig", {{"enableSecureBoot", Kind::kFlag}}};
const RequestMessage kEncryptionKey{"CustomerEncryptionKey", {{"kmsKeyName"}}};
const RequestMessage kBootDisk{"BootDiskConfig",
                               {{"customerEncryptionKey", Kind::kMessage, In::kBoth, &kEncryptionKey},
                                {"diskSizeGb", Kind::kNumber},
                                {"enableConfidentialCompute", Kind::kFlag},
                                {"provisionedIops", Kind::kNumber},
                                {"provisionedThroughput", Kind::kNumber},
                                {"sourceImage"}}};
const RequestMessage kNode{"Node",
                           {{"description"},
                            {"acceleratorType"},
                            {"acceleratorConfig", Kind::kMessage, In::kBoth, &kAcceleratorConfig},
                            {"runtimeVersion"},
                            {"networkConfig", Kind::kMessage, In::kBoth, &kNetworkConfig},
                            {"networkConfigs", Kind::kMessageList, In::kBoth, &kNetworkConfig},
                            {"cidrBlock"},
                            {"serviceAccount", Kind::kMessage, In::kBoth, &kServiceAccount},
                            {"schedulingConfig", Kind::kMessage, In::kBoth, &kSchedulingConfig},
                            {"labels", Kind::kTextMap},
                            {"metadata", Kind::kTextMap},
                            {"tags", Kind::kTextList},
                            {"dataDisks", Kind::kMessageList, In::kBoth, &kAttachedDisk},
                            {"shieldedInstanceConfig", Kind::kMessage, In::kBoth, &kShielded},
                            {"autocheckpointEnabled", Kind::kFlag, In::kAlpha},
                            {"bootDiskConfig", Kind::kMessage, In::kAlpha, &kBootDisk},
                            {"name", Kind::kText, In::kOutput},
                            {"state", Kind::kText, In::kOutput},
                            {"health", Kind::kText, In::kOutput},
                            {"healthDescription", Kind::kText, In::kOutput},
                            {"createTime", Kind::kText, In::kOutput},
                            {"networkEndpoints", Kind::kMessageList, In::kOutput, &kAnything},
                            {"id", Kind::kNumber, In::kOutput},
                            {"apiVersion", Kind::kText, In::kOutput},
                            {"symptoms", Kind::kMessageList, In::kOutput, &kAnything},
                            {"queuedResource", Kind::kText, In::kOutput},
                            {"multisliceNode", Kind::kFlag, In::kOutput},
                            {"upcomingMaintenance", Kind::kMessage, In::kOutput, &kAnything}}};
const RequestMessage kMultislice{"MultisliceParams", {{"nodeCount", Kind::kNumber}, {"nodeIdPrefix"}}};
const RequestMessage kMultiNode{"MultiNodeParams",
                                {{"nodeCount", Kind::kNumber}, {"nodeIdPrefix"}, {"workloadType"}}};
const RequestMessage kNodeSpec{"NodeSpec",
                               {{"parent"},
                                {"nodeId"},
                                {"multisliceParams", Kind::kMessage, In::kV2, &kMultislice},
                                {"multiNodeParams", Kind::kMessage, In::kAlpha, &kMultiNode},
                                {"node", Kind::kMessage, In::kBoth, &kNode}}};
const RequestMessage kTpu{"Tpu", {{"nodeSpec", Kind::kMessageList, In::kBoth, &kNodeSpec}}};
const RequestMessage kGuaranteed{"Guaranteed", {{"minDuration"}, {"reserved", Kind::kFlag, In::kAlpha}}};
const RequestMessage kInterval{"Interval", {{"startTime"}, {"endTime"}}};
const RequestMessage kQueueingPolicy{"QueueingPolicy",
                                     {{"validUntilDuration"},
                                      {"validUntilTime"},
                                      {"validAfterDuration"},
                                      {"validAfterTime"},
                                      {"validInterval", Kind::kMessage, In::kBoth, &kInterval}}};
const RequestMessage kRunDuration{"RunDuration", {{"maxRunDuration"}, {"terminationTime"}}};
const RequestMessage kQueuedResource{"QueuedResource",
                                     {{"tpu", Kind::kMessage, In::kBoth, &kTpu},
                                      {"spot", Kind::kMessage, In::kBoth, &kEmpty},
                                      {"guaranteed", Kind::kMessage, In::kBoth, &kGuaranteed},
                                      {"bestEffort", Kind::kMessage, In::kAlpha, &kEmpty},
                                      {"queueingPolicy", Kind::kMessage, In::kBoth, &kQueueingPolicy},
                                      {"reservationName"},
                                      {"provisioningModel", Kind::kText, In::kAlpha},
                                      {"runDuration", Kind::kMessage, In::kAlpha, &kRunDuration},
                                      {"trafficConfig", Kind::kMessage, In::kAlpha, &kAnything},
                                      {"name", Kind::kText, In::kOutput},
                                      {"createTime", Kind::kText, In::kOutput},
                                      {"state", Kind::kMessage, In::kOutput, &kAnything}}};

}  // namespace

const RequestField* RequestMessage::find(std::string_view field) const {
  for (const RequestField& one : fields) {
    if (one.name == field) return &one;
  }
  return nullptr;
}

const RequestMessage& queued_resource_fields() { return kQueuedResource; }

}  // namespace slipway::tpu
