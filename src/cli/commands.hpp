#pragma once
// The subcommands. Each takes the arguments after its own name and returns the exit status; wrong usage is thrown as UsageError.
#include <span>
#include <string>

#include "cli/common_options.hpp"

namespace vesalius::cli {

[[nodiscard]] CommandSyntax convert_syntax();
[[nodiscard]] CommandSyntax inspect_syntax();
[[nodiscard]] CommandSyntax view_syntax();

int convert_command(const Arguments& arguments, Streams streams);
int inspect_command(const Arguments& arguments, Streams streams);
int view_command(const Arguments& arguments, Streams streams);

}  // namespace vesalius::cli
