#include "ssh/key_file.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "slipway/core/fd.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"
#include "slipway/ssh/identity.h"
#include "ssh/openssh_key.h"
#include "ssh/public_key.h"

namespace slipway::ssh {
namespace {

constexpr std::size_t kLargestKeyFile = std::size_t{1} << 20;

struct Asked {
  const std::string& passphrase;
  bool was = false;
};

/// OpenSSL calls this for an encrypted file only.
int give_passphrase(char* buffer, int size, int, void* asked_by) {
  Asked& asked = *static_cast<Asked*>(asked_by);
  asked.was = true;
  if (asked.passphrase.empty() || asked.passphrase.size() > static_cast<std::size_t>(size)) return -1;
  std::copy(asked.passphrase.begin(), asked.passphrase.end(), buffer);
  return static_cast<int>(asked.passphrase.size());
}

Result<EvpKey> parse_pem(std::string_view text, const std::string& passphrase) {
  Asked asked{passphrase};
  const COwner<BIO, BIO_free_all> source(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  EvpKey key(PEM_read_bio_PrivateKey(source.get(), nullptr, &give_passphrase, &asked));
  ERR_clear_error();
  if (key) return key;
  if (asked.was) {
    return Error(ErrorCode::kDenied,
                 passphrase.empty() ? "the key has a passphrase" : "the passphrase is wrong");
  }
  return Error(ErrorCode::kUsage, "it is no private key").why("it is neither in OpenSSH's format nor in PEM");
}

/// The key in a line of a .pub file: "ssh-ed25519 AAAA.. comment".
std::optional<std::string> blob_of_public_line(std::string_view text) {
  const std::vector<std::string> words = split(trim(text.substr(0, text.find('\n'))), ' ');
  if (words.size() < 2) return std::nullopt;
  auto blob = base64_decode(words[1]);
  if (!blob || type_of_public_blob(*blob) != words[0]) return std::nullopt;
  return blob;
}

}  // namespace

Result<std::string> read_key_file(const std::string& path) {
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
  return read_file(path, kLargestKeyFile);
}

Result<EvpKey> parse_key(std::string_view text, const std::string& passphrase) {
  return text.find(kOpensshBegin) == std::string_view::npos ? parse_pem(text, passphrase)
                                                            : parse_openssh_key(text, passphrase);
}

Result<void> write_new_file(const std::string& path, std::string_view content, unsigned mode) {
  const auto failed = [&] {
    return system_error(ErrorCode::kLocal, fmt::format("cannot make '{}'", path), errno);
  };
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!fd) return failed();
  while (!content.empty()) {
    const ssize_t count = ::write(fd.get(), content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      Error error = failed();
      ::unlink(path.c_str());  // half a key is worse than none
      return error;
    }
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(fd.get()) == 0) return {};
  return failed();
}

std::optional<std::string> public_half(const std::string& path) {
  for (const std::string& name : {path + ".pub", path}) {
    const auto text = file_exists(name) ? read_file(name, kLargestKeyFile)
                                        : Result<std::string>(Error(ErrorCode::kUsage, ""));
    if (!text.ok()) continue;
    if (auto blob = blob_of_public_line(*text)) return blob;
    if (auto blob = public_blob_of_openssh_key(*text)) return blob;
  }
  return std::nullopt;
}

bool needs_passphrase(const std::string& path) {
  const auto text = read_file(path, kLargestKeyFile);
  if (!text.ok()) return false;
  if (text->find(kOpensshBegin) != std::string::npos) return is_encrypted_openssh_key(*text);
  const auto parsed = parse_pem(*text, "");
  return !parsed.ok() && parsed.error().code() == ErrorCode::kDenied;
}

}  // namespace slipway::ssh
