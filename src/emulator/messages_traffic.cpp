// TrafficConfig of v2alpha1: what the request expects to send between its slices.
#include "emulator/schema.h"

namespace slipway::emulator {
namespace {

Field direction() {
  return {"trafficDirection",
          Kind::kEnum,
          nullptr,
          Presence::kBoth,
          {"TRAFFIC_DIRECTION_UNSPECIFIED", "TRAFFIC_DIRECTION_UNIDIRECTIONAL",
           "TRAFFIC_DIRECTION_BIDIRECTIONAL"}};
}

const Message& coordinates() {
  static const Message kRange{"Range",
                              {{"start", Kind::kInt32}, {"end", Kind::kInt32}, {"step", Kind::kInt32}}};
  static const Message kChip{"ChipCoordinate",
                             {{"sliceCoordinate", Kind::kInt32},
                              {"xCoordinate", Kind::kInt32},
                              {"yCoordinate", Kind::kInt32},
                              {"zCoordinate", Kind::kInt32}}};
  static const Message kChips{"ChipCoordinateList", {{"coordinates", Kind::kMessageList, &kChip}}};
  static const Message kGenerator{"ChipCoordinateRangeGenerator",
                                  {{"sliceCoordinates", Kind::kMessage, &kRange},
                                   {"xCoordinates", Kind::kMessage, &kRange},
                                   {"yCoordinates", Kind::kMessage, &kRange},
                                   {"zCoordinates", Kind::kMessage, &kRange}}};
  static const Message kList{"CoordinateList",
                             {{"chipCoordinate", Kind::kMessage, &kChips},
                              {"chipCoordinateRangeGenerator", Kind::kMessage, &kGenerator}}};
  return kList;
}

const Message& traffic() {
  static const Message kPeak{"PeakTraffic", {{"peakTrafficGbps", Kind::kDouble}}};
  static const Message kTraffic{"Traffic", {{"peakTraffic", Kind::kMessage, &kPeak}}};
  return kTraffic;
}

const Message& shape() {
  static const Message kAllToAll{"AllToAllTraffic", {{"group", Kind::kMessage, &coordinates()}}};
  static const Message kNToM{"NToMTraffic",
                             {{"srcGroup", Kind::kMessage, &coordinates()},
                              {"dstGroup", Kind::kMessage, &coordinates()},
                              direction()}};
  static const Message kRing{"RingTraffic", {{"group", Kind::kMessage, &coordinates()}, direction()}};
  static const Message kShape{"AbstractTrafficShape",
                              {{"allToAllTraffic", Kind::kMessage, &kAllToAll},
                               {"nToMTraffic", Kind::kMessage, &kNToM},
                               {"ringTraffic", Kind::kMessage, &kRing}}};
  return kShape;
}

const Message& matrix() {
  static const Message kUniform{"DefaultUniformTrafficMatrix", {}};
  static const Message kEntry{"ShapeGeneratedEntry",
                              {{"abstractTrafficShape", Kind::kMessage, &shape()},
                               {"traffic", Kind::kMessage, &traffic()},
                               {"trafficShapeInstantiation", Kind::kMessage, &coordinates()}}};
  static const Message kCustom{"CustomTrafficMatrix", {{"shapeGeneratedEntry", Kind::kMessageList, &kEntry}}};
  static const Message kDestination{"DstSliceTraffic",
                                    {{"sliceCoord", Kind::kInt32}, {"traffic", Kind::kMessage, &traffic()}}};
  static const Message kSource{
      "SrcSliceTraffic", {{"sliceCoord", Kind::kInt32}, {"dstTraffic", Kind::kMessageList, &kDestination}}};
  static const Message kAdjacency{"SliceToSliceAdjacencyList",
                                  {{"srcTraffic", Kind::kMessageList, &kSource}}};
  static const Message kMatrix{"LogicalTrafficMatrix",
                               {{"customTrafficMatrix", Kind::kMessage, &kCustom},
                                {"defaultUniformTrafficMatrix", Kind::kMessage, &kUniform},
                                {"sliceToSliceAdjacencyList", Kind::kMessage, &kAdjacency}}};
  return kMatrix;
}

}  // namespace

const Message& traffic_config_message() {
  static const Message kTrafficConfig{"TrafficConfig",
                                      {{"anticipatedTrafficMatrix", Kind::kMessage, &matrix()}}};
  return kTrafficConfig;
}

}  // namespace slipway::emulator
