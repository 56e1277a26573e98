#include "cli/arguments.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "foundation/numbers.hpp"
#include "report/words.hpp"

namespace vesalius::cli {

namespace {

constexpr unsigned help_columns = 100;
constexpr const char* file_option = "file-arguments";

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

std::vector<std::string> option_names(const CommandSyntax& syntax) {
  std::vector<std::string> names;
  for (const po::options_description& section : syntax.sections) {
    for (const auto& option : section.options()) names.push_back("--" + option->long_name());
  }
  return names;
}

std::string unknown_option(const CommandSyntax& syntax, const std::string& option) {
  std::string message = "unknown option '" + printable(option) + "'";
  const std::string name = option.substr(0, option.find('='));
  if (const auto near = nearest_word(name, option_names(syntax))) message += "; did you mean '" + *near + "'?";
  return message;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace

std::optional<std::string> nearest_word(const std::string& wrong, const std::vector<std::string>& words) {
  constexpr std::size_t longest = 64;  // nobody meant a word that long
  if (wrong.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const std::string& word : words) {
    const std::size_t distance = edit_distance(wrong, word);
    if (distance < best_distance) {
      best = word;
      best_distance = distance;
    }
  }
  return best;
}

po::typed_value<std::string>* value_named(const char* name) {
  return po::value<std::string>()->value_name(name);
}

po::typed_value<std::vector<std::string>>* values_named(const char* name) {
  return po::value<std::vector<std::string>>()->composing()->value_name(name);
}

std::string help_text(const CommandSyntax& syntax) {
  std::ostringstream text;
  text << "usage: " << syntax.usage << "\n\n" << syntax.about << "\n";
  for (const po::options_description& section : syntax.sections) text << "\n" << section;
  if (!syntax.after.empty()) text << "\n" << syntax.after << "\n";
  return text.str();
}

Arguments::Arguments(const CommandSyntax& syntax, std::span<const std::string> args) {
  po::options_description all(help_columns);
  for (const po::options_description& section : syntax.sections) all.add(section);
  all.add_options()(file_option, po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add(file_option, -1);
  // No guessing of shortened names: a later option must not change what an old command line means.
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  help_ = std::ranges::any_of(args, [](const std::string& arg) { return arg == "--help" || arg == "-h"; });
  if (help_) return;
  try {
    po::store(
        po::command_line_parser(std::vector<std::string>(args.begin(), args.end())).options(all).positional(positional).style(style).run(),
        values_);
  } catch (const po::unknown_option& error) {
    throw UsageError{unknown_option(syntax, error.get_option_name())};
  } catch (const po::error& error) {
    throw UsageError{printable(error.what())};
  }
  files_ = texts(file_option);
}

bool Arguments::flag(const std::string& name) const {
  const auto it = values_.find(name);
  return it != values_.end() && it->second.as<bool>();
}

std::optional<std::string> Arguments::text(const std::string& name) const {
  const auto it = values_.find(name);
  if (it == values_.end()) return std::nullopt;
  return it->second.as<std::string>();
}

std::vector<std::string> Arguments::texts(const std::string& name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? std::vector<std::string>{} : it->second.as<std::vector<std::string>>();
}

std::optional<double> Arguments::number(const std::string& name, double least, double most) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto value = parse_number(*given);
  if (!value || *value < least || *value > most) {
    throw UsageError{"--" + name + " is '" + printable(*given) + "'; expected a number from " + number_text(least) + " to " +
                     number_text(most)};
  }
  return value;
}

std::optional<int> Arguments::integer(const std::string& name, int least, int most) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto value = parse_integer(*given);
  if (!value || *value < least || *value > most) {
    throw UsageError{"--" + name + " is '" + printable(*given) + "'; expected a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most)};
  }
  return value;
}

std::optional<std::string> Arguments::word(const std::string& name, const std::vector<std::string>& words) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  if (std::ranges::find(words, *given) == words.end()) {
    throw UsageError{"--" + name + " is '" + printable(*given) + "'; expected " + joined(words)};
  }
  return given;
}

}  // namespace vesalius::cli
