#pragma once
// What the parts of the H-Anim writer share.
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/x3d/xml_writer.hpp"
#include "vesalius/hanim_io.hpp"

namespace vesalius::hanim {

/// Unique names for DEF in one file: letters, digits, '_', '-' and '.'; stable for the same humanoid.
class DefNames {
 public:
  [[nodiscard]] std::string make(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

/// All skin parts welded into one list of points: equal place, influences and morphs are one point; parts do not share points.
struct WeldedSkin {
  std::vector<std::array<float, 3>> points;
  std::vector<std::vector<std::uint32_t>> point_of_vertex;  ///< per part of the humanoid; empty for rigid parts
  std::vector<std::pair<std::size_t, std::size_t>> source;  ///< part and a vertex of each point
};
[[nodiscard]] WeldedSkin weld(const Humanoid& humanoid);

struct Writing {
  const Humanoid& humanoid;
  const Profile& profile;
  const HanimWriteOptions& options;
  Diagnostics& sink;
  x3d::XmlWriter xml;
  DefNames defs;
  std::vector<std::string> joint_names, joint_defs;
  std::vector<std::string> segment_defs, site_defs;
  std::string humanoid_def;
  std::map<std::size_t, std::string> material_defs;                       ///< Appearances already written
  std::map<std::pair<std::size_t, std::size_t>, std::string> morph_defs;  ///< part, morph -> DEF of its displacer
  WeldedSkin skin;

  void write_appearance(const Surface& surface, bool has_colours);
  /// One Shape per surface; `point_of_vertex` empty: the part's own vertices in a Coordinate of its own.
  void write_shapes(std::size_t part, std::string_view coord_use);
  void write_displacers(JointIndex joint);
  void write_motion();
};

}  // namespace vesalius::hanim
