#include "cli/run.hpp"

#include <array>
#include <exception>
#include <new>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/status.hpp"
#include "report/words.hpp"

namespace vesalius::cli {

namespace {

struct Command {
  const char* name;
  const char* about;
  CommandSyntax (*syntax)();
  int (*run)(const Arguments&, Streams);
};

constexpr std::array<Command, 3> commands{{
    {"convert", "translate humanoids between H-Anim and OpenMATERIAL 3D", convert_syntax, convert_command},
    {"inspect", "say what a file holds: versions, level, axes, joints, counts", inspect_syntax, inspect_command},
    {"view", "draw a humanoid from the front and from the side as SVG", view_syntax, view_command},
}};

const Command* find_command(const std::string& name) {
  for (const Command& command : commands) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

std::string general_help() {
  std::string text =
      "usage: vesalius COMMAND [ARGUMENTS]\n\n"
      "Translates humanoids between H-Anim (ISO/IEC 19774; X3D, VRML97) and ASAM OpenMATERIAL 3D human\n"
      "assets (glTF 2.0 with a .xoma file).\n\ncommands\n";
  for (const Command& command : commands) {
    std::string name = command.name;
    name.resize(10, ' ');
    text += "  " + name + command.about + "\n";
  }
  text +=
      "\n"
      "  --help, -h    print this text; 'vesalius COMMAND --help' prints the arguments of a command\n"
      "  --version     print the version\n"
      "\n"
      "Results go to standard output or the named files, findings to standard error.\n"
      "Exit status: 0 done; 1 input rejected; 2 wrong usage; 3 a file cannot be read or written; 4 internal error.\n";
  return text;
}

int wrong_usage(const std::string& message, const std::string& command, std::ostream& err) {
  err << "vesalius" << (command.empty() ? "" : " " + command) << ": " << message << "\n"
      << "see 'vesalius" << (command.empty() ? "" : " " + command) << " --help'\n";
  return status_usage;
}

int dispatch(std::span<const std::string> args, Streams streams) {
  if (args.empty()) return wrong_usage("a command is missing; expected convert, inspect or view", "", streams.err);
  std::string name = args[0];
  if (name == "--version" || name == "version") {
    streams.out << "vesalius " << library_version() << "\n";
    return status_done;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    const Command* about = name == "help" && args.size() > 1 ? find_command(args[1]) : nullptr;
    streams.out << (about != nullptr ? help_text(about->syntax()) : general_help());
    return status_done;
  }
  const Command* command = find_command(name);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const Command& known : commands) names.emplace_back(known.name);
    const bool option = name.starts_with('-');
    std::string message = std::string("unknown ") + (option ? "option" : "command") + " '" + printable(name) + "'";
    if (option) names = {"--help", "--version"};
    if (const auto near = nearest_word(name, names)) message += "; did you mean '" + *near + "'?";
    return wrong_usage(message, "", streams.err);
  }
  try {
    const CommandSyntax syntax = command->syntax();
    const Arguments arguments(syntax, args.subspan(1));
    if (arguments.help()) {
      streams.out << help_text(syntax);
      return status_done;
    }
    return command->run(arguments, streams);
  } catch (const UsageError& error) {
    return wrong_usage(error.message, name, streams.err);
  }
}

}  // namespace

int run(std::span<const std::string> args, std::istream& in, std::ostream& out, std::ostream& err) {
  try {
    const int status = dispatch(args, {in, out, err});
    out.flush();
    err.flush();
    return status;
  } catch (const std::bad_alloc&) {
    err << "vesalius: error [internal.error]: there is not enough memory\n";
  } catch (const std::exception& error) {
    err << "vesalius: error [internal.error]: " << printable(error.what()) << "\n";
  } catch (...) {
    err << "vesalius: error [internal.error]: unknown failure\n";
  }
  return status_internal;
}

}  // namespace vesalius::cli
