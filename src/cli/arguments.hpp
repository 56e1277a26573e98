#pragma once
// Arguments of one subcommand: parsing, help, and clear words when they are wrong.
#include <boost/program_options.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vesalius::cli {

namespace po = boost::program_options;

/// Wrong usage; caught by run(), which prints the message and returns 2.
struct UsageError {
  std::string message;
};

/// What a subcommand takes.
struct CommandSyntax {
  std::string name;                               ///< "convert"
  std::string usage;                              ///< lines after "usage: "
  std::string about;                              ///< paragraphs below the usage
  std::vector<po::options_description> sections;  ///< of named options, in the order of the help
  std::string after;                              ///< paragraphs below the options
};

/// Parsed arguments. All values are texts; they become numbers here, never through a locale.
class Arguments {
 public:
  /// Throws UsageError. `--help` makes every other mistake irrelevant.
  Arguments(const CommandSyntax& syntax, std::span<const std::string> args);

  [[nodiscard]] bool help() const { return help_; }
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  /// A number within [least, most]. Throws UsageError.
  [[nodiscard]] std::optional<double> number(const std::string& name, double least, double most) const;
  [[nodiscard]] std::optional<int> integer(const std::string& name, int least, int most) const;
  /// One of the words. Throws UsageError.
  [[nodiscard]] std::optional<std::string> word(const std::string& name, const std::vector<std::string>& words) const;

 private:
  po::variables_map values_;
  std::vector<std::string> files_;
  bool help_ = false;
};

[[nodiscard]] std::string help_text(const CommandSyntax& syntax);

/// The word nearest to a misspelt one; nothing when none is near.
[[nodiscard]] std::optional<std::string> nearest_word(const std::string& wrong, const std::vector<std::string>& words);

/// Options that take a value, may be given once.
[[nodiscard]] po::typed_value<std::string>* value_named(const char* name);
/// Options that may be repeated.
[[nodiscard]] po::typed_value<std::vector<std::string>>* values_named(const char* name);

}  // namespace vesalius::cli
