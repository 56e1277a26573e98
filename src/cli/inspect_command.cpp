#include <algorithm>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/status.hpp"
#include "report/strict.hpp"

namespace vesalius::cli {

CommandSyntax inspect_syntax() {
  CommandSyntax syntax;
  syntax.name = "inspect";
  syntax.usage = "vesalius inspect FILE [--json] [-o OUT]";
  syntax.about =
      "Says what a humanoid file holds: format, encoding and versions (declared and decided from the joint\n"
      "names), level of articulation, facing, height, the joint tree with centres, counts, clips, poses, and\n"
      "names that are not understood. FILE is X3D (XML, ClassicVRML, JSON), VRML97, glTF or GLB, told apart by\n"
      "content; '-' is standard input. Several humanoids are all listed.";
  po::options_description options("inspect", 100);
  options.add_options()                                                                          //
      ("json", po::bool_switch(), "one JSON object instead of text; it holds the findings too")  //
      ("output,o", value_named("OUT"), "file instead of standard output");
  for (const auto& section : {options, reading_options(), general_options()}) syntax.sections.push_back(section);
  return syntax;
}

namespace {

/// Every humanoid of a file that holds several, one after the other; what is wrong with one does not hide the others.
std::string inspect_all(const std::string& file, const MappingTables& tables, ReadAnyOptions options, bool json, Diagnostics& findings) {
  std::string text;
  std::size_t count = 1;
  constexpr std::size_t most_told = 20;  // each is a whole reading of the file
  for (std::size_t i = 0; i < std::min(count, most_told); ++i) {
    options.humanoid = std::to_string(i);
    Result<Humanoid> read = read_any(std::filesystem::path(file), tables, options);
    read.diagnostics.set_file(file);
    findings.append(read.diagnostics);
    if (read) count = read->source.humanoids_in_file;
    const std::string one = !read  ? std::string()
                            : json ? inspect_json(*read, tables, file, read.diagnostics)
                                   : inspect_text(*read, tables, file);
    if (one.empty()) continue;
    if (!text.empty()) text += json ? "," : "\n";
    text += one;
  }
  if (json) return "[" + text + "]\n";
  const std::string more = count > most_told ? ", of which the first " + std::to_string(most_told) + " are told here" : "";
  return std::to_string(count) + " humanoids" + more + "; --humanoid NAME or INDEX takes one of them\n\n" + text;
}

bool has_several(const Diagnostics& findings) {
  return std::ranges::any_of(findings.items(), [](const Diagnostic& finding) { return finding.code.id == "hanim.several_humanoids"; });
}

}  // namespace

int inspect_command(const Arguments& arguments, Streams streams) {
  if (arguments.files().size() != 1) {
    throw UsageError{std::to_string(arguments.files().size()) + " files are given; expected one"};
  }
  const std::string& file = arguments.files()[0];
  const std::string target = arguments.text("output").value_or(standard_stream);
  const bool quiet = arguments.flag("quiet");
  if (target != standard_stream && file != standard_stream && same_file(file, target)) {
    throw UsageError{"the output '" + target + "' is the input"};
  }
  const ReadAnyOptions options = read_options(arguments);
  Diagnostics findings;
  const auto tables = tables_of(arguments, findings);
  if (tables) {
    const Result<Humanoid> read = read_input(file, *tables, options, streams.in);
    if (file != standard_stream && has_several(read.diagnostics)) {
      const std::string text = inspect_all(file, *tables, options, arguments.flag("json"), findings);
      deliver(text, target, streams.out, findings);
      if (options.strict) findings = promoted(findings);
      print(findings, quiet, streams.err);
      return status_of(findings);
    }
    findings.append(read.diagnostics);
    if (options.strict) findings = promoted(findings);
    if (read && !findings.has_errors()) {
      const std::string name = file == standard_stream ? standard_input_name : file;
      const std::string text = arguments.flag("json") ? inspect_json(*read, *tables, name, findings) : inspect_text(*read, *tables, name);
      deliver(text, target, streams.out, findings);
    }
  }
  print(findings, quiet, streams.err);
  return status_of(findings);
}

}  // namespace vesalius::cli
