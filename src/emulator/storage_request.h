#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/request.h"
#include "emulator/storage_objects.h"

namespace slipway::emulator {

/// The segments of a path as it was sent, each decoded on its own: only so is an object named "a/b", which
/// travels as "a%2Fb", one segment. Nothing for a path with a broken escape.
std::optional<std::vector<std::string>> decoded_segments(const std::string& target);

/// The inverse for one segment.
std::string percent_encoded(const std::string& text);

/// Every parameter has to be one of `own` or one that all methods have: a typing mistake that was ignored
/// would read as an answer to what was asked.
std::optional<StorageError> check_parameters(const ApiRequest& request,
                                             const std::set<std::string_view>& own);

/// A parameter that is a number; 0 when it is missing.
std::optional<StorageError> read_number(const ApiRequest& request, const std::string& name,
                                        std::int64_t& value);
/// ifGenerationMatch and its three sisters. With `prefix` "ifSource": ifSourceGenerationMatch, ..
std::optional<StorageError> read_conditions(const ApiRequest& request, Conditions& conditions,
                                            const std::string& prefix = "if");
std::optional<StorageError> read_object_query(const ApiRequest& request, ObjectQuery& query);
/// What nextPageToken is made of.
std::string page_token(const std::string& last);

/// The part of `size` bytes that a Range header asks for: one range, "bytes=a-b", "bytes=a-" or "bytes=-n".
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one behind the last
};
/// The whole for a header that is missing or no such range (RFC 9110: it is then ignored). 416 when it begins
/// behind the end.
StorageOutcome<ByteRange> read_range(const std::string& header, std::size_t size);

}  // namespace slipway::emulator
