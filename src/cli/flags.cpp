#include "cli/flags.h"

#include <CLI/CLI.hpp>

namespace slipway::cli {

std::string environment_name(const std::string& flag) {
  std::string name = "SLIPWAY_";
  for (const char c : flag)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

Flags& Flags::word(const std::string& name, std::string& value, const std::string& help) {
  app_.add_option(name, value, help);
  return *this;
}

Flags& Flags::text(const std::string& flag, std::string& value, const std::string& type,
                   const std::string& help, const std::string& environment) {
  app_.add_option("--" + flag, value, help)
      ->type_name(type)
      ->envname(environment.empty() ? environment_name(flag) : environment);
  return *this;
}

Flags& Flags::texts(const std::string& flag, std::vector<std::string>& values, const std::string& type,
                    const std::string& help) {
  app_.add_option("--" + flag, values, help)
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->envname(environment_name(flag));
  return *this;
}

Flags& Flags::number(const std::string& flag, int& value, const std::string& type, const std::string& help,
                     int least, int most, const std::string& environment) {
  // Without a description the range would stand in the help, behind the type.
  app_.add_option("--" + flag, value, help)
      ->type_name(type)
      ->check(CLI::Range(least, most).description(""))
      ->envname(environment.empty() ? environment_name(flag) : environment);
  return *this;
}

Flags& Flags::on(const std::string& flag, bool& value, const std::string& help) {
  app_.add_flag("--" + flag, value, help)->envname(environment_name(flag));
  return *this;
}

}  // namespace slipway::cli
