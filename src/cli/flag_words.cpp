#include "cli/flag_words.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// "--flag" of "--flag=value".
std::string flag_of(const std::string& word) { return word.substr(0, word.find('=')); }

/// One look at the words, from left to right, knowing which command's flags they are.
class Walk {
 public:
  explicit Walk(const CLI::App& root) : at_(&root) {}

  Result<std::vector<std::string>> over(const std::vector<std::string>& words) {
    std::size_t i = 0;
    for (; i < words.size() && words[i] != "--"; ++i) {
      TRY(take(words[i]));
    }
    ours_.insert(ours_.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    return std::move(ours_);
  }

 private:
  const CLI::Option* option(const std::string& flag) const {
    for (const CLI::App* app = at_; app != nullptr; app = app->get_parent()) {
      if (const CLI::Option* found = app->get_option_no_throw(flag)) return found;
    }
    return nullptr;
  }

  bool is_flag(const std::string& word) const {
    return word.size() > 1 && word.front() == '-' && option(flag_of(word)) != nullptr;
  }

  Result<void> take(const std::string& word) {
    if (!waiting_.empty()) return take_value(word);
    const std::string flag = flag_of(word);
    const CLI::Option* known = is_flag(word) ? option(flag) : nullptr;
    if (known == nullptr) {
      descend(word);
      ours_.push_back(word);
      return {};
    }
    const bool takes_value = known->get_items_expected_max() > 0;
    const bool empty_value = word.size() == flag.size() + 1;
    if (!takes_value && empty_value)
      return usage_error(fmt::format("{} has no value behind its '='", flag), command_path(*at_));
    ours_.push_back(empty_value ? flag : word);
    if (empty_value) ours_.emplace_back();
    if (takes_value && word == flag) waiting_ = flag;
    return {};
  }

  Result<void> take_value(const std::string& word) {
    const std::string flag = std::exchange(waiting_, "");
    if (is_flag(word)) {
      return usage_error(fmt::format("{} has no value: the next word is {}", flag, flag_of(word)),
                         command_path(*at_))
          .why(fmt::format("if that is the value, write {}{}{}", flag, flag.size() == 2 ? "" : "=",
                           printable(word)));
    }
    ours_.push_back(word);
    return {};
  }

  void descend(const std::string& word) {
    for (const CLI::App* sub : at_->get_subcommands([](const CLI::App*) { return true; })) {
      if (sub->get_name() != word) continue;
      at_ = sub;
      return;
    }
  }

  const CLI::App* at_;
  std::string waiting_;  ///< the flag whose value comes next
  std::vector<std::string> ours_;
};

}  // namespace

Result<std::vector<std::string>> words_with_values(const CLI::App& root,
                                                   const std::vector<std::string>& words) {
  return Walk(root).over(words);
}

std::string command_path(const CLI::App& app) {
  const CLI::App* above = app.get_parent();
  if (above == nullptr) return "";
  const std::string before = command_path(*above);
  return before.empty() ? app.get_name() : before + " " + app.get_name();
}

Error usage_error(std::string message, const std::string& command) {
  return Error(ErrorCode::kUsage,
               command.empty() ? std::move(message) : fmt::format("{}: {}", command, message))
      .next(command.empty() ? "slipway --help" : fmt::format("slipway {} --help", command));
}

}  // namespace slipway::cli
