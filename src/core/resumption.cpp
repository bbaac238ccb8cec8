#include "slipway/core/resumption.h"

#include <signal.h>

#include <atomic>

namespace slipway {
namespace {

std::atomic<bool> goes_on{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void route(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGCONT, &action, nullptr);
}

}  // namespace

Resumption::Resumption() {
  goes_on = false;
  route([](int) { goes_on = true; });
}

Resumption::~Resumption() { route(SIG_DFL); }

bool Resumption::take() { return goes_on.exchange(false); }

}  // namespace slipway
