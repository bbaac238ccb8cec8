#include "ssh/openssh_key.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>

#include <string>

#include "slipway/core/text.h"
#include "ssh/key_cipher.h"
#include "ssh/public_key.h"
#include "ssh/wire.h"

namespace slipway::ssh {
namespace {

using Parameters = COwner<OSSL_PARAM, OSSL_PARAM_free>;
using ParameterBuilder = COwner<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;

using namespace std::string_view_literals;
constexpr std::string_view kMagic = "openssh-key-v1\0"sv;
constexpr std::string_view kOpensshEnd = "-----END OPENSSH PRIVATE KEY-----";
constexpr std::size_t kEd25519Seed = 32;

Error damaged(const char* what) { return Error(ErrorCode::kUsage, "the key is damaged").why(what); }

/// The bytes between the BEGIN and END lines.
std::optional<std::string> decode_armour(std::string_view text) {
  const std::size_t begin = text.find(kOpensshBegin);
  const std::size_t end = text.find(kOpensshEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  std::string base64;
  for (const char c : text.substr(begin + kOpensshBegin.size(), end - begin - kOpensshBegin.size())) {
    if (c != '\n' && c != '\r' && c != ' ' && c != '\t') base64 += c;
  }
  auto bytes = base64_decode(base64);
  OPENSSL_cleanse(base64.data(), base64.size());
  return bytes;
}

BigNumber to_number(std::string_view bytes) {
  return BigNumber(BN_bin2bn(unsigned_bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

Result<EvpKey> from_parameters(const char* algorithm, OSSL_PARAM_BLD& builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(&builder));
  const EvpKeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, algorithm, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get()) != 1) {
    return damaged("OpenSSL does not take its numbers");
  }
  return EvpKey(key);
}

/// d mod (prime - 1): the CRT exponent that the file leaves out.
BigNumber crt_exponent(const BIGNUM& d, const BIGNUM& prime) {
  const BigNumberContext scratch(BN_CTX_new());
  const BigNumber less_one(BN_dup(&prime));
  BigNumber exponent(BN_new());
  if (!scratch || !less_one || !exponent || BN_sub_word(less_one.get(), 1) != 1) return nullptr;
  if (BN_mod(exponent.get(), &d, less_one.get(), scratch.get()) != 1) return nullptr;
  return exponent;
}

bool is_product(const BIGNUM& n, const BIGNUM& p, const BIGNUM& q) {
  const BigNumberContext scratch(BN_CTX_new());
  const BigNumber product(BN_new());
  return scratch && product && BN_mul(product.get(), &p, &q, scratch.get()) == 1 &&
         BN_cmp(product.get(), &n) == 0;
}

Result<EvpKey> read_rsa(WireReader& reader) {
  const auto n_bytes = reader.string(), e_bytes = reader.string(), d_bytes = reader.string();
  const auto inverse_bytes = reader.string(), p_bytes = reader.string(), q_bytes = reader.string();
  if (!q_bytes) return damaged("it ends in the middle of the numbers");
  const BigNumber n = to_number(*n_bytes), e = to_number(*e_bytes), d = to_number(*d_bytes);
  const BigNumber inverse = to_number(*inverse_bytes), p = to_number(*p_bytes), q = to_number(*q_bytes);
  if (!n || !e || !d || !inverse || !p || !q || BN_is_zero(p.get()) || BN_is_zero(q.get()) ||
      !is_product(*n, *p, *q)) {
    return damaged("its primes do not make its modulus");
  }
  const BigNumber d_p = crt_exponent(*d, *p), d_q = crt_exponent(*d, *q);
  const ParameterBuilder builder(OSSL_PARAM_BLD_new());
  const auto push = [&](const char* name, const BigNumber& number) {
    return number && OSSL_PARAM_BLD_push_BN(builder.get(), name, number.get()) == 1;
  };
  if (!push(OSSL_PKEY_PARAM_RSA_N, n) || !push(OSSL_PKEY_PARAM_RSA_E, e) || !push(OSSL_PKEY_PARAM_RSA_D, d) ||
      !push(OSSL_PKEY_PARAM_RSA_FACTOR1, p) || !push(OSSL_PKEY_PARAM_RSA_FACTOR2, q) ||
      !push(OSSL_PKEY_PARAM_RSA_EXPONENT1, d_p) || !push(OSSL_PKEY_PARAM_RSA_EXPONENT2, d_q) ||
      !push(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, inverse)) {
    return damaged("OpenSSL does not take its numbers");
  }
  return from_parameters("RSA", *builder);
}

Result<EvpKey> read_ecdsa(const Curve& curve, WireReader& reader) {
  const auto name = reader.string(), point = reader.string(), secret_bytes = reader.string();
  if (!secret_bytes || *name != curve.name) return damaged("its curve is not the one of its type");
  const BigNumber secret = to_number(*secret_bytes);
  const ParameterBuilder builder(OSSL_PARAM_BLD_new());
  if (!secret ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve.openssl.data(),
                                      curve.openssl.size()) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point->data(),
                                       point->size()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, secret.get()) != 1) {
    return damaged("OpenSSL does not take its numbers");
  }
  return from_parameters("EC", *builder);
}

Result<EvpKey> read_ed25519(WireReader& reader) {
  const auto open = reader.string(), secret = reader.string();
  if (!secret || secret->size() != 2 * kEd25519Seed || secret->substr(kEd25519Seed) != *open)
    return damaged("its halves differ");
  EvpKey key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, unsigned_bytes(*secret), kEd25519Seed));
  if (!key) return damaged("OpenSSL does not take its numbers");
  return key;
}

Result<EvpKey> read_numbers(std::string_view type, WireReader& reader) {
  if (type == "ssh-rsa") return read_rsa(reader);
  if (type == "ssh-ed25519") return read_ed25519(reader);
  if (const Curve* curve = curve_of_type(type)) return read_ecdsa(*curve, reader);
  return Error(ErrorCode::kUsage, "the key is of a type that slipway does not use")
      .why("'" + printable(type) + "'; usable are ssh-ed25519, ecdsa-sha2-nistp256/384/521 and ssh-rsa");
}

/// The private section: twice the same random number, which a wrong passphrase would have torn apart, then
/// one key.
Result<EvpKey> read_private(std::string_view section, std::string_view public_blob) {
  WireReader reader(section);
  const auto check = reader.uint32(), again = reader.uint32();
  const auto type = reader.string();
  if (!again || check != again || !type) return damaged("its check numbers differ");
  TRY(EvpKey key, read_numbers(*type, reader));
  if (public_key_blob(*key) != public_blob)
    return damaged("its private and public halves do not belong together");
  return key;
}

/// The parts of the file around its one key.
struct Sections {
  KeyCipher cipher;
  std::string_view public_blob;
  std::string_view section;
  std::string_view tag;

  bool encrypted() const { return cipher.cipher != "none"; }
};

Result<Sections> read_sections(std::string_view bytes) {
  WireReader reader(bytes);
  if (reader.raw(kMagic.size()) != kMagic) return damaged("it does not begin with openssh-key-v1");
  const auto cipher = reader.string(), derivation = reader.string();
  WireReader derivation_options(reader.string().value_or(""));
  const auto count = reader.uint32();
  const auto public_blob = reader.string(), section = reader.string();
  if (!section) return damaged("it ends too early");
  if (count != 1U) return damaged("it holds several keys");
  Sections sections{{*cipher, *derivation}, *public_blob, *section, reader.rest()};
  sections.cipher.salt = derivation_options.string().value_or("");
  sections.cipher.rounds = derivation_options.uint32().value_or(0);
  return sections;
}

Result<EvpKey> parse_sections(std::string_view bytes, std::string_view passphrase) {
  TRY(const Sections sections, read_sections(bytes));
  if (!sections.encrypted()) return read_private(sections.section, sections.public_blob);
  TRY(std::string clear, decrypt(sections.cipher, passphrase, sections.section, sections.tag));
  WireReader check(clear);
  const bool opened = check.uint32() == check.uint32();
  Result<EvpKey> key = Error(ErrorCode::kDenied, "the passphrase is wrong");
  if (opened) key = read_private(clear, sections.public_blob);
  OPENSSL_cleanse(clear.data(), clear.size());
  return key;
}

std::string ed25519_bytes(const EVP_PKEY& key, int (*get)(const EVP_PKEY*, unsigned char*, std::size_t*)) {
  std::string bytes(kEd25519Seed, '\0');
  std::size_t size = bytes.size();
  get(&key, reinterpret_cast<unsigned char*>(bytes.data()), &size);
  return bytes;
}

}  // namespace

Result<EvpKey> parse_openssh_key(std::string_view text, std::string_view passphrase) {
  auto bytes = decode_armour(text);
  if (!bytes) return damaged("its base64 does not decode");
  auto key = parse_sections(*bytes, passphrase);
  OPENSSL_cleanse(bytes->data(), bytes->size());
  return key;
}

std::optional<std::string> public_blob_of_openssh_key(std::string_view text) {
  const auto bytes = decode_armour(text);
  if (!bytes) return std::nullopt;
  const auto sections = read_sections(*bytes);
  if (!sections || !type_of_public_blob(sections->public_blob)) return std::nullopt;
  return std::string(sections->public_blob);
}

bool is_encrypted_openssh_key(std::string_view text) {
  const auto bytes = decode_armour(text);
  if (!bytes) return false;
  const auto sections = read_sections(*bytes);
  return sections.ok() && sections->encrypted();
}

std::string write_openssh_key(const EVP_PKEY& ed25519, const std::string& comment) {
  constexpr std::size_t kBlock = 8;
  constexpr std::size_t kLineLength = 70;
  const std::string open = ed25519_bytes(ed25519, EVP_PKEY_get_raw_public_key);
  std::string seed = ed25519_bytes(ed25519, EVP_PKEY_get_raw_private_key);
  const std::string check = wire_uint32(WireReader(open).uint32().value_or(0));  // any number will do
  std::string section = check + check + wire_string("ssh-ed25519") + wire_string(open) +
                        wire_string(seed + open) + wire_string(comment);
  for (char filler = 1; section.size() % kBlock != 0; ++filler) section += filler;
  std::string base64 =
      base64_encode(std::string(kMagic) + wire_string("none") + wire_string("none") + wire_string("") +
                    wire_uint32(1) + wire_string(public_key_blob(ed25519)) + wire_string(section));
  OPENSSL_cleanse(section.data(), section.size());
  OPENSSL_cleanse(seed.data(), seed.size());
  std::string text = std::string(kOpensshBegin) + "\n";
  for (std::size_t at = 0; at < base64.size(); at += kLineLength)
    text += base64.substr(at, kLineLength) + "\n";
  return text + std::string(kOpensshEnd) + "\n";
}

}  // namespace slipway::ssh
