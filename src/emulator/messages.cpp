// The messages of the TPU API that requests carry, from the discovery documents of v2 and v2alpha1.
#include "emulator/schema.h"

namespace slipway::emulator {
namespace {

const Message kEmpty{"Empty", {}};
const Message kServiceAccount{"ServiceAccount", {{"email", Kind::kString}, {"scope", Kind::kStringList}}};
const Message kNetworkConfig{"NetworkConfig",
                             {{"network", Kind::kString},
                              {"subnetwork", Kind::kString},
                              {"enableExternalIps", Kind::kBool},
                              {"canIpForward", Kind::kBool},
                              {"queueCount", Kind::kInt32}}};
const Message kAcceleratorConfig{"AcceleratorConfig",
                                 {{"type",
                                   Kind::kEnum,
                                   nullptr,
                                   Presence::kBoth,
                                   {"TYPE_UNSPECIFIED", "V2", "V3", "V4", "V5LITE_POD", "V5P", "V6E"},
                                   {"TPU7X", "V6EA"}},
                                  {"topology", Kind::kString}}};
const Message kSchedulingConfig{
    "SchedulingConfig",
    {{"preemptible", Kind::kBool},
     {"reserved", Kind::kBool},
     {"spot", Kind::kBool},
     {"provisioningModel",
      Kind::kEnum,
      nullptr,
      Presence::kAlphaOnly,
      {"PROVISIONING_MODEL_UNSPECIFIED", "STANDARD", "SPOT", "RESERVATION_BOUND"}},
     {"reservationName", Kind::kString, nullptr, Presence::kAlphaOnly},
     {"terminationTimestamp", Kind::kTimestamp, nullptr, Presence::kOutput}}};
const Message kAttachedDisk{
    "AttachedDisk",
    {{"sourceDisk", Kind::kString},
     {"mode", Kind::kEnum, nullptr, Presence::kBoth, {"DISK_MODE_UNSPECIFIED", "READ_WRITE", "READ_ONLY"}},
     {"workerIds", Kind::kStringList, nullptr, Presence::kAlphaOnly}}};
const Message kShielded{"ShieldedInstanceConfig", {{"enableSecureBoot", Kind::kBool}}};
const Message kEncryptionKey{"CustomerEncryptionKey", {{"kmsKeyName", Kind::kString}}};
const Message kBootDisk{"BootDiskConfig",
                        {{"customerEncryptionKey", Kind::kMessage, &kEncryptionKey},
                         {"diskSizeGb", Kind::kInt64},
                         {"enableConfidentialCompute", Kind::kBool},
                         {"provisionedIops", Kind::kInt64},
                         {"provisionedThroughput", Kind::kInt64},
                         {"sourceImage", Kind::kString}}};

const Message kNode{"Node",
                    {{"name", Kind::kString, nullptr, Presence::kOutput},
                     {"description", Kind::kString},
                     {"acceleratorType", Kind::kString},
                     {"acceleratorConfig", Kind::kMessage, &kAcceleratorConfig},
                     {"runtimeVersion", Kind::kString},
                     {"networkConfig", Kind::kMessage, &kNetworkConfig},
                     {"networkConfigs", Kind::kMessageList, &kNetworkConfig},
                     {"cidrBlock", Kind::kString},
                     {"serviceAccount", Kind::kMessage, &kServiceAccount},
                     {"schedulingConfig", Kind::kMessage, &kSchedulingConfig},
                     {"labels", Kind::kStringMap},
                     {"metadata", Kind::kStringMap},
                     {"tags", Kind::kStringList},
                     {"dataDisks", Kind::kMessageList, &kAttachedDisk},
                     {"shieldedInstanceConfig", Kind::kMessage, &kShielded},
                     {"autocheckpointEnabled", Kind::kBool, nullptr, Presence::kAlphaOnly},
                     {"bootDiskConfig", Kind::kMessage, &kBootDisk, Presence::kAlphaOnly},
                     {"state", Kind::kString, nullptr, Presence::kOutput},
                     {"health", Kind::kString, nullptr, Presence::kOutput},
                     {"healthDescription", Kind::kString, nullptr, Presence::kOutput},
                     {"createTime", Kind::kTimestamp, nullptr, Presence::kOutput},
                     {"networkEndpoints", Kind::kMessageList, nullptr, Presence::kOutput},
                     {"id", Kind::kInt64, nullptr, Presence::kOutput},
                     {"apiVersion", Kind::kString, nullptr, Presence::kOutput},
                     {"symptoms", Kind::kMessageList, nullptr, Presence::kOutput},
                     {"queuedResource", Kind::kString, nullptr, Presence::kOutput},
                     {"multisliceNode", Kind::kBool, nullptr, Presence::kOutput},
                     {"upcomingMaintenance", Kind::kMessage, nullptr, Presence::kOutput}}};

const Message kMultisliceParams{"MultisliceParams",
                                {{"nodeCount", Kind::kInt32}, {"nodeIdPrefix", Kind::kString}}};
const Message kMultiNodeParams{
    "MultiNodeParams",
    {{"nodeCount", Kind::kInt32},
     {"nodeIdPrefix", Kind::kString},
     {"workloadType",
      Kind::kEnum,
      nullptr,
      Presence::kBoth,
      {"WORKLOAD_TYPE_UNSPECIFIED", "THROUGHPUT_OPTIMIZED", "AVAILABILITY_OPTIMIZED"}}}};
const Message kNodeSpec{"NodeSpec",
                        {{"parent", Kind::kString},
                         {"nodeId", Kind::kString},
                         {"multisliceParams", Kind::kMessage, &kMultisliceParams, Presence::kV2Only},
                         {"multiNodeParams", Kind::kMessage, &kMultiNodeParams, Presence::kAlphaOnly},
                         {"node", Kind::kMessage, &kNode}}};
const Message kTpu{"Tpu", {{"nodeSpec", Kind::kMessageList, &kNodeSpec}}};
const Message kGuaranteed{
    "Guaranteed",
    {{"minDuration", Kind::kDuration}, {"reserved", Kind::kBool, nullptr, Presence::kAlphaOnly}}};
const Message kInterval{"Interval", {{"startTime", Kind::kTimestamp}, {"endTime", Kind::kTimestamp}}};
const Message kQueueingPolicy{"QueueingPolicy",
                              {{"validUntilDuration", Kind::kDuration},
                               {"validUntilTime", Kind::kTimestamp},
                               {"validAfterDuration", Kind::kDuration},
                               {"validAfterTime", Kind::kTimestamp},
                               {"validInterval", Kind::kMessage, &kInterval}}};
const Message kRunDuration{"RunDuration",
                           {{"maxRunDuration", Kind::kDuration}, {"terminationTime", Kind::kTimestamp}}};

const Message kQueuedResource{
    "QueuedResource",
    {{"name", Kind::kString, nullptr, Presence::kOutput},
     {"createTime", Kind::kTimestamp, nullptr, Presence::kOutput},
     {"tpu", Kind::kMessage, &kTpu},
     {"spot", Kind::kMessage, &kEmpty},
     {"guaranteed", Kind::kMessage, &kGuaranteed},
     {"bestEffort", Kind::kMessage, &kEmpty, Presence::kAlphaOnly},
     {"queueingPolicy", Kind::kMessage, &kQueueingPolicy},
     {"reservationName", Kind::kString},
     {"state", Kind::kMessage, nullptr, Presence::kOutput},
     {"provisioningModel",
      Kind::kEnum,
      nullptr,
      Presence::kAlphaOnly,
      {"PROVISIONING_MODEL_UNSPECIFIED", "STANDARD", "SPOT", "RESERVATION_BOUND", "FLEX_START"}},
     {"runDuration", Kind::kMessage, &kRunDuration, Presence::kAlphaOnly},
     {"trafficConfig", Kind::kMessage, &traffic_config_message(), Presence::kAlphaOnly}}};

const Message kGuestAttributesRequest{"GetGuestAttributesRequest",
                                      {{"queryPath", Kind::kString}, {"workerIds", Kind::kStringList}}};

const Message kMaintenanceRequest{"PerformMaintenanceQueuedResourceRequest",
                                  {{"nodeNames", Kind::kStringList}}};
const Message kSimulatedMaintenanceRequest{"SimulateMaintenanceEventRequest",
                                           {{"workerIds", Kind::kStringList}}};

}  // namespace

const Message& queued_resource_message() { return kQueuedResource; }
const Message& maintenance_request() { return kMaintenanceRequest; }
const Message& simulated_maintenance_request() { return kSimulatedMaintenanceRequest; }
const Message& node_message() { return kNode; }
const Message& guest_attributes_request() { return kGuestAttributesRequest; }
const Message& empty_message() { return kEmpty; }

}  // namespace slipway::emulator
