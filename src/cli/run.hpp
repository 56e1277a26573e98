#pragma once
// The vesalius command as a function.
#include <iosfwd>
#include <span>
#include <string>

namespace vesalius::cli {

/// Runs the command with its arguments (without the program's name). Returns the exit status:
/// 0 done; 1 an input was rejected; 2 wrong usage; 3 a file could not be read or written; 4 internal error. Never throws.
int run(std::span<const std::string> args, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace vesalius::cli
