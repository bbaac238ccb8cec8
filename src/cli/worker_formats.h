#pragma once

#include <string>
#include <vector>

#include "slipway/core/result.h"
#include "slipway/model/worker.h"

namespace slipway::cli {

/// How other programs are to log in to the workers.
struct Login {
  std::string user;
  std::string key_file;
  int port = 22;
  bool internal_ip = false;
};

/// The address to connect to: the external one, where there is one and `internal` is not asked for.
const std::string& address_of(const Worker& worker, bool internal);

/// One address a line, for pdsh, mpirun and the like.
std::string hosts_text(const std::vector<Worker>& workers, const Login& login);

/// Host entries for ssh -F (and scp, rsync -e, VS Code): SLICE-wN, with the worker's published host key
/// pinned inside the file (KnownHostsCommand: OpenSSH 8.5 or newer; an older one refuses to connect).
std::string ssh_config_text(const std::vector<Worker>& workers, const Login& login);

/// An Ansible inventory in YAML: a group for the resource (qr_ID), one for each slice below it (slice_NAME),
/// hosts SLICE-wN with slipway_slice and slipway_worker.
std::string ansible_text(const std::vector<Worker>& workers, const std::string& resource, const Login& login);

/// What the three write is read by programs that run commands. Errors (kFailed): a slice's name or an address
/// from the API that is neither.
Result<void> check_for_programs(const std::vector<Worker>& workers);

}  // namespace slipway::cli
