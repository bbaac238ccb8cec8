#include "cli/flags.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

std::string range_text(int least, int most) {
  const bool below = least != std::numeric_limits<int>::min();
  const bool above = most != std::numeric_limits<int>::max();
  if (below && above) return fmt::format(" from {} to {}", least, most);
  return below ? fmt::format(" of at least {}", least) : above ? fmt::format(" of at most {}", most) : "";
}

/// CLI11 would say "Value 0 not in range"; and without a description, the range would stand in the help.
CLI::Validator whole_number(int least, int most) {
  const auto check = [least, most](const std::string& text) {
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = failure == std::errc() && end == text.data() + text.size() && !text.empty();
    if (is_number && number >= least && number <= most) return std::string();
    return fmt::format("'{}' is not a whole number{}", printable(text), range_text(least, most));
  };
  return CLI::Validator(check, "", "");
}

/// "file" -> "--file"; "f,file" -> "-f,--file".
std::string option_name(const std::string& flag) {
  const std::size_t comma = flag.find(',');
  if (comma == std::string::npos) return "--" + flag;
  return fmt::format("-{},--{}", flag.substr(0, comma), flag.substr(comma + 1));
}

/// What commands on workers are told (rank_environment.cpp and launch/startup.sh): a slipway that runs inside
/// one must not take it for a wish of the user, such as --worker 3.
constexpr const char* kToldToCommands[] = {
    "attempt",    "checkpoint-dir", "coordinator", "job",    "num-processes",    "num-slices",
    "process-id", "resume-step",    "slice",       "worker", "workers-per-slice"};

std::string long_name(const std::string& flag) { return flag.substr(flag.find(',') + 1); }

}  // namespace

std::string environment_name(const std::string& flag) {
  for (const char* told : kToldToCommands) {
    if (flag == told) return "";
  }
  std::string name = "SLIPWAY_";
  for (const char c : flag)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

Flags& Flags::word(const std::string& name, std::string& value, const std::string& help) {
  app_.add_option(name, value, help);
  return *this;
}

Flags& Flags::words(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_.add_option(name, values, help)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

Flags& Flags::text(const std::string& flag, std::string& value, const std::string& type,
                   const std::string& help, const std::string& environment) {
  CLI::Option* option =
      app_.add_option(option_name(flag), value, help)->type_name(type)->capture_default_str();
  facts_[option] = {environment.empty() ? environment_name(long_name(flag)) : environment, FlagKind::kText};
  return *this;
}

Flags& Flags::repeated(const std::string& flag, std::vector<std::string>& values, const std::string& type,
                       const std::string& help, FlagKind kind) {
  CLI::Option* option = app_.add_option("--" + flag, values, help)
                            ->type_name(type)
                            ->expected(1)
                            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  facts_[option] = {environment_name(flag), kind};
  return *this;
}

Flags& Flags::texts(const std::string& flag, std::vector<std::string>& values, const std::string& type,
                    const std::string& help) {
  return repeated(flag, values, type, help, FlagKind::kRepeated);
}

Flags& Flags::pairs(const std::string& flag, std::vector<std::string>& values, const std::string& type,
                    const std::string& help) {
  return repeated(flag, values, type, help, FlagKind::kPairs);
}

Flags& Flags::number(const std::string& flag, int& value, const std::string& type, const std::string& help,
                     int least, int most, const std::string& environment) {
  CLI::Option* option = app_.add_option("--" + flag, value, help)
                            ->type_name(type)
                            ->check(whole_number(least, most))
                            ->capture_default_str();
  facts_[option] = {environment.empty() ? environment_name(flag) : environment, FlagKind::kText};
  return *this;
}

Flags& Flags::on(const std::string& flag, bool& value, const std::string& help) {
  facts_[app_.add_flag(option_name(flag), value, help)] = {environment_name(long_name(flag)),
                                                           FlagKind::kSwitch};
  return *this;
}

Flags& Flags::rivals(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  for (const std::string& a : one) {
    FlagFact& first = facts_[app_.get_option("--" + a)];
    for (const std::string& b : other) {
      if (b == "--") {
        first.rivals_words_behind_dashes = true;
        continue;
      }
      const CLI::Option* option = app_.get_option("--" + b);
      first.rivals.push_back({option, false});
      facts_[option].rivals.push_back({app_.get_option("--" + a), true});
    }
  }
  return *this;
}

}  // namespace slipway::cli
