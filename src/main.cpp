#include "slipway/cli/app.h"

int main(int argc, char** argv) { return slipway::cli::run(argc, argv); }
