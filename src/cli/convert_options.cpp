#include "cli/convert_options.hpp"

#include <algorithm>
#include <map>
#include <numbers>

#include "cli/commands.hpp"
#include "foundation/numbers.hpp"
#include "report/words.hpp"

namespace vesalius::cli {

namespace fs = std::filesystem;

CommandSyntax convert_syntax() {
  CommandSyntax syntax;
  syntax.name = "convert";
  syntax.usage =
      "vesalius convert IN OUT [OPTIONS]\n"
      "       vesalius convert IN... --out-dir DIR --format FORMAT [OPTIONS]";
  syntax.about =
      "Translates a humanoid. IN is H-Anim (X3D, VRML97) or OpenMATERIAL 3D (glTF, GLB, with\n"
      "the .xoma beside it if there is one), told apart by content. OUT says by its extension what is written:\n"
      "  .glb           binary glTF, and a .xoma beside it\n"
      "  .gltf          glTF with a .bin, and a .xoma beside them\n"
      "  .x3d           X3D XML, 4.0 or 3.3\n"
      "  .x3dv          ClassicVRML of X3D\n"
      "  .x3dj, .json   X3D JSON\n"
      "  .wrl           VRML97 with the prototypes of H-Anim declared in the file\n"
      "  .x3dz .x3dvz .wrz, or .gz behind one of these: the same, compressed\n"
      "'-' is standard input or output; standard output takes anything but .gltf and needs --format, and no .xoma\n"
      "is written. With --out-dir every input is converted on its own, on all cores, under its own name.\n"
      "Files are replaced only when everything worked; an input is never overwritten.";

  po::options_description output("output", 100);
  output.add_options()                                                                                                              //
      ("output,o", value_named("OUT"), "the same as a second argument")                                                             //
      ("out-dir", value_named("DIR"), "folder for the results of any number of inputs; made if absent")                             //
      ("format", value_named("FORMAT"), "glb, gltf, x3d, x3dv, x3dj or wrl: what is written with --out-dir or to standard output")  //
      ("gzip", po::bool_switch(), "compress an X3D or VRML output")                                                                 //
      ("report", value_named("FILE"), "JSON file with facts, counts, conversion and all findings; written also when an input is rejected");

  po::options_description target("target", 100);
  target.add_options()                                                                                                                 //
      ("to", value_named("PROFILE"), "vocabulary of the joint names (default: openmaterial for glTF, hanim-2 for X3D)")                //
      ("loa", value_named("0..4"), "level of articulation of an H-Anim target (default: 3 from OpenMATERIAL, else the source's own)")  //
      ("hanim", value_named("1|2"),
       "version of the written H-Anim joint names (default: 1 in VRML97 and X3D 3.3, else the source's, else 2)")                 //
      ("x3d", value_named("4.0|3.3"), "version of written X3D (default 4.0); 3.3 has Phong materials and no fields of H-Anim 2")  //
      ("proto", value_named("200x|1.1"),
       "prototypes of a written VRML97: H-Anim 200x (default), or 1.1, where the skin becomes rigid segments")                         //
      ("target", value_named("PLAYER"), "strict (default), x_ite, castle or x3dom: writes what that player can read; see the README")  //
      ("rest", value_named("canonical|keep"),
       "rest pose of the target: its own (default; arms down in H-Anim, A-pose in OpenMATERIAL) or the source's")        //
      ("arm-clearance", value_named("DEG"), "turn hanging arms out by this much, 0 to 90")                               //
      ("max-influences", value_named("4|8"), "joints per vertex in glTF (default 4)")                                    //
      ("gltf-front", value_named("x|z"), "axis that a written glTF faces: +X (default, as the official example) or +Z")  //
      ("no-extras", po::bool_switch(), "write nothing that only serves the way back")                                    //
      ("no-synthesis", po::bool_switch(), "leave out bones that the source lacks instead of making them up")             //
      ("no-stick", po::bool_switch(), "refuse a figure without a mesh instead of giving it a body of sticks")            //
      ("no-scale-motion", po::bool_switch(), "do not fit root motion to the height of the hips");

  po::options_description metadata("metadata", 100);
  metadata.add_options()                                                                                         //
      ("mass", value_named("KG"), "mass of the human for the .xoma (default: the sum of the segments' masses)")  //
      ("meta", values_named("KEY=VALUE"), "metadata for the .xoma, such as author=...; wins over the source; may be repeated");

  for (const auto& section : {output, target, metadata, reading_options(), general_options()}) syntax.sections.push_back(section);
  syntax.after =
      "examples\n"
      "  vesalius convert avatar.wrl avatar.glb --mass 71 --meta author='J. Doe'\n"
      "  vesalius convert human.gltf human.x3d --loa 3\n"
      "  vesalius convert human.glb human.wrl --proto 1.1 --gzip\n"
      "  vesalius convert figures/*.x3d --out-dir build/human --format glb --report build/human/report.json\n"
      "  vesalius convert - - --format x3d < human.glb > human.x3d";
  return syntax;
}

namespace {

OutputFormat format_named(const std::string& name) {
  return output_format_of("x." + name).value_or(OutputFormat::glb);
}

const std::vector<std::string> format_names{"glb", "gltf", "x3d", "x3dv", "x3dj", "wrl"};

std::pair<std::string, std::string> key_and_value(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0) throw UsageError{"--meta is '" + printable(text) + "'; expected KEY=VALUE, such as author=Doe"};
  return {text.substr(0, at), text.substr(at + 1)};
}

void read_target(const Arguments& arguments, TranslateOptions& options) {
  ConvertOptions& convert = options.convert;
  convert.to = arguments.text("to").value_or("");
  convert.loa = arguments.integer("loa", 0, 4);
  options.hanim_names = arguments.word("hanim", {"1", "2"});
  HanimWriteOptions& hanim = options.hanim;
  if (arguments.word("x3d", {"4.0", "3.3"}) == "3.3") hanim.x3d_version = X3dVersion::v3_3;
  if (arguments.word("proto", {"200x", "1.1"}) == "1.1") hanim.prototypes = HanimPrototypes::v1_1;
  const std::string target = arguments.word("target", {"strict", "x_ite", "castle", "x3dom"}).value_or("strict");
  hanim.target = target == "x_ite"    ? HanimTarget::x_ite
                 : target == "castle" ? HanimTarget::castle
                 : target == "x3dom"  ? HanimTarget::x3dom
                                      : HanimTarget::strict;
  options.gzip = arguments.flag("gzip");
  if (arguments.word("rest", {"canonical", "keep"}) == "keep") convert.rest = RestPolicy::keep;
  convert.arm_clearance_rad = arguments.number("arm-clearance", 0, 90).value_or(0) * std::numbers::pi / 180;
  if (arguments.word("max-influences", {"4", "8"}) == "8") convert.max_influences = 8;
  if (arguments.word("gltf-front", {"x", "z"}) == "z") options.gltf.front = GltfFront::plus_z;
  convert.extras = !arguments.flag("no-extras");
  convert.synthesis = !arguments.flag("no-synthesis");
  convert.stick = !arguments.flag("no-stick");
  convert.scale_motion = !arguments.flag("no-scale-motion");
  constexpr double least_mass_kg = 0.001;
  options.gltf.mass_kg = arguments.number("mass", least_mass_kg, 1000);
  for (const std::string& text : arguments.texts("meta")) options.gltf.metadata.push_back(key_and_value(text));
}

/// Files that belong to an input: itself and what a glTF has beside it.
std::vector<fs::path> files_of_input(const std::string& input) {
  std::vector<fs::path> files{input};
  const auto format = output_format_of(input);
  if (format == OutputFormat::glb || format == OutputFormat::gltf) {
    for (const char* extension : {".xoma", ".bin"}) files.push_back(fs::path(input).replace_extension(extension));
  }
  return files;
}

/// Files that a job will write, as far as the names tell.
std::vector<fs::path> files_of_output(const ConvertJob& job, OutputFormat format) {
  std::vector<fs::path> files{job.output};
  const fs::path folder = fs::path(job.output).parent_path();
  if (!is_hanim(format)) files.push_back(folder / (job.base_name + ".xoma"));
  if (format == OutputFormat::gltf) files.push_back(folder / (job.base_name + ".bin"));
  return files;
}

void check_inputs_are_safe(const ConvertPlan& plan) {
  std::vector<fs::path> inputs;
  for (const ConvertJob& job : plan.jobs) {
    if (job.input == standard_stream) continue;
    std::ranges::move(files_of_input(job.input), std::back_inserter(inputs));
  }
  std::vector<fs::path> outputs;
  for (const ConvertJob& job : plan.jobs) {
    if (job.output == standard_stream) continue;
    std::ranges::move(files_of_output(job, plan.format), std::back_inserter(outputs));
  }
  const auto clash = [](const std::vector<fs::path>& among, const fs::path& file) {
    return std::ranges::any_of(among, [&](const fs::path& other) { return same_file(other, file); });
  };
  for (const fs::path& output : outputs) {
    if (clash(inputs, output)) {
      throw UsageError{"'" + output.string() + "' would be overwritten, and it is part of the input; choose another name or folder"};
    }
  }
  if (plan.report && (clash(inputs, *plan.report) || clash(outputs, *plan.report))) {
    throw UsageError{"the report '" + plan.report->string() + "' is an input or an output as well"};
  }
}

void plan_batch(const Arguments& arguments, ConvertPlan& plan) {
  const auto format = arguments.word("format", format_names);
  if (!format) throw UsageError{"--out-dir needs --format glb, gltf, x3d, x3dv, x3dj or wrl"};
  if (arguments.text("output")) throw UsageError{"-o and --out-dir are given; expected one of them"};
  plan.format = format_named(*format);
  std::map<std::string, std::string> input_of;
  for (const std::string& input : arguments.files()) {
    if (input == standard_stream) throw UsageError{"standard input has no name for --out-dir; expected files"};
    ConvertJob job{input, {}, fs::path(input).stem().string()};
    if (job.base_name.empty()) throw UsageError{"'" + printable(input) + "' is not a file name"};
    std::string folded = job.base_name;
    std::ranges::transform(folded, folded.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto [it, fresh] = input_of.emplace(folded, input);
    if (!fresh) {
      throw UsageError{"'" + it->second + "' and '" + input + "' would both be written as '" + job.base_name +
                       "'; convert them one by one"};
    }
    job.output = (*plan.out_dir / (job.base_name + "." + std::string(to_text(plan.format)))).string();
    plan.jobs.push_back(std::move(job));
  }
}

void plan_single(const Arguments& arguments, ConvertPlan& plan) {
  const std::vector<std::string>& files = arguments.files();
  const auto option = arguments.text("output");
  if (files.size() + (option ? 1 : 0) != 2) {
    throw UsageError{files.size() > 2
                         ? std::to_string(files.size()) + " files are given; expected IN and OUT, or --out-dir for several inputs"
                         : "the output is missing; expected IN OUT"};
  }
  ConvertJob job{files[0], option ? *option : files[1], {}};
  const auto format = arguments.word("format", format_names);
  if (job.output == standard_stream) {
    if (!format) throw UsageError{"standard output needs --format glb, x3d, x3dv, x3dj or wrl"};
    plan.format = format_named(*format);
    if (plan.format == OutputFormat::gltf)
      throw UsageError{"a .gltf has a .bin beside it and cannot go to standard output; expected another --format"};
    job.base_name = job.input == standard_stream ? "humanoid" : fs::path(job.input).stem().string();
  } else {
    const auto by_name = output_format_of(job.output);
    if (!by_name)
      throw UsageError{"the format of '" + printable(job.output) +
                       "' is unknown; expected a name that ends in .glb, .gltf, .x3d, .x3dv, .x3dj or .wrl"};
    if (format && format_named(*format) != *by_name) {
      throw UsageError{"--format is " + *format + ", but '" + printable(job.output) + "' is a ." + std::string(to_text(*by_name))};
    }
    plan.format = *by_name;
    if (is_gzip_name(job.output)) plan.options.gzip = true;
    job.base_name = fs::path(job.output).stem().string();
  }
  plan.jobs.push_back(std::move(job));
}

}  // namespace

ConvertPlan convert_plan(const Arguments& arguments) {
  ConvertPlan plan;
  if (arguments.files().empty()) throw UsageError{"the input is missing; expected IN OUT"};
  plan.options.read = read_options(arguments);
  plan.options.strict = arguments.flag("strict");
  plan.quiet = arguments.flag("quiet");
  if (const auto report = arguments.text("report")) plan.report = *report;
  if (const auto folder = arguments.text("out-dir")) plan.out_dir = *folder;
  read_target(arguments, plan.options);
  if (plan.out_dir) {
    plan_batch(arguments, plan);
  } else {
    plan_single(arguments, plan);
  }
  if (plan.options.gzip && !is_hanim(plan.format))
    throw UsageError{"--gzip compresses X3D and VRML only, not " + std::string(to_text(plan.format))};
  check_inputs_are_safe(plan);
  return plan;
}

void check_profile(const ConvertPlan& plan, const MappingTables& tables) {
  const std::string& to = plan.options.convert.to;
  if (to.empty() || tables.profile(to) != nullptr) return;
  std::string known;
  for (const Profile& profile : tables.profiles()) known += (known.empty() ? "" : ", ") + profile.name;
  throw UsageError{"--to is '" + printable(to) + "'; expected one of the profiles " + known};
}

}  // namespace vesalius::cli
