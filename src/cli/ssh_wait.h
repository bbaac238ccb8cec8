#pragma once

#include <string>

#include "cli/api.h"
#include "cli/countdown.h"
#include "cli/host_key_book.h"
#include "cli/reach.h"
#include "slipway/tpu/wait.h"

namespace slipway::cli {

/// What the flags say about logging in, read before anything is waited for.
struct SshLogin {
  HostKeyMode host_keys;
  ssh::Identity identity;
  std::string user;
};
/// May ask for the key's passphrase, and makes a key where there is none. Errors: kUsage.
Result<SshLogin> read_ssh_login(const ReachOptions& reach, Services& services);

/// Waits until every worker of a resource that is READY has let us in and run `true`: its host key is the
/// published one (or, where nothing is published, the one that was seen before or first), our key is in, and
/// a shell starts. A worker that still boots is asked again. Errors: kDenied for a host key that does not
/// match; kTimeout with who does not answer; kInterrupted; and what a wait for READY says, should the
/// resource not stay so.
Result<void> wait_for_ssh(Api& api, const tpu::Awaited& awaited, const ReachOptions& reach,
                          const SshLogin& login, const Settings& settings, const Countdown& countdown,
                          Services& services);

}  // namespace slipway::cli
