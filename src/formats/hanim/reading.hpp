#pragma once
// What the parts of the H-Anim reader share: the scene, where findings go, values of fields, transforms of nodes.
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/x3d/scene.hpp"
#include "vesalius/hanim_io.hpp"

namespace vesalius::hanim {

using x3d::Child;
using x3d::Field;
using x3d::Node;
using x3d::Scene;

/// Everything a step of the reader needs.
struct Reading {
  const Scene& scene;
  const Profile& profile;
  const MappingTables& tables;
  const HanimReadOptions& options;
  std::filesystem::path folder;  ///< where relative URIs start; empty when reading from memory
  bool has_folder = false;
  Diagnostics& sink;

  /// A field by any of its names over the versions ("skeleton", "humanoidBody"); null when absent.
  [[nodiscard]] const Field* field(const Node& node, std::initializer_list<std::string_view> names) const;
  [[nodiscard]] Vec3 vec3(const Node& node, std::string_view name, const Vec3& otherwise) const;
  [[nodiscard]] std::optional<Vec3> vec3(const Node& node, std::string_view name) const;
  [[nodiscard]] double number(const Node& node, std::string_view name, double otherwise) const;
  [[nodiscard]] bool boolean(const Node& node, std::string_view name, bool otherwise) const;
  [[nodiscard]] std::string text(const Node& node, std::string_view name) const;
  [[nodiscard]] std::vector<double> numbers(const Node& node, std::string_view name) const;
  [[nodiscard]] std::vector<std::int32_t> integers(const Node& node, std::string_view name) const;
  [[nodiscard]] std::vector<std::string> strings(const Node& node, std::string_view name) const;
  /// Axis and angle as a quaternion; a zero axis gives no turn and a finding when the angle is not 0.
  [[nodiscard]] Quat rotation(const Node& node, std::string_view name) const;
  /// Points of a Coordinate; read once however many shapes use the node.
  [[nodiscard]] const std::vector<Vec3>& points(const Node& coordinate) const;
  /// First node of a field, or null.
  [[nodiscard]] const Node* child(const Node& node, std::string_view name) const;

  /// Counts what is visited again and again by USE: false (with one error) when a file asks for more than any figure needs.
  [[nodiscard]] bool within_budget(std::size_t amount, const Node& node) const;
  /// Whether a field holds a value, as its reader wants; a finding when it holds a node.
  [[nodiscard]] bool is_value(const Node& node, const Field& found) const;
  [[nodiscard]] bool may_read(const Node& node, const Field& found) const;
  /// Folder of the file that a node was written in.
  [[nodiscard]] std::filesystem::path folder_of(const Node& node) const;

  mutable std::map<const Node*, std::vector<Vec3>> points_read{};
  mutable std::set<const Field*> read_once{};
  mutable std::map<const Node*, std::string> segment_names{};  ///< unique ones, by the segment's node
  mutable std::size_t spent = 0;
};

/// Corners and visits that one humanoid may take: far more than real figures have.
inline constexpr std::size_t most_corners = 8'000'000;
/// What a visit to a node counts among the corners: it takes about as long.
inline constexpr std::size_t visit_cost = 30;

/// Type of a node as the current standard calls it ("Joint" PROTO instance: "HAnimJoint").
[[nodiscard]] std::string_view type_of(const Node& node);

/// T(translation) T(center) R(rotation) R(so) S(scale) R(so)^-1 T(-center) of a Transform, Joint or Humanoid; identity for groups.
[[nodiscard]] Affine transform_of(const Reading& reading, const Node& node);

/// Whether children of the node are drawn in its place: Transform, Group, Anchor, Collision, Billboard, StaticGroup, LOD, Switch ...
[[nodiscard]] bool is_grouping(const Node& node);
/// Children that are shown: all of a group, the chosen one of a Switch, the finest of a LOD.
[[nodiscard]] std::vector<Child> shown_children(const Reading& reading, const Node& node);

/// A humanoid found in the scene.
struct Found {
  const Node* node = nullptr;
  std::string name;
  Affine scene_from_humanoid = Affine::Identity();  ///< Transforms around it and its own
};
[[nodiscard]] std::vector<Found> find_humanoids(const Reading& reading);

/// Joints of one humanoid as its file has them.
struct JointTree {
  struct Entry {
    const Node* node = nullptr;
    int parent = -1;
    Affine humanoid_from_content = Affine::Identity();  ///< at rest: what hangs below is in these coordinates
    Vec3 place = Vec3::Zero();                          ///< at rest, humanoid coordinates
    // The standard's joints have the humanoid's axes at rest, and no translation; those of other rigs have their own.
    Quat parent_turn = Quat::Identity(), turn = Quat::Identity();  ///< axes of the parent and the joint at rest
    Vec3 rest_translation = Vec3::Zero();                          ///< value of the field that leaves the joint at rest
    Vec3 rest_scale = Vec3::Ones();                                ///< the same of the scale
    Affine between = Affine::Identity();                           ///< plain Transforms between the parent and this joint
    Eigen::Matrix3d parent_linear = Eigen::Matrix3d::Identity();   ///< humanoid_from_parent of translations
    /// Values of the fields as the standard means them: changes from rest in the humanoid's axes.
    [[nodiscard]] Quat rotation(const Quat& given) const { return parent_turn * given * turn.conjugate(); }
    [[nodiscard]] Vec3 offset(const Vec3& given) const { return parent_linear * (given - rest_translation); }
  };
  std::vector<Entry> joints;  ///< parents first
  std::map<const Node*, int> index_of;
  bool by_translation = false;  ///< no joint has a centre; translations place them
  bool bound = false;           ///< inverse bind matrices place them
};
[[nodiscard]] JointTree read_tree(const Reading& reading, const Node& humanoid);
/// X_ITE's form of jointBinding*: inverse bind matrices of the listed joints. Places and axes of the joints come from them.
void read_bindings(const Reading& reading, const Node& humanoid, JointTree& tree);
/// Gives dialects without humanoid nodes such nodes: plain Transform trees with the standard's names, Avatar Studio's rigs, joints that
/// stand outside their humanoid. Nothing changes in a scene that has humanoids with skeletons.
void adapt_dialects(Scene& scene, const Profile& profile, const MappingTables& tables, Diagnostics& sink);
/// The rig of an Avatar Studio avatar as humanoid nodes; true when the scene had one.
/// The skeletal configuration that it gives them.
inline constexpr std::string_view avatar_configuration = "AVATAR STUDIO";
bool adapt_avatar_studio(Scene& scene, const MappingTables& tables, Diagnostics& sink);
/// What stands around the humanoid and is not carried over, as one note.
void report_surroundings(const Reading& reading, const Node& humanoid);

/// Names of the joints in the profile's vocabulary, unique; fills the facts about versions and unknown names.
struct JointNames {
  std::vector<std::string> names;
  std::vector<std::string> source_names;
};
[[nodiscard]] JointNames name_joints(const Reading& reading, const JointTree& tree, const std::string& humanoid_name, SourceFacts& facts);
/// A name without blanks and without a file's prefix.
[[nodiscard]] std::string without_prefix(std::string_view name, const std::string& prefix);

/// How humanoid coordinates become canonical ones: scale and turn, no translation.
struct Folding {
  Eigen::Matrix3d linear = Eigen::Matrix3d::Identity();  ///< canonical_from_humanoid
  Quat turn = Quat::Identity();                          ///< its rotation
  [[nodiscard]] Vec3 operator()(const Vec3& point) const { return linear * point; }
  [[nodiscard]] Quat rotation(const Quat& q) const { return turn * q * turn.conjugate(); }
};
[[nodiscard]] Folding measure_folding(const Reading& reading, const Found& found, const JointTree& tree, const JointNames& names,
                                      SourceFacts& facts);

/// The skeleton with limits and stiffness, the saved pose, segments, sites.
void read_skeleton(const Reading& reading, const Node& node, const JointTree& tree, const JointNames& names, const Folding& fold,
                   Humanoid& humanoid);
/// Poses that the humanoid lists (HAnimPose).
void read_poses(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, Humanoid& humanoid);
/// A joint by the name that motion and poses give it: the standard's, the file's own, or another rig's. None when there is none.
[[nodiscard]] JointIndex joint_named(const Reading& reading, const Humanoid& humanoid, const std::string& name);
void read_lists(const Reading& reading, const Node& node, const JointTree& tree);
/// Skin and segment geometry with materials, weights and displacers. `displacers` tells the motion reader where each node went.
using MorphPlaces = std::multimap<const Node*, std::pair<std::size_t, std::size_t>>;  ///< displacer node -> part, morph
void read_parts(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, Humanoid& humanoid,
                MorphPlaces& displacers);
void read_motion(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, const MorphPlaces& displacers,
                 Humanoid& humanoid);
void read_metadata(const Reading& reading, const Node& node, Humanoid& humanoid);

}  // namespace vesalius::hanim
