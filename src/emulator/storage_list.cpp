// Which objects a list shows: prefixes fold names up to a delimiter, as folders would.
#include <algorithm>

#include "emulator/storage_objects.h"

namespace slipway::emulator {
namespace {

// The part of `name` up to and with the first delimiter after the prefix; empty when there is none.
std::string folded(const std::string& name, const ObjectQuery& query) {
  if (query.delimiter.empty()) return "";
  const std::size_t at = name.find(query.delimiter, query.prefix.size());
  return at == std::string::npos ? "" : name.substr(0, at + query.delimiter.size());
}

bool begins_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// The first name behind all that begin with `prefix`; false when there can be none.
bool behind(std::string prefix, std::string& name) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 255) prefix.pop_back();
  if (prefix.empty()) return false;
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  name = std::move(prefix);
  return true;
}

}  // namespace

StorageOutcome<ObjectPage> ObjectStore::list(const std::string& bucket, const ObjectQuery& query) const {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return no_such_bucket();
  const std::map<std::string, StoredObject>& objects = found->second.objects;
  ObjectPage page;
  auto at = objects.lower_bound(std::max(query.prefix, query.start_offset));
  if (!query.after.empty() && (at == objects.end() || at->first <= query.after))
    at = objects.upper_bound(query.after);
  std::string last;
  while (at != objects.end() && begins_with(at->first, query.prefix) &&
         (query.end_offset.empty() || at->first < query.end_offset)) {
    const std::string prefix = folded(at->first, query);
    if (!prefix.empty() && prefix == query.after) {  // the page before ended with it
      std::string next;
      at = behind(prefix, next) ? objects.lower_bound(next) : objects.end();
      continue;
    }
    if (page.objects.size() + page.prefixes.size() >= query.max_results) {
      page.last = last;
      return page;
    }
    last = prefix.empty() ? at->first : prefix;
    if (prefix.empty() || (query.trailing_delimiter && prefix == at->first))
      page.objects.push_back(at->second);
    if (prefix.empty()) {
      ++at;
      continue;
    }
    page.prefixes.push_back(prefix);
    std::string next;
    at = behind(prefix, next) ? objects.lower_bound(next) : objects.end();
  }
  return page;
}

}  // namespace slipway::emulator
