#include "launch/tar_gz.h"

#include <zlib.h>

#include <cstring>

#include "slipway/core/format.h"

namespace slipway::launch {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kLongestName = 100;
constexpr long long kTime = 315'532'800;  // 1980-01-01: the first that zip files, which Python reads, can say

void pad(std::string& tar) { tar.resize((tar.size() + kBlock - 1) / kBlock * kBlock, '\0'); }

struct Header {
  std::string name;
  std::string link;
  std::size_t size = 0;
  unsigned mode = 0644;
  char type = '0';
};

void put(std::string& block, std::size_t at, const std::string& text) {
  block.replace(at, text.size(), text);
}

void append_header(std::string& tar, const Header& header) {
  std::string block(kBlock, '\0');
  put(block, 0, header.name.substr(0, kLongestName));
  put(block, 100, fmt::format("{:07o}", header.mode));
  put(block, 108, "0000000");
  put(block, 116, "0000000");
  put(block, 124, fmt::format("{:011o}", header.size));
  put(block, 136, fmt::format("{:011o}", kTime));
  put(block, 148, "        ");  // the sum counts its own field as blanks
  block[156] = header.type;
  put(block, 157, header.link.substr(0, kLongestName));
  put(block, 257,
      std::string("ustar\0"
                  "00",
                  8));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(block, 148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  tar += block;
}

/// "LENGTH key=value\n", where LENGTH counts itself.
std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = fmt::format(" {}={}\n", key, value);
  std::size_t length = rest.size() + 1;
  while (rest.size() + std::to_string(length).size() != length) ++length;
  return std::to_string(length) + rest;
}

}  // namespace

void append_tar(std::string& tar, const TarMember& member) {
  std::string extended;
  if (member.name.size() > kLongestName) extended += pax_record("path", member.name);
  if (member.link.size() > kLongestName) extended += pax_record("linkpath", member.link);
  if (!extended.empty()) {
    append_header(tar, {"pax", "", extended.size(), 0644, 'x'});
    tar += extended;
    pad(tar);
  }
  const bool is_link = !member.link.empty();
  append_header(tar, {member.name, member.link, is_link ? 0 : member.content.size(),
                      is_link || member.executable ? 0755U : 0644U, is_link ? '2' : '0'});
  if (!is_link) tar += member.content;
  pad(tar);
}

void end_tar(std::string& tar) { tar.append(2 * kBlock, '\0'); }

Result<std::string> gzip(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;  // the largest window, and gzip's head and tail instead of zlib's
  z_stream stream{};
  if (::deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return Error(ErrorCode::kLocal, "zlib cannot begin to compress");
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  // zlib reads from it only, whatever its type says.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (status != Z_STREAM_END) return Error(ErrorCode::kLocal, "zlib could not compress the code");
  constexpr std::size_t kSystem = 9;  // of the head: which system it was made on
  out[kSystem] = '\xff';              // unknown
  return out;
}

}  // namespace slipway::launch
