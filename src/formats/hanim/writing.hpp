#pragma once
// What the parts of the H-Anim writer share.
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/hanim/form.hpp"
#include "formats/x3d/out_tree.hpp"

namespace vesalius::hanim {

/// Unique names for DEF in one file: letters, digits, '_' and '-', as every encoding allows; stable for the same humanoid.
class DefNames {
 public:
  [[nodiscard]] std::string make(const std::string& wanted);

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> numbers_;  ///< the next one to try for a name that is taken
};

/// All skin parts welded into one list of points: equal place, influences and morphs are one point; parts do not share points.
struct WeldedSkin {
  std::vector<std::array<float, 3>> points;
  std::vector<std::vector<std::uint32_t>> point_of_vertex;  ///< per part of the humanoid; empty for rigid parts
  std::vector<std::pair<std::size_t, std::size_t>> source;  ///< part and a vertex of each point
};
[[nodiscard]] WeldedSkin weld(const Humanoid& humanoid);

/// Whether every vertex moves wholly with one joint, and the part's segment (if the humanoid lists it) hangs on that joint.
[[nodiscard]] bool is_rigid(const Part& part, const Humanoid& humanoid);
/// The skin cut into rigid segments: each triangle goes to the joint with the largest weight in it. Reported.
[[nodiscard]] Humanoid with_rigid_segments(const Humanoid& humanoid, const Profile& profile, Diagnostics& sink);

struct Writing {
  Writing(const Humanoid& human, const Profile& vocabulary, const HanimWriteOptions& how, Diagnostics& findings)
      : humanoid(human), profile(vocabulary), options(how), form(form_of(how)), sink(findings), out(scene) {}

  const Humanoid& humanoid;
  const Profile& profile;
  const HanimWriteOptions& options;
  Form form;
  Diagnostics& sink;
  x3d::OutScene scene;
  x3d::SceneWriter out;
  DefNames defs;
  std::vector<std::string> joint_names, joint_defs;
  std::vector<std::string> segment_defs, site_defs;
  std::string humanoid_def;
  std::map<std::size_t, std::string> material_defs;                       ///< Appearances already written
  std::map<std::pair<std::size_t, std::size_t>, std::string> morph_defs;  ///< part, morph -> DEF of its displacer
  WeldedSkin skin;
  std::set<std::string> segments_with_coord;
  std::multimap<JointIndex, std::pair<std::size_t, std::size_t>> displacers_by_joint;  ///< part, morph of what a joint owns

  void write_appearance(const Surface& surface);
  void write_material(const Material& material);
  /// One Shape per surface; `coord_use` empty: the part's own vertices in a Coordinate of its own.
  void write_shapes(std::size_t part, std::string_view coord_use);
  void write_displacers(JointIndex joint);
  void write_motion();
  x3d::SceneWriter& open(std::string_view type, std::string_view field = {}) { return out.open(form.node(type), field); }
  void use(std::string_view type, std::string_view def, std::string_view field = {}) { out.use(form.node(type), def, field); }

 private:
  void write_displacer(std::size_t part, std::size_t morph, const std::map<std::uint32_t, Vec3>& moves);
};

}  // namespace vesalius::hanim
