#pragma once
// From one vocabulary to another, model to model. No file format here.
#include <optional>
#include <string>
#include <vector>

#include "vesalius/diagnostics.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius {

enum class RestPolicy : std::uint8_t { canonical, keep };

struct ConvertOptions {
  std::string to;          ///< target profile
  std::optional<int> loa;  ///< level of articulation of an H-Anim target; default: 3 from OpenMATERIAL, else the source's own
  RestPolicy rest = RestPolicy::canonical;
  unsigned max_influences = 4;        ///< towards OpenMATERIAL; largest kept, before the rest pose changes
  bool extras = true;                 ///< fill Humanoid::kept and use it on the way back
  bool synthesis = true;              ///< make bones that the source lacks
  bool stick = true;                  ///< give a figure without triangles a body of sticks
  bool scale_motion = true;           ///< scale root translation by the ratio of hip heights
  double arm_clearance_rad = 0;       ///< turn the arms of the I-pose out by this much
  double max_angle_error_rad = 1e-3;  ///< between keys of groups with several joints
  double max_place_error_m = 1e-4;
};

/// How far one limb's bone turned when the rest pose changed.
struct LimbTurn {
  std::string bone;
  double angle_rad = 0;
  bool from_profile = true;  ///< false: measured, because it was farther than the mapping's tolerance from the profile
};

/// What became of the source joints of one target joint.
struct BoneReport {
  std::string bone;
  std::vector<std::string> joints;  ///< source joints whose weights went into it
  bool synthesised = false;
  std::string pointed_by;  ///< how a leaf bone found its direction: "child", "end node", "site", "vertices", "parent"
  std::size_t table_line = 0;
};

struct ConversionReport {
  std::vector<LimbTurn> limbs;
  std::vector<BoneReport> bones;
  std::size_t vertices_entered_body = 0;
  std::size_t influences_dropped = 0;
  double worst_dropped_weight = 0;
  std::size_t keys_added = 0;
  double worst_chain_drift_m = 0;  ///< largest drift of a chain's end over all keys
  double motion_scale = 1;
  double worst_stance_drift_m = 0;  ///< of motion put onto another body: how far a standing foot slides
};

struct Conversion {
  Humanoid humanoid;
  ConversionReport report;
};

/// Converts to the profile `options.to`. The same profile is the identity mapping: joints, frames and motion stay as they are, levels of
/// articulation are joints summed or made, and figures of bones are brought to their standard's rest pose and limits. Losses, guesses and
/// syntheses are diagnostics. Errors: convert.no_mapping, convert.not_a_humanoid.
[[nodiscard]] Result<Conversion> convert(const Humanoid& source, const MappingTables& tables, const ConvertOptions& options);

/// A copy of `body` with the clips of `motion` instead of its own: `motion` is converted to the body's vocabulary, every joint makes the
/// turns from its rest pose that its counterpart makes, and travel is scaled by the ratio of the heights of the hip joints
/// (options.scale_motion). Where the limbs' rest poses differ by more than the tables allow, the difference is taken out of the turns. Feet
/// are not put on the ground: the report says how far a standing foot slides. Joints without a counterpart rest on their parents. Errors:
/// those of convert, convert.no_motion.
[[nodiscard]] Result<Conversion> retarget(const Humanoid& body, const Humanoid& motion, const MappingTables& tables,
                                          const ConvertOptions& options = {});

}  // namespace vesalius
