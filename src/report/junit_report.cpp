#include "slipway/report/junit_report.h"

#include <chrono>

#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::report {
namespace {

using fleet::Outcome;
using fleet::OutcomeKind;

constexpr std::size_t kLastWords = 4 * 1024;

void append_escaped(std::string& xml, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '&':
        xml += "&amp;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += c;
    }
  }
}

/// `text` for XML 1.0, which has no way to write most control characters, U+FFFE, U+FFFF and what is not
/// UTF-8.
std::string escaped(std::string_view text) {
  std::string xml;
  for (const std::string& line : split(text, '\n')) {
    if (!xml.empty()) xml += '\n';
    std::string shown = printable(line);
    for (const char* nothing : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
      for (std::size_t at = shown.find(nothing); at != std::string::npos; at = shown.find(nothing, at))
        shown.replace(at, 3, "?");
    }
    append_escaped(xml, shown);
  }
  return xml;
}

/// <failure>, <error> or <skipped>; empty for ok.
std::string_view element_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::kOk:
      return "";
    case OutcomeKind::kExit:
    case OutcomeKind::kSignal:
      return "failure";
    case OutcomeKind::kNotStarted:
      return "skipped";
    default:
      return "error";
  }
}

double seconds_of(const Outcome& outcome) {
  if (!outcome.started_at || !outcome.ended_at) return 0;
  return std::chrono::duration<double>(*outcome.ended_at - *outcome.started_at).count();
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(const Outcome& outcome) {
    const std::string_view element = element_of(outcome.kind);
    ++tests;
    failures += element == "failure" ? 1 : 0;
    errors += element == "error" ? 1 : 0;
    skipped += element == "skipped" ? 1 : 0;
  }
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}")", tests, failures, errors,
                       skipped);
  }
};

}  // namespace

void JunitReport::on_output(std::size_t target, ssh::Stream, std::string_view bytes) {
  std::string& words = last_words_[target];
  words += bytes.substr(bytes.size() - std::min(bytes.size(), kLastWords));
  if (words.size() > kLastWords) words.erase(0, words.size() - kLastWords);
}

void JunitReport::on_outcome(std::size_t target, const Outcome& outcome) {
  if (outcome.kind == OutcomeKind::kOk) last_words_[target] = {};
}

std::string JunitReport::xml(const RunRecord& run, const std::vector<Outcome>& outcomes) const {
  Counts all;
  for (const Outcome& outcome : outcomes) all.add(outcome);
  const double time = std::chrono::duration<double>(run.ended_at - run.started_at).count();
  std::string xml =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {} time=\"{:.3f}\">\n",
                  escaped("slipway run " + run.queued_resource), all.attributes(), time);
  for (std::size_t i = 0; i < outcomes.size();) {
    Counts counts;
    std::string cases;
    const std::string& slice = targets_[i].slice;
    for (; i < outcomes.size() && targets_[i].slice == slice; ++i) {
      counts.add(outcomes[i]);
      cases += case_xml(i, outcomes[i]);
    }
    xml += fmt::format("  <testsuite name=\"{}\" {} timestamp=\"{}\">\n{}  </testsuite>\n", escaped(slice),
                       counts.attributes(), format_rfc3339(run.started_at), cases);
  }
  return xml + "</testsuites>\n";
}

std::string JunitReport::case_xml(std::size_t target, const Outcome& outcome) const {
  const std::string begun =
      fmt::format("    <testcase classname=\"{}\" name=\"worker {}\" time=\"{:.3f}\"",
                  escaped(targets_[target].slice), targets_[target].worker, seconds_of(outcome));
  if (outcome.kind == OutcomeKind::kOk) return begun + "/>\n";
  return begun + ">\n" + verdict_xml(target, outcome) + "    </testcase>\n";
}

std::string JunitReport::verdict_xml(std::size_t target, const Outcome& outcome) const {
  const std::string_view element = element_of(outcome.kind);
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, to_string(outcome.kind),
                     escaped(describe(outcome)), escaped(last_words_[target]));
}

}  // namespace slipway::report
