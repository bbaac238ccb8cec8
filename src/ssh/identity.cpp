#include "slipway/ssh/identity.h"

#include <openssl/crypto.h>

#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "ssh/ecdsa_signature.h"
#include "ssh/evp.h"
#include "ssh/key_file.h"
#include "ssh/openssh_key.h"
#include "ssh/public_key.h"

namespace slipway::ssh {

struct Identity::Key {
  std::string path;
  EvpKey key;  ///< empty for a key in an agent
  std::shared_ptr<Agent>
      agent;  ///< shared with nobody else that lives longer; kept by the identities it serves
  std::string type;
  std::string blob;
};

namespace {

constexpr int kPassphraseTries = 3;

Error with_path(Error error, const std::string& path) {
  const std::string what = fmt::format("cannot use the ssh key '{}': {}", path, error.message());
  if (error.code() == ErrorCode::kDenied) {
    return Error(ErrorCode::kUsage, what)
        .why(error.why().empty() ? "it opens with its passphrase only" : error.why())
        .next("ssh-add " + shell_quote(path) + "   (or: --ssh-key-passphrase-file FILE)");
  }
  return Error(error.code(), what).why(error.why()).next("ssh-keygen -y -f " + shell_quote(path));
}

/// Parses, and asks for as long as the answer is wrong.
Result<EvpKey> open_key(std::string_view text, const std::string& path, const AskPassphrase& ask) {
  Result<EvpKey> key = parse_key(text, "");
  for (int asked = 0; asked < kPassphraseTries && ask && !key.ok(); ++asked) {
    if (key.error().code() != ErrorCode::kDenied) break;
    TRY(const Secret passphrase, ask(path, asked > 0));
    key = parse_key(text, passphrase.reveal());
  }
  if (!key.ok()) return with_path(std::move(key).error(), path);
  return key;
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

Result<Identity> Identity::load(const std::string& path, const AskPassphrase& ask) {
  TRY(std::string text, read_key_file(path));
  Result<EvpKey> opened = open_key(text, path, ask);
  wipe(text);
  if (!opened.ok()) return std::move(opened).error();
  auto key = std::make_unique<Key>();
  key->path = path;
  key->key = std::move(opened).value();
  key->type = key_type(*key->key);
  key->blob = public_key_blob(*key->key);
  if (key->type.empty()) {
    return with_path(Error(ErrorCode::kUsage, "it is of a type that slipway does not use")
                         .why("usable are ed25519, ecdsa on nistp256/384/521 and rsa"),
                     path);
  }
  return Identity(std::move(key));
}

Identity Identity::in_agent(std::shared_ptr<Agent> agent, AgentKey agent_key) {
  auto key = std::make_unique<Key>();
  key->path = "agent: " + printable(agent_key.comment);
  key->agent = std::move(agent);
  key->type = std::move(agent_key.type);
  key->blob = std::move(agent_key.blob);
  return Identity(std::move(key));
}

Result<Identity> Identity::create(const std::string& path, const std::string& comment) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos && slash > 0) TRY(make_directories(path.substr(0, slash), 0700));
  const EvpKey made(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!made) return Error(ErrorCode::kLocal, "OpenSSL cannot make an ed25519 key");
  std::string text = write_openssh_key(*made, comment);
  const Result<void> written = write_new_file(path, text, 0600);
  wipe(text);
  TRY(written);
  TRY(Identity identity, load(path));
  // A stale .pub of a key that is gone would only mislead.
  TRY(write_file_atomically(path + ".pub", identity.public_line() + " " + comment + "\n", 0644));
  return identity;
}

std::string public_line(const std::string& blob) {
  return type_of_public_blob(blob).value_or("") + " " + base64_encode(blob);
}

const std::string& Identity::path() const { return key_->path; }
const std::string& Identity::type() const { return key_->type; }
const std::string& Identity::public_blob() const { return key_->blob; }
bool Identity::is_in_agent() const { return key_->agent != nullptr; }
std::string Identity::public_line() const { return ssh::public_line(key_->blob); }

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
  if (key_->agent) return key_->agent->sign(key_->blob, algorithm, data);
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
