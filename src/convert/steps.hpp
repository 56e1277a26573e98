#pragma once
// The two directions of a mapping, and what they share.
#include <vector>

#include "convert/correspondence.hpp"
#include "convert/motion.hpp"
#include "convert/rest.hpp"
#include "vesalius/convert.hpp"

namespace vesalius::convert_detail {

/// Everything one direction needs: the mapping and both its profiles.
struct Tables {
  const Mapping* mapping = nullptr;
  const Profile* joints = nullptr;  ///< the many-joint side
  const Profile* bones = nullptr;   ///< the few-bone side
};

/// Many joints to few bones. The source follows tables.joints.
[[nodiscard]] Result<Conversion> collapse(const Humanoid& source, const Tables& tables, const ConvertOptions& options);
/// Few bones to many joints. The source follows tables.bones.
[[nodiscard]] Result<Conversion> expand(const Humanoid& source, const Tables& tables, const ConvertOptions& options);

/// Moves everything of a humanoid but its skeleton and motion: parts, sites, segments.
void move_by(Humanoid& humanoid, const Vec3& shift);
/// Index of the bone that each bone points at (by the mapping), or -1.
[[nodiscard]] std::vector<int> toward_indices(const Correspondence& correspondence, const BoneTree& bones);
/// Moves a segment's mass properties with its bone.
void turn_segment(Segment& segment, const Affine& change, const Quat& turn);
/// The kept data of a humanoid when it is of `profile` and may be used.
[[nodiscard]] const Kept* usable_kept(const Humanoid& source, const std::string& profile, const ConvertOptions& options);
/// Clips and poses of the source carried over; fills the report's keys.
void carry_motion(const Humanoid& source, Humanoid& result, const MotionTarget& target, const Solve& solve, ConversionReport& report,
                  Diagnostics& sink);

/// A closed solid per bone, weight 1, as one part named `name`. Bones in skeleton order; shape: an elongated octahedron from the
/// bone's place to where its children lie.
[[nodiscard]] Part stick_body(const Skeleton& skeleton, const std::string& name, double leaf_length_m);

/// Places of the vertices of each part.
using Places = std::vector<std::vector<Vec3>>;
[[nodiscard]] Places places_of(const std::vector<Part>& parts);
/// Vertices mostly moved by `limbs` that lie inside the rest of the body after a change of rest pose, but not before.
[[nodiscard]] std::size_t entered_body(const Places& before, const std::vector<Part>& after, const std::vector<bool>& limbs);

}  // namespace vesalius::convert_detail
