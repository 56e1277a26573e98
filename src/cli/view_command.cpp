#include <ostream>

#include "cli/commands.hpp"
#include "cli/status.hpp"
#include "report/strict.hpp"

namespace vesalius::cli {

CommandSyntax view_syntax() {
  CommandSyntax syntax;
  syntax.name = "view";
  syntax.usage = "vesalius view FILE -o PICTURE.svg";
  syntax.about =
      "Draws a humanoid at rest from the front and from the side: the skeleton with the names of its main\n"
      "joints over the shaded mesh, with a scale in metres. FILE is as for 'vesalius inspect'.";
  po::options_description options("view", 100);
  options.add_options()                                                                              //
      ("output,o", value_named("PICTURE"), "the picture, an .svg file, or '-' for standard output")  //
      ("title", value_named("TEXT"), "heading (default: the file's name)")                           //
      ("height", value_named("PX"), "height of the drawn figure, 100 to 4000 (default 760)")         //
      ("no-mesh", po::bool_switch(), "only the skeleton");
  for (const auto& section : {options, reading_options(), general_options()}) syntax.sections.push_back(section);
  return syntax;
}

int view_command(const Arguments& arguments, Streams streams) {
  namespace fs = std::filesystem;
  if (arguments.files().size() != 1) {
    throw UsageError{std::to_string(arguments.files().size()) + " files are given; expected one, and the picture after -o"};
  }
  const std::string& file = arguments.files()[0];
  const auto target = arguments.text("output");
  if (!target) throw UsageError{"the picture is missing; expected '-o PICTURE.svg'"};
  if (*target != standard_stream && fs::path(*target).extension() != ".svg" && fs::path(*target).extension() != ".SVG") {
    throw UsageError{"the picture is '" + *target + "'; expected a name that ends in .svg"};
  }
  if (*target != standard_stream && file != standard_stream && same_file(file, *target)) {
    throw UsageError{"the picture '" + *target + "' is the input"};
  }
  PictureOptions picture;
  const std::string name = file == standard_stream ? standard_input_name : fs::path(file).filename().string();
  picture.title = arguments.text("title").value_or(name);
  picture.mesh = !arguments.flag("no-mesh");
  picture.height_px = arguments.number("height", 100, 4000).value_or(picture.height_px);
  const ReadAnyOptions options = read_options(arguments);

  Diagnostics findings;
  const auto tables = tables_of(arguments, findings);
  if (tables) {
    const Result<Humanoid> read = read_input(file, *tables, options, streams.in);
    findings.append(read.diagnostics);
    if (options.strict) findings = promoted(findings);
    if (read && !findings.has_errors()) {
      const Result<std::string> svg = picture_svg(*read, *tables, picture);
      findings.append(svg.diagnostics);
      if (svg) deliver(*svg, *target, streams.out, findings);
    }
  }
  findings.set_file(file == standard_stream ? standard_input_name : file);
  print(findings, arguments.flag("quiet"), streams.err);
  return status_of(findings);
}

}  // namespace vesalius::cli
