#pragma once
// Arguments of `convert` as a plan: what is read, what is written where, and how.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"

namespace vesalius::cli {

/// One input and where its result goes.
struct ConvertJob {
  std::string input;   ///< as given; "-" is standard input
  std::string output;  ///< path of the main file; "-" is standard output
  std::string base_name;
};

struct ConvertPlan {
  std::vector<ConvertJob> jobs;
  OutputFormat format = OutputFormat::glb;
  std::optional<std::filesystem::path> out_dir;  ///< several inputs; made when the first file is written
  std::optional<std::filesystem::path> report;
  TranslateOptions options;
  bool quiet = false;
};

/// Throws UsageError for everything that can be said to be wrong before a file is opened, also for an output that is an input.
[[nodiscard]] ConvertPlan convert_plan(const Arguments& arguments);

/// Checks the target profile against the tables at hand. Throws UsageError.
void check_profile(const ConvertPlan& plan, const MappingTables& tables);

}  // namespace vesalius::cli
