#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "slipway/fleet/fan_out.h"

namespace slipway::test {

/// A reporter that writes down what it hears. `hook` is called after each phase and each piece of output.
class Recorder : public fleet::Reporter {
 public:
  void on_phase(std::size_t target, ssh::Phase phase) override {
    ++phases[phase];
    if (phase_hook) phase_hook(target, phase);
  }
  void on_output(std::size_t target, ssh::Stream stream, std::string_view bytes) override {
    (stream == ssh::Stream::kOut ? out : err)[target] += bytes;
    if (output_hook) output_hook(target, bytes);
  }
  void on_outcome(std::size_t target, const fleet::Outcome&) override { ended.push_back(target); }
  void on_notice(std::string_view text) override { notices.emplace_back(text); }

  std::function<void(std::size_t target, ssh::Phase phase)> phase_hook;
  std::function<void(std::size_t target, std::string_view bytes)> output_hook;
  std::map<ssh::Phase, int> phases;
  std::map<std::size_t, std::string> out;
  std::map<std::size_t, std::string> err;
  std::vector<std::size_t> ended;
  std::vector<std::string> notices;
};

}  // namespace slipway::test
