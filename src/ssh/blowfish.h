#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace slipway::ssh {

/// The Blowfish cipher with bcrypt's expensive key schedule (Provos and Mazieres, "A Future-Adaptable
/// Password Scheme", 1999): only what bcrypt_pbkdf needs. OpenSSL has the cipher, but not this schedule.
class Blowfish {
 public:
  /// Its subkeys begin as the first 33,344 bits of pi's fraction.
  Blowfish();

  /// ExpandKey(state, salt, key).
  void expand(std::string_view salt, std::string_view key);
  /// ExpandKey(state, 0, key).
  void expand(std::string_view key);

  /// One block: two words, in place.
  void encrypt(std::uint32_t& left, std::uint32_t& right) const;

 private:
  static constexpr int kRounds = 16;
  static constexpr int kBoxes = 4;
  static constexpr int kBoxSize = 256;
  static constexpr int kWords = kRounds + 2 + kBoxes * kBoxSize;
  using Words = std::array<std::uint32_t, kWords>;

  static const Words& pi();
  void mix_in(std::string_view key);
  std::uint32_t box(int number, std::uint32_t byte) const;

  Words words_;  ///< the 18 subkeys, then the four boxes
};

}  // namespace slipway::ssh
