#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slipway::cli {

/// The words and flags of one command, each bound to the value that it fills. Every flag can also be set by
/// SLIPWAY_<FLAG>.
class Flags {
 public:
  explicit Flags(CLI::App& app) : app_(app) {}

  /// A word by its place: QR.
  Flags& word(const std::string& name, std::string& value, const std::string& help);
  /// --flag TYPE; given twice, the last counts. `environment` replaces SLIPWAY_<FLAG>.
  Flags& text(const std::string& flag, std::string& value, const std::string& type, const std::string& help,
              const std::string& environment = "");
  /// --flag TYPE, any number of times.
  Flags& texts(const std::string& flag, std::vector<std::string>& values, const std::string& type,
               const std::string& help);
  /// --flag N, from `least` to `most`.
  Flags& number(const std::string& flag, int& value, const std::string& type, const std::string& help,
                int least, int most, const std::string& environment = "");
  /// --flag
  Flags& on(const std::string& flag, bool& value, const std::string& help);

 private:
  CLI::App& app_;
};

/// "batch-size" -> SLIPWAY_BATCH_SIZE. The command line wins over it.
std::string environment_name(const std::string& flag);

}  // namespace slipway::cli
