#pragma once

#include <memory>
#include <optional>
#include <string>

#include "slipway/core/streams.h"

namespace slipway::test {

/// An OutputStream into a string. Its reader can be made to stall or to leave.
class StringOutput final : public OutputStream {
 public:
  void queue(std::string_view text) override {
    if (!closed_) pending_.append(text);
  }
  void drain() override {
    if (!stalled) write_all();
  }
  void flush() override { write_all(); }
  std::size_t backlog() const override { return pending_.size(); }
  int fd() const override { return -1; }
  const Error* error() const override { return error_ ? &*error_ : nullptr; }
  bool closed() const override { return closed_; }

  void reader_leaves() {
    closed_ = true;
    pending_.clear();
  }

  std::string written;
  bool stalled = false;

 private:
  void write_all() {
    written += pending_;
    pending_.clear();
  }

  std::string pending_;
  bool closed_ = false;
  std::optional<Error> error_;
};

/// Streams into two strings, no terminal anywhere.
struct StringStreams {
  StringStreams() {
    auto to_out = std::make_unique<StringOutput>();
    auto to_err = std::make_unique<StringOutput>();
    out = to_out.get();
    err = to_err.get();
    streams.out = std::move(to_out);
    streams.err = std::move(to_err);
  }
  Streams streams;
  StringOutput* out;
  StringOutput* err;
};

}  // namespace slipway::test
