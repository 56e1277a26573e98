#pragma once
// Skeleton vocabularies (profiles) and the correspondence between two of them (mappings), read from mappings/*.xml.
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vesalius/diagnostics.hpp"
#include "vesalius/frames.hpp"
#include "vesalius/skeleton.hpp"

namespace vesalius {

enum class Side : std::uint8_t { middle, left, right };

/// Another name for a joint, segment or site, and the version of the vocabulary it belongs to ("1", "2", or empty).
struct Alias {
  std::string name;
  std::string version;
};

struct ProfileJoint {
  std::string name;
  std::string parent;  ///< empty for the root
  Side side = Side::middle;
  std::string mirror;                  ///< name of the partner on the other side; its own name in the middle
  int lowest_loa = 0;                  ///< lowest level of articulation that has it; 0 where the vocabulary has no levels
  int lowest_loa_v1 = -1;              ///< the same in version 1; -1: not in version 1
  std::optional<Vec3> centre;          ///< nominal place at rest, canonical frame, metre, left and right symmetrised
  Quat rest_frame = Quat::Identity();  ///< nominal orientation at rest: canonical_from_joint
  std::optional<Vec3>
      rest_direction;              ///< nominal direction of the bone at rest, canonical, unit (arms and whatever turns between rest poses)
  std::optional<double> fraction;  ///< where the joint lies along the straight line of its group's bone, 0 to 1
  std::string tip;                 ///< site or `_end` name that ends a leaf bone; may be empty
  std::string segment;             ///< body part that hangs on it; may be empty
  std::vector<Alias> aliases;
  std::vector<std::string> helpers;  ///< names of joints that exporters add beside it for what has no weight; their weights are its own
  std::string output_name;           ///< name in a third vocabulary for reports (ASAM OSI bone type); may be empty
};

struct ProfileSegment {
  std::string name;
  std::string joint;
  std::vector<Alias> aliases;
};

struct ProfileSite {
  std::string name;
  std::string segment;
  std::optional<Vec3> place;
  std::vector<Alias> aliases;
};

struct ProfileIndex;

/// One skeleton vocabulary. Joints parents first; names and aliases unique.
struct Profile {
  std::string name;            ///< "hanim-2"
  std::string title;           ///< for people
  double height_m = 0;         ///< stature of the nominal figure
  bool has_bone_axes = false;  ///< false: every joint's frame at rest is parallel to the canonical frame
  std::vector<ProfileJoint> joints;
  std::vector<ProfileSegment> segments;
  std::vector<ProfileSite> sites;
  /// Joints whose direction the rest pose is about (arms), proximal to distal per limb: outer = limbs.
  std::vector<std::vector<std::string>> rest_limbs;
  /// Pairs of joints that lie across the body, (right, left), and along the way it faces, (behind, ahead): they tell the facing.
  std::vector<std::pair<std::string, std::string>> across;
  std::vector<std::pair<std::string, std::string>> ahead;
  std::string source;  ///< where the facts are from

  [[nodiscard]] const ProfileJoint* find(std::string_view name) const;  ///< by official name only; null when absent
  /// Name or alias; exact first, then without regard to case. Null when unknown.
  struct Match {
    const ProfileJoint* joint = nullptr;
    std::string version;  ///< of the alias that matched; empty when the name is common to all versions
    bool case_folded = false;
  };
  [[nodiscard]] Match match(std::string_view name) const;
  [[nodiscard]] const ProfileSegment* match_segment(std::string_view name) const;
  [[nodiscard]] const ProfileSite* match_site(std::string_view name) const;
  /// Name of a joint in a version of the vocabulary; the official name where the version has no other.
  [[nodiscard]] std::string name_in_version(const ProfileJoint& joint, std::string_view version) const;
  /// Nearest ancestor whose level is at most `loa` (or null).
  [[nodiscard]] const ProfileJoint* ancestor_at_level(const ProfileJoint& joint, int loa) const;

  std::shared_ptr<const ProfileIndex> index;  ///< look-up by name; made by index_names() once the lists are complete
  void index_names();
};

/// Axes of a figure measured on its skeleton, in the skeleton's own coordinates.
struct MeasuredAxes {
  Vec3 up = Vec3::UnitY();
  Vec3 left = Vec3::UnitX();
  Vec3 forward = Vec3::UnitZ();  ///< left x up
  bool measured = false;         ///< false: too few joints to tell; the axes are the canonical ones
  bool feet_agree = true;        ///< false: the toes point the other way
};
/// Measures up (from the joints between hips and head), left and forward from the profile's pairs.
[[nodiscard]] MeasuredAxes measure_axes(const Skeleton& skeleton, const Profile& profile);

/// Part of a joint in its group.
struct GroupShare {
  double rotation = 0;  ///< s: share of the bone's turn this joint gets when the bone is expanded
  double collapse = 1;  ///< c: exponent of this joint's turn when the group is collapsed
};

/// One target bone and the source joints that drive it.
struct BoneGroup {
  std::string bone;  ///< target name
  /// Chains of source joints, each proximal to distal; the first is the main chain. More than one: parallel (fingers), their turns
  /// averaged.
  std::vector<std::vector<std::string>> chains;
  std::vector<std::string> fold;                          ///< side branches: weights summed in, motion lost and reported
  std::vector<std::string> origins;                       ///< which source joint places the bone, first that is present
  std::string toward;                                     ///< target bone that the bone points at; empty for leaves
  std::vector<std::string> tips;                          ///< source sites that a leaf bone points at, first that is present
  std::map<std::string, GroupShare, std::less<>> shares;  ///< by source joint
  bool whole = false;                                     ///< stands for the whole figure and never moves (the static root)
  bool common_ancestor = false;                           ///< driven by the nearest common ancestor of `ancestor_of` that is in the chain
  std::vector<std::string> ancestor_of;
  /// Above 0: an origin counts only when its height lies within this share of the mean height of `ancestor_of`; when none does, the
  /// middle of `ancestor_of` places the bone. 0: no such test.
  double origin_height_tolerance = 0;
  bool keeps_translation = false;  ///< has a translation channel when collapsed
  std::size_t line = 0;            ///< place in the table, for reports
};

/// Correspondence from one profile (many joints) to another (few bones). Each target occurs once, a source belongs to one group.
struct Mapping {
  std::string from;
  std::string to;
  std::vector<BoneGroup> groups;                    ///< in file order
  std::string file;                                 ///< for reports
  double rest_tolerance_rad = 0.26179938779914941;  ///< arms within this of the profile use its own turns (15 degrees)
  std::string source;

  [[nodiscard]] const BoneGroup* find_bone(std::string_view bone) const;
  [[nodiscard]] const BoneGroup* group_of(std::string_view source_joint) const;  ///< chains and fold
};

/// A bone of another rig.
struct RigBone {
  std::string name;
  std::string joint;  ///< the H-Anim joint it is, or empty
  std::string helps;  ///< another bone of the rig whose skin it bends, or empty
};

/// Names that another tool gives to the joints of a human, told by H-Anim names.
struct Rig {
  std::string name;   ///< "mixamo"
  std::string title;  ///< for people
  std::vector<RigBone> bones;
  std::string source;
  std::map<std::string, std::size_t> by_name;  ///< bones by their names in lower case

  /// The bone of that name: without regard to case, to a prefix before a colon, to a number that an importer hung on. Null when unknown.
  [[nodiscard]] const RigBone* match(std::string_view name) const;
};

/// All profiles and mappings at hand. The built-in ones come with the library; a file replaces the table of the same name or pair.
class MappingTables {
 public:
  /// The embedded tables; they were checked when the library was built.
  [[nodiscard]] static const MappingTables& built_in();
  /// A copy of the tables with one more file, checked against its schema and against the other tables.
  /// Errors: mapping.* with file, line, column, what was found and what is expected.
  [[nodiscard]] Result<MappingTables> with_file(const std::filesystem::path& file) const;
  [[nodiscard]] Result<MappingTables> with_text(std::string_view xml, const std::string& file_name) const;

  [[nodiscard]] const Profile* profile(std::string_view name) const;
  [[nodiscard]] const Mapping* mapping(std::string_view from, std::string_view to) const;
  [[nodiscard]] const Rig* rig(std::string_view name) const;
  /// The rig of which these joint names have most, if they are at least half of the names and eight joints of a human; else null.
  [[nodiscard]] const Rig* recognise_rig(std::span<const std::string> names) const;
  [[nodiscard]] std::span<const Rig> rigs() const noexcept { return rigs_; }
  [[nodiscard]] std::span<const Profile> profiles() const noexcept { return profiles_; }
  [[nodiscard]] std::span<const Mapping> mappings() const noexcept { return mappings_; }

 private:
  std::vector<Profile> profiles_;
  std::vector<Mapping> mappings_;
  std::vector<Rig> rigs_;
};

/// How well a skeleton fits a profile: joints whose name the profile knows, over all joints.
[[nodiscard]] double coverage(const Skeleton& skeleton, const Profile& profile);

}  // namespace vesalius
