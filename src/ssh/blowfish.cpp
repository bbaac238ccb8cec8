#include "ssh/blowfish.h"

#include <cstddef>
#include <vector>

#include "ssh/evp.h"

namespace slipway::ssh {
namespace {

/// Takes the next 32 bits of `bytes`, which repeat without end.
class CyclicWords {
 public:
  explicit CyclicWords(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t next() {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
      word = word << 8 | static_cast<unsigned char>(bytes_[at_]);
      at_ = (at_ + 1) % bytes_.size();
    }
    return word;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// factor * arctan(1/x) * 2^bits, by its series.
BigNumber scaled_arctan(unsigned long factor, unsigned long x, int bits) {
  BigNumber sum(BN_new()), power(BN_new()), term(BN_new());
  BN_set_word(power.get(), factor);
  BN_lshift(power.get(), power.get(), bits);
  BN_div_word(power.get(), x);
  for (unsigned long k = 1; !BN_is_zero(power.get()); k += 2) {
    BN_copy(term.get(), power.get());
    BN_div_word(term.get(), k);
    (k % 4 == 1 ? BN_add : BN_sub)(sum.get(), sum.get(), term.get());
    BN_div_word(power.get(), x * x);
  }
  return sum;
}

}  // namespace

/// Computed rather than written down: pi = 16 arctan(1/5) - 4 arctan(1/239) (Machin).
const Blowfish::Words& Blowfish::pi() {
  static const Words words = [] {
    constexpr int kBits = kWords * 32;
    constexpr int kSpare = 64;  // more than the rounding of 10,000 terms
    BigNumber pi = scaled_arctan(16, 5, kBits + kSpare);
    const BigNumber less = scaled_arctan(4, 239, kBits + kSpare);
    BN_sub(pi.get(), pi.get(), less.get());
    BN_rshift(pi.get(), pi.get(), kSpare);
    BN_mask_bits(pi.get(), kBits);  // without the 3
    std::vector<unsigned char> bytes(kBits / 8);
    BN_bn2binpad(pi.get(), bytes.data(), static_cast<int>(bytes.size()));
    Words made{};
    CyclicWords source({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (std::uint32_t& word : made) word = source.next();
    return made;
  }();
  return words;
}

Blowfish::Blowfish() : words_(pi()) {}

std::uint32_t Blowfish::box(int number, std::uint32_t byte) const {
  return words_[static_cast<std::size_t>(kRounds + 2 + number * kBoxSize) + (byte & 0xff)];
}

void Blowfish::encrypt(std::uint32_t& left, std::uint32_t& right) const {
  for (std::size_t round = 0; round < kRounds; ++round) {
    left ^= words_[round];
    right ^= ((box(0, left >> 24) + box(1, left >> 16)) ^ box(2, left >> 8)) + box(3, left);
    std::swap(left, right);
  }
  std::swap(left, right);
  right ^= words_[kRounds];
  left ^= words_[kRounds + 1];
}

void Blowfish::mix_in(std::string_view key) {
  CyclicWords source(key);
  for (std::size_t i = 0; i < kRounds + 2; ++i) words_[i] ^= source.next();
}

void Blowfish::expand(std::string_view salt, std::string_view key) {
  mix_in(key);
  CyclicWords source(salt);
  std::uint32_t left = 0, right = 0;
  for (std::size_t i = 0; i < words_.size(); i += 2) {
    left ^= source.next();
    right ^= source.next();
    encrypt(left, right);
    words_[i] = left;
    words_[i + 1] = right;
  }
}

void Blowfish::expand(std::string_view key) {
  mix_in(key);
  std::uint32_t left = 0, right = 0;
  for (std::size_t i = 0; i < words_.size(); i += 2) {
    encrypt(left, right);
    words_[i] = left;
    words_[i + 1] = right;
  }
}

}  // namespace slipway::ssh
