#include "slipway/core/interrupt.h"

#include <fcntl.h>
#include <signal.h>

#include <atomic>
#include <cerrno>

namespace slipway {
namespace {

std::atomic<Interrupt*> installed{nullptr};

void on_signal(int number) {
  const int saved = errno;
  if (Interrupt* interrupt = installed.load()) {
    interrupt->notify(number);
    // Something does not hear the others: a reader of our output that stands still, for example.
    if (interrupt->count() > 3) ::_exit(128 + number);
  }
  errno = saved;
}

void route(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction action {};
  ::sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupt::Interrupt() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    read_end_.reset(ends[0]);
    write_end_.reset(ends[1]);
  }
}

Interrupt::~Interrupt() {
  if (!installed_) return;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(number)) route(number, SIG_DFL);
  }
  installed.store(nullptr);
}

void Interrupt::install() {
  installed.store(this);
  installed_ = true;
  for (const int number : {SIGINT, SIGTERM}) route(number, on_signal);
  if (!is_ignored(SIGHUP)) route(SIGHUP, on_signal);
}

void Interrupt::notify(int signal_number) {
  if (first_ == 0) first_ = signal_number;
  count_ = count_ + 1;
  const char byte = 0;
  if (::write(write_end_.get(), &byte, 1) < 0) return;  // a full pipe is readable already
}

int Interrupt::count() const { return count_; }
int Interrupt::signal_number() const { return first_; }

}  // namespace slipway
