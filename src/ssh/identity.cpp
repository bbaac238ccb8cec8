#include "slipway/ssh/identity.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/ecdsa_signature.h"
#include "ssh/evp.h"
#include "ssh/openssh_key.h"
#include "ssh/public_key.h"

namespace slipway::ssh {

struct Identity::Key {
  std::string path;
  EvpKey key;
  std::string type;
  std::string blob;
};

namespace {

constexpr std::size_t kLargestKeyFile = std::size_t{1} << 20;

/// As ssh does: a key that is ours and that others may read is refused; somebody else's file is not ours to
/// judge.
Result<void> check_mode(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return system_error(ErrorCode::kUsage, fmt::format("cannot read the ssh key '{}'", path), errno)
        .next("ssh-keygen -t ed25519 -N '' -f " + shell_quote(path));
  }
  if (status.st_uid == ::getuid() && (status.st_mode & 077) != 0) {
    return Error(ErrorCode::kUsage, fmt::format("the ssh key '{}' can be read by others", path))
        .why(fmt::format("its mode is {:04o}", status.st_mode & 07777))
        .next("chmod 600 " + shell_quote(path));
  }
  return {};
}

/// OpenSSL asks this for a passphrase. Whoever gets asked has an encrypted file.
int note_that_it_is_encrypted(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

Result<EvpKey> parse_pem(std::string_view text) {
  bool asked = false;
  const COwner<BIO, BIO_free_all> source(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  EvpKey key(PEM_read_bio_PrivateKey(source.get(), nullptr, &note_that_it_is_encrypted, &asked));
  ERR_clear_error();
  if (key) return key;
  if (asked) return Error(ErrorCode::kDenied, "the key has a passphrase");
  return Error(ErrorCode::kUsage, "it is no private key").why("it is neither in OpenSSH's format nor in PEM");
}

Result<EvpKey> parse_key(std::string_view text) {
  return text.find(kOpensshBegin) == std::string_view::npos ? parse_pem(text) : parse_openssh_key(text);
}

Error with_path(Error error, const std::string& path) {
  const std::string what = fmt::format("cannot use the ssh key '{}': {}", path, error.message());
  if (error.code() == ErrorCode::kDenied) {
    return Error(ErrorCode::kUsage, what)
        .why("slipway asks for no passphrase; give it a key without one with --ssh-key")
        .next("ssh-keygen -t ed25519 -N '' -f " + shell_quote(path + "-slipway"));
  }
  return Error(error.code(), what).why(error.why()).next("ssh-keygen -y -f " + shell_quote(path));
}

/// The digest of a signature algorithm; "" is Ed25519's own, nothing is one that this type of key does not
/// make.
std::optional<std::string> digest_for(std::string_view algorithm, const std::string& type) {
  if (type == "ssh-rsa") {
    if (algorithm == "rsa-sha2-512") return "SHA512";
    if (algorithm == "rsa-sha2-256") return "SHA256";
    return std::nullopt;
  }
  if (algorithm != type) return std::nullopt;
  const Curve* curve = curve_of_type(type);
  return curve == nullptr ? "" : curve->digest;
}

}  // namespace

Identity::Identity(std::unique_ptr<Key> key) : key_(std::move(key)) {}
Identity::Identity(Identity&&) noexcept = default;
Identity& Identity::operator=(Identity&&) noexcept = default;
Identity::~Identity() = default;

Result<Identity> Identity::load(const std::string& path) {
  TRY(check_mode(path));
  TRY(std::string text, read_file(path, kLargestKeyFile));
  auto parsed = parse_key(text);
  OPENSSL_cleanse(text.data(), text.size());
  if (!parsed) return with_path(std::move(parsed).error(), path);
  auto key = std::make_unique<Key>();
  key->path = path;
  key->key = std::move(parsed).value();
  key->type = key_type(*key->key);
  key->blob = public_key_blob(*key->key);
  if (key->type.empty()) {
    return with_path(Error(ErrorCode::kUsage, "it is of a type that slipway does not use")
                         .why("usable are ed25519, ecdsa on nistp256/384/521 and rsa"),
                     path);
  }
  return Identity(std::move(key));
}

const std::string& Identity::path() const { return key_->path; }
const std::string& Identity::type() const { return key_->type; }
const std::string& Identity::public_blob() const { return key_->blob; }
std::string Identity::public_line() const { return key_->type + " " + base64_encode(key_->blob); }

Result<std::string> Identity::sign(std::string_view algorithm, std::string_view data) const {
  const auto digest = digest_for(algorithm, key_->type);
  if (algorithm == "ssh-rsa") {
    return Error(ErrorCode::kDenied,
                 "the worker takes RSA signatures with SHA-1 only, which slipway does not make");
  }
  if (!digest) {
    return Error(ErrorCode::kDenied,
                 fmt::format("a key of type {} does not sign with '{}'", key_->type, printable(algorithm)));
  }
  const EvpDigest context(EVP_MD_CTX_new());
  const char* name = digest->empty() ? nullptr : digest->c_str();
  std::size_t size = 0;
  if (!context ||
      EVP_DigestSignInit_ex(context.get(), nullptr, name, nullptr, nullptr, key_->key.get(), nullptr) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, unsigned_bytes(data), data.size()) != 1) {
    return Error(ErrorCode::kFailed, "the ssh key cannot sign");
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     unsigned_bytes(data), data.size()) != 1) {
    return Error(ErrorCode::kFailed, "the ssh key cannot sign");
  }
  signature.resize(size);
  return curve_of_type(key_->type) == nullptr ? signature : ecdsa_signature_from_der(signature);
}

}  // namespace slipway::ssh
