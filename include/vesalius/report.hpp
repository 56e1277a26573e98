#pragma once
// What a humanoid is and what a conversion did, for people (text, SVG) and for programs (JSON).
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vesalius/convert.hpp"
#include "vesalius/diagnostics.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius {

/// Version of the library and the command, such as "0.1.0".
[[nodiscard]] std::string_view library_version() noexcept;

struct Counts {
  std::size_t joints = 0;
  std::size_t segments = 0;
  std::size_t sites = 0;
  std::size_t parts = 0;
  std::size_t vertices = 0;  ///< as held: a seam doubles them
  std::size_t points = 0;    ///< vertices that differ in place, influences or morphs
  std::size_t triangles = 0;
  std::size_t influences = 0;
  std::size_t most_influences = 0;  ///< of one vertex
  std::size_t morphs = 0;
  std::size_t materials = 0;
  std::size_t textures = 0;
  std::size_t clips = 0;
  std::size_t poses = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// How many of a level's joints (those of the levels below included) a skeleton has.
struct LevelCount {
  int level = 0;
  std::size_t present = 0;
  std::size_t expected = 0;
};

/// Level of articulation, counted on the joints; empty for a vocabulary without levels.
struct Articulation {
  std::vector<LevelCount> levels;  ///< ascending
  std::optional<int> complete;     ///< highest level with all its joints
  std::optional<int> partial;      ///< highest level that adds a joint which the skeleton has
};

struct Summary {
  std::string name;
  std::string profile;
  SourceFacts source;
  Counts counts;
  Articulation articulation;
  double coverage = 0;              ///< share of joints that the profile knows, 0 to 1
  double height_m = 0;              ///< of the mesh at rest, else of the joints
  bool height_from_joints = false;  ///< there is no mesh
  Eigen::AlignedBox3d box;          ///< of what the height was measured on; canonical frame, metre; may be empty
};

[[nodiscard]] Summary summarise(const Humanoid& humanoid, const MappingTables& tables);

/// Facts, counts and the joint tree with centres; `file` heads it. Ends with a line break.
[[nodiscard]] std::string inspect_text(const Humanoid& humanoid, const MappingTables& tables, std::string_view file);
/// The same and the findings of reading as one JSON object, two spaces deep. Ends with a line break.
[[nodiscard]] std::string inspect_json(const Humanoid& humanoid, const MappingTables& tables, std::string_view file,
                                       const Diagnostics& diagnostics);

struct PictureOptions {
  std::string title;       ///< empty: the humanoid's name
  double height_px = 760;  ///< of the drawn figure
  bool mesh = true;
};

/// Front and side view at rest, orthographic, as one SVG text: the shaded mesh, the skeleton over it, names of the main joints, a
/// scale. The size of the text hardly depends on the mesh. A mesh so large that only a sample of its triangles is drawn is noted as
/// report.sampled_mesh; joints far outside the mesh are left out with report.joint_outside. Error: report.nothing_to_draw.
[[nodiscard]] Result<std::string> picture_svg(const Humanoid& humanoid, const MappingTables& tables, const PictureOptions& options = {});

/// What became of one input of the convert command.
struct ConvertedFile {
  std::string input;   ///< as the caller gave it
  int status = 0;      ///< exit status for this input alone
  std::string format;  ///< of the output: "glb", "gltf", "x3d"
  std::optional<Summary> source;
  std::optional<Summary> target;
  std::optional<ConversionReport> conversion;
  std::vector<std::pair<std::string, std::size_t>> written;  ///< files and their sizes in bytes
  Diagnostics diagnostics;
};

/// The report file of the convert command: one JSON object, two spaces deep, keys in fixed order, no times.
[[nodiscard]] std::string report_json(std::span<const ConvertedFile> files, const Diagnostics& general, int status);

/// For people, after a conversion: one line per fact, each indented by two spaces.
[[nodiscard]] std::string conversion_text(const ConvertedFile& file);

}  // namespace vesalius
