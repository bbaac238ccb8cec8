#include <libssh2.h>

#include <string>

#include "slipway/ssh/session.h"

namespace slipway::ssh {

Library::Library() { libssh2_init(0); }
Library::~Library() { libssh2_exit(); }

std::string library_version() { return std::string("libssh2 ") + libssh2_version(0); }

}  // namespace slipway::ssh
