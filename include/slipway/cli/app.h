#pragma once

namespace slipway::cli {

/// The whole program: argv in, exit code out (cli/exit_code.h has the table).
int run(int argc, char** argv);

}  // namespace slipway::cli
