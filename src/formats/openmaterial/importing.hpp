#pragma once
// What the steps of the reader share.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/gltf/accessors.hpp"
#include "formats/gltf/document.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius::openmaterial {

/// The skins of one figure and its joints as the file has them.
struct Rig {
  std::vector<std::size_t> skins;   ///< of the document
  std::vector<std::size_t> joints;  ///< nodes, parents first
  std::map<std::size_t, JointIndex> joint_of_node;
  std::vector<int> parent;                          ///< nearest joint above, or -1
  std::vector<Affine> mesh_from_joint;              ///< at rest, in the space that vertices are in
  std::vector<Affine> joint_from_mesh;              ///< inverse bind matrices of the first skin that has the joint
  std::vector<std::size_t> tips;                    ///< nodes that only end a bone ("_end")
  std::map<std::size_t, JointIndex> helpers;        ///< joints that exporters add, and the joint that their weights go to, or none
  Affine scene_from_mesh = Affine::Identity();      ///< where the mesh stood when it was bound; the nodes' pose has no part in it
  Affine canonical_from_mesh = Affine::Identity();  ///< turn and scale, and a mirror where the scene has one
  double scale = 1;                                 ///< metres per unit of mesh space
};

struct Importing {
  const gltf::Document& document;
  const gltf::NodeTree& tree;
  const Profile& profile;
  const GltfReadOptions& options;
  Diagnostics& sink;

  [[nodiscard]] Location at(const std::string& pointer) const { return {options.file_name, 0, 0, pointer}; }
};

/// The proper rotation of a frame that may be scaled and mirrored: the y axis stays along the bone, a mirrored frame turns its z axis.
[[nodiscard]] Quat frame_of(const Affine& map);

/// Finds the figure's joints, names them and measures its axes; fills skeleton and facts. False when there is no figure.
[[nodiscard]] bool import_rig(const Importing& in, Rig& rig, Humanoid& humanoid);
/// Meshes, materials, textures, sites.
void import_parts(const Importing& in, const Rig& rig, Humanoid& humanoid, std::map<std::size_t, std::size_t>& part_of_node);
/// Animations as clips.
void import_motion(const Importing& in, const Rig& rig, const std::map<std::size_t, std::size_t>& part_of_node, Humanoid& humanoid);
/// The joints' part of one animation by the movement of whole nodes, for figures whose channels cannot be taken one by one: bones that are
/// mirrored or scaled unevenly, nodes between bones that move themselves. Between keys within 1e-3 rad and 1e-4 m.
void sample_motion(const Importing& in, const Rig& rig, const Humanoid& humanoid, std::size_t animation, Clip& clip);
/// Whether the channels of an animation must be sampled so.
[[nodiscard]] bool needs_sampling(const Importing& in, const Rig& rig, const gltf::Animation& animation);
/// What an earlier conversion kept, from the extras of nodes and meshes.
void import_extras(const Importing& in, Humanoid& humanoid);
/// The .xoma text into metadata and asset blocks.
void import_xoma(std::string_view text, const std::string& file, Humanoid& humanoid, Diagnostics& sink);

}  // namespace vesalius::openmaterial
