#pragma once
// What all subcommands share: options of reading, tables, and how findings are printed.
#include <iosfwd>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "vesalius/translate.hpp"

namespace vesalius::cli {

/// Streams of one run.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

inline constexpr const char* standard_stream = "-";
inline constexpr const char* standard_input_name = "<stdin>";

[[nodiscard]] po::options_description reading_options();
[[nodiscard]] po::options_description general_options();

/// Throws UsageError.
[[nodiscard]] ReadAnyOptions read_options(const Arguments& arguments);

/// The built-in tables with every --map file. Nothing after an error, which is in the sink.
[[nodiscard]] std::optional<MappingTables> tables_of(const Arguments& arguments, Diagnostics& sink);

/// A file, or standard input for "-".
[[nodiscard]] Result<Humanoid> read_input(const std::string& file, const MappingTables& tables, ReadAnyOptions options, std::istream& in);

/// One line each; `quiet` folds the notes into one line.
void print(const Diagnostics& diagnostics, bool quiet, std::ostream& err);

/// Writes a text to standard output or, whole or not at all, to a file. Errors: io.cannot_write.
void deliver(const std::string& text, const std::string& target, std::ostream& out, Diagnostics& sink);

/// Whether two paths are one file, also through links. False when either does not exist and their names differ.
[[nodiscard]] bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace vesalius::cli
