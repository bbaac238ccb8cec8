#include "ssh/bcrypt_pbkdf.h"

#include <openssl/sha.h>

#include <array>

#include "ssh/blowfish.h"
#include "ssh/evp.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

constexpr std::size_t kHashSize = 32;

std::string sha512(std::string_view bytes) {
  std::string digest(SHA512_DIGEST_LENGTH, '\0');
  SHA512(unsigned_bytes(bytes), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

/// bcrypt with a fixed cost of 64, over a text of 32 bytes; its words come out with the least byte first.
std::string bcrypt_hash(std::string_view hashed_passphrase, std::string_view hashed_salt) {
  constexpr std::string_view kText = "OxychromaticBlowfishSwatDynamite";
  constexpr int kTimes = 64;
  Blowfish cipher;
  cipher.expand(hashed_salt, hashed_passphrase);
  for (int i = 0; i < kTimes; ++i) {
    cipher.expand(hashed_salt);
    cipher.expand(hashed_passphrase);
  }
  std::array<std::uint32_t, kHashSize / 4> words{};
  for (std::size_t i = 0; i < kHashSize; ++i)
    words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(kText[i]);
  for (int time = 0; time < kTimes; ++time) {
    for (std::size_t i = 0; i < words.size(); i += 2) cipher.encrypt(words[i], words[i + 1]);
  }
  std::string bytes;
  for (const std::uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  }
  return bytes;
}

/// One block of PBKDF2 over that hash.
std::string derive_block(std::string_view hashed_passphrase, std::string_view salt, std::uint32_t number,
                         std::uint32_t rounds) {
  std::string last = bcrypt_hash(hashed_passphrase, sha512(std::string(salt) + wire_uint32(number)));
  std::string block = last;
  for (std::uint32_t round = 1; round < rounds; ++round) {
    last = bcrypt_hash(hashed_passphrase, sha512(last));
    for (std::size_t i = 0; i < kHashSize; ++i) block[i] = static_cast<char>(block[i] ^ last[i]);
  }
  return block;
}

}  // namespace

/// Unlike PBKDF2 the blocks are not put behind each other: each gives every n-th byte of the key, so that no
/// part of the key can be had for less than the whole work.
std::string bcrypt_pbkdf(std::string_view passphrase, std::string_view salt, std::uint32_t rounds,
                         std::size_t size) {
  const std::string hashed_passphrase = sha512(passphrase);
  const std::size_t blocks = (size + kHashSize - 1) / kHashSize;
  std::string key(size, '\0');
  for (std::size_t number = 0; number < blocks; ++number) {
    const std::string block =
        derive_block(hashed_passphrase, salt, static_cast<std::uint32_t>(number + 1), rounds);
    for (std::size_t i = 0; i * blocks + number < size && i < kHashSize; ++i)
      key[i * blocks + number] = block[i];
  }
  return key;
}

}  // namespace slipway::ssh
