#pragma once

#include <string>

#include "cli/reach.h"
#include "cli/services.h"
#include "slipway/core/result.h"
#include "slipway/ssh/identity.h"

namespace slipway::cli {

/// The private key's file: `given` (--ssh-key), else gcloud's own ~/.ssh/google_compute_engine, else ours.
std::string ssh_key_path(const std::string& given);

/// The key to log in with: the file of ssh_key_path(), or the key of it that the agent holds. The agent is
/// asked where --ssh-agent says so, and where the file alone is not enough: it has a passphrase, or only its
/// .pub is here. Where there is no key at all, an ed25519 key is made, ~/.ssh/slipway_ed25519. Errors:
/// kUsage.
Result<ssh::Identity> find_ssh_identity(const ReachOptions& options, Services& services);

/// Whether the identity can be had without asking a person: the key has no passphrase, or a file tells it, or
/// the agent holds the key.
bool opens_by_itself(const ReachOptions& options, const std::string& path);

/// The user to log in as: `given` (--user), else the local login name, as gcloud does. Errors (kUsage): a
/// name that no Unix host would take.
Result<std::string> ssh_user(const std::string& given);

/// The key for the system's ssh, which opens it by itself.
struct SshKey {
  std::string path;         ///< for ssh's -i; empty: whatever its agent has
  std::string public_line;  ///< "ssh-ed25519 AAAA..."; empty where a dry run made no key
};
/// The same choice as find_ssh_identity() makes. A passphrase is asked for only where the public half cannot
/// be had without; nothing is made when `dry_run`. Errors: kUsage.
Result<SshKey> find_ssh_key(const ReachOptions& options, bool dry_run, Services& services);

/// "USER@train-1" as gcloud takes it: the user goes into `options`, unless --user has said one.
void take_user_of(std::string& word, ReachOptions& options);

/// A line of the ssh-keys metadata: "USER:ssh-ed25519 AAAA... USER". `public_line` has no comment.
std::string metadata_key_line(const std::string& user, const std::string& public_line);
/// Whether the value of ssh-keys has this user's key already.
bool has_metadata_key(const std::string& ssh_keys, const std::string& user, const std::string& public_line);

}  // namespace slipway::cli
