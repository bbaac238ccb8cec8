#include "slipway/core/text.h"
#include "slipway/emulator/emulator.h"

namespace slipway::emulator {

std::string to_shell(const Exports& exports) {
  std::string text;
  for (const auto& [name, value] : exports) text += "export " + name + "=" + shell_quote(value) + "\n";
  return text;
}

}  // namespace slipway::emulator
