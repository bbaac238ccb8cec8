#pragma once

#include <string_view>

#include "slipway/core/clock.h"
#include "slipway/core/interrupt.h"
#include "slipway/core/streams.h"

namespace slipway::cli {

/// What a command works with, handed in so that a test can hand in its own.
struct Services {
  Streams& streams;
  Clock& clock;
  Interrupt& interrupt;
  bool quiet = false;

  /// A sentence for the person, on stderr; not a result and not an error.
  void say(std::string_view sentence) const {
    if (quiet) return;
    streams.err->queue(sentence);
    streams.err->write("\n");
  }
};

}  // namespace slipway::cli
