#include "cli/common_options.hpp"

#include <ostream>

#include "foundation/codes.hpp"
#include "foundation/files.hpp"
#include "report/words.hpp"

namespace vesalius::cli {

namespace fs = std::filesystem;

po::options_description reading_options() {
  po::options_description options("reading", 100);
  options.add_options()                                                                                                                //
      ("humanoid", value_named("NAME|INDEX"), "which humanoid of an H-Anim file with several, by name or counted from 0")              //
      ("scale", value_named("FACTOR"), "metres per unit of an H-Anim file that is not in metres")                                      //
      ("up", value_named("AXIS"), "axis of an H-Anim file that points up: +Y, +Z, -X ... (default: measured)")                         //
      ("gltf-rest", value_named("bind|nodes"), "rest pose of a glTF file: where the mesh was bound (default) or its node transforms")  //
      ("map", values_named("FILE"), "profile or mapping table that replaces the built-in one of the same name; may be repeated")       //
      ("allow-outside", po::bool_switch(), "follow references that leave the input's folder");
  return options;
}

po::options_description general_options() {
  po::options_description options("general", 100);
  options.add_options()                                                       //
      ("quiet,q", po::bool_switch(), "count notes instead of printing them")  //
      ("strict", po::bool_switch(), "treat warnings as errors")               //
      ("help,h", "print this text");
  return options;
}

ReadAnyOptions read_options(const Arguments& arguments) {
  ReadAnyOptions options;
  options.humanoid = arguments.text("humanoid").value_or("");
  options.strict = arguments.flag("strict");
  options.allow_outside = arguments.flag("allow-outside");
  constexpr double least_scale = 1e-6, largest_scale = 1e6;
  options.scale = arguments.number("scale", least_scale, largest_scale).value_or(1);
  options.up = arguments.word("up", {"+X", "-X", "+Y", "-Y", "+Z", "-Z"}).value_or("");
  if (arguments.word("gltf-rest", {"bind", "nodes"}) == "nodes") options.gltf_rest = GltfRest::nodes;
  return options;
}

std::optional<MappingTables> tables_of(const Arguments& arguments, Diagnostics& sink) {
  MappingTables tables = MappingTables::built_in();
  for (const std::string& file : arguments.texts("map")) {
    Result<MappingTables> with = tables.with_file(file);
    with.diagnostics.set_file(file);
    sink.append(with.diagnostics);
    if (!with) return std::nullopt;
    tables = std::move(*with);
  }
  return tables;
}

Result<Humanoid> read_input(const std::string& file, const MappingTables& tables, ReadAnyOptions options, std::istream& in) {
  if (file != standard_stream) {
    Result<Humanoid> read = read_any(fs::path(file), tables, options);
    read.diagnostics.set_file(file);
    return read;
  }
  options.file_name = standard_input_name;
  Result<Humanoid> result;
  const auto bytes = read_stream(in, options.file_name, result.diagnostics);
  if (!bytes) return result;
  result = read_any(bytes_of(*bytes), tables, options);
  result.diagnostics.set_file(options.file_name);
  return result;
}

void print(const Diagnostics& diagnostics, bool quiet, std::ostream& err) {
  std::string file;  // of the first note that is not shown
  for (const Diagnostic& diagnostic : diagnostics.items()) {
    if (quiet && diagnostic.severity == Severity::note) {
      if (file.empty()) file = diagnostic.where.file;
      continue;
    }
    err << printable(to_text(diagnostic)) << "\n";
  }
  const std::size_t notes = diagnostics.count(Severity::note);
  if (quiet && notes > 0) err << printable(file) << (file.empty() ? "" : ": ") << counted(notes, "note") << " not shown\n";
}

void deliver(const std::string& text, const std::string& target, std::ostream& out, Diagnostics& sink) {
  if (target == standard_stream) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out.flush()) sink.error(codes::io_cannot_write, "standard output cannot be written", {"<stdout>", 0, 0, {}});
    return;
  }
  const std::array<FileContents, 1> files{FileContents{target, bytes_of(text)}};
  write_files(files, sink);
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;
  // Files that do not exist yet have no identity; their places tell.
  const auto whole = [](const fs::path& path, std::error_code& failure) {
    const fs::path absolute = fs::absolute(path, failure);
    return failure ? fs::path() : fs::weakly_canonical(absolute, failure);
  };
  std::error_code failure;
  const fs::path whole_a = whole(a, failure);
  const fs::path whole_b = failure ? fs::path() : whole(b, failure);
  return !failure && whole_a == whole_b;
}

}  // namespace vesalius::cli
