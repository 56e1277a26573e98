// Joints, names, bind pose and axes of the figure.
#include <algorithm>
#include <cmath>

#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"
#include "mapping/quarter_turn.hpp"

namespace vesalius::openmaterial {
namespace {

/// Matrices of an inverse bind accessor; identities when there is none.
std::vector<Affine> inverse_binds(const Importing& in, const gltf::Skin& skin) {
  std::vector<Affine> result(skin.joints.size(), Affine::Identity());
  if (!skin.inverse_bind) return result;
  const auto values = gltf::read_values(in.document, *skin.inverse_bind, 16, in.sink);
  if (!values || values->size() < 16 * skin.joints.size()) return result;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) result[j].matrix() = Eigen::Map<const Eigen::Matrix4d>(values->data() + 16 * j);
  return result;
}

/// Skins that move the same figure: they share joints or hang below one topmost node. The figure with the most joints is taken.
std::vector<std::size_t> choose_skins(const Importing& in) {
  const auto& skins = in.document.skins;
  std::vector<std::size_t> figure(skins.size());
  for (std::size_t s = 0; s < skins.size(); ++s) {
    figure[s] = s;
    for (std::size_t other = 0; other < s; ++other) {
      const bool shares = std::ranges::any_of(
          skins[s].joints, [&](std::size_t j) { return std::ranges::find(skins[other].joints, j) != skins[other].joints.end(); });
      const bool near = !skins[s].joints.empty() && !skins[other].joints.empty() && in.tree.parents[skins[s].joints[0]] &&
                        in.tree.parents[skins[s].joints[0]] == in.tree.parents[skins[other].joints[0]];
      if (shares || near) {
        const std::size_t old = figure[s];
        for (std::size_t& f : figure) f = f == old ? figure[other] : f;
      }
    }
  }
  std::map<std::size_t, std::size_t> joints;
  for (std::size_t s = 0; s < skins.size(); ++s) joints[figure[s]] += skins[s].joints.size();
  const auto best = std::ranges::max_element(joints, {}, [](const auto& entry) { return entry.second; });
  std::size_t chosen = best->first;
  if (!in.options.humanoid.empty()) {
    const auto wanted = std::ranges::find_if(joints, [&](const auto& entry) {
      return in.options.humanoid == skins[entry.first].name ||
             in.options.humanoid == std::to_string(std::distance(joints.begin(), joints.find(entry.first)));
    });
    if (wanted == joints.end()) {
      in.sink.error(codes::openmaterial_several_figures,
                    "there is no figure '" + in.options.humanoid + "'; expected the name of a skin or a number below " +
                        std::to_string(joints.size()),
                    in.at("/skins"));
      return {};
    }
    chosen = wanted->first;
  } else if (joints.size() > 1) {
    in.sink.warning(codes::openmaterial_several_figures,
                    "there are " + std::to_string(joints.size()) +
                        " armatures in this file; the one with the most joints was taken (skin '" + skins[chosen].name +
                        "'), another can be chosen by name or number",
                    in.at("/skins"));
  }
  std::vector<std::size_t> result;
  for (std::size_t s = 0; s < skins.size(); ++s) {
    if (figure[s] == chosen) result.push_back(s);
  }
  return result;
}

/// "Hip.001" or "Hip_2" without what an exporter appended.
std::string without_number(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  if (end == std::string::npos || end + 1 == name.size() || (name[end] != '.' && name[end] != '_')) return name;
  return name.substr(0, end);
}

void name_joints(const Importing& in, const Rig& rig, std::vector<Joint>& joints, SourceFacts& facts) {
  std::set<std::string> taken;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::string& raw = in.document.nodes[rig.joints[j]].name;
    auto match = in.profile.match(raw);
    if (match.joint == nullptr) match = in.profile.match(without_number(raw));
    std::string name = match.joint != nullptr ? match.joint->name : raw.empty() ? "joint" : raw;
    const Location where = in.at("/nodes/" + std::to_string(rig.joints[j]) + "/name");
    if (match.joint == nullptr) {
      facts.unknown_names.push_back(raw);
      in.sink.warning(codes::openmaterial_unknown_name, "bone name '" + raw + "' is not in the standard; it was kept as it is", where);
    } else if (name != raw) {
      in.sink.warning(codes::openmaterial_renamed, "bone name '" + raw + "' was read as '" + name + "'", where);
    }
    if (taken.contains(name)) {
      std::string fresh;
      for (int number = 2; taken.contains(fresh = name + "_" + std::to_string(number)); ++number) {
      }
      in.sink.warning(codes::openmaterial_renamed, "bone name '" + name + "' occurs twice; the second was named '" + fresh + "'", where);
      name = fresh;
    }
    taken.insert(name);
    joints[j].name = name;
    joints[j].source_name = raw;
  }
}

double size_of(const Affine& map) {
  return std::cbrt(std::abs(map.linear().determinant()));
}

bool same(const Affine& a, const Affine& b) {
  const double size = size_of(b);
  return std::abs(size_of(a) / size - 1) < 1e-3 && angle_between_rad(rotation_of(a), rotation_of(b)) < 1e-3 &&
         (a.translation() - b.translation()).norm() < 1e-3 * std::max(1.0, size);
}

/// A figure of human size that stands: 0.2 to 4 m between its lowest and highest joint, its up within 45 degrees of the scene's +Y.
bool stands(const Affine& scene_from_mesh, const MeasuredAxes& axes, double height) {
  const double shown = size_of(scene_from_mesh) * height;
  return (rotation_of(scene_from_mesh) * axes.up).y() > 0.7 && shown > 0.2 && shown < 4;
}

/// Where the mesh stood in the scene when it was bound. The file does not say it: the joints' nodes show the current pose, which may have
/// turned, moved or scaled the root joint too. Mesh space is the space of the nodes above the root joint, of the mesh's own node, or the
/// scene, as exporters have it; the one that the root joint's node agrees with, else the first in which the figure stands. Figures that
/// only their root joint makes stand (an axis fix or a unit in its rest transform) take that joint's node.
Affine bound_place(const Importing& in, const Rig& rig, const MeasuredAxes& axes, double height) {
  const std::size_t root = rig.joints.front();
  const Affine shown = in.tree.scene_from_node[root] * rig.joint_from_mesh.front();
  std::vector<Affine> candidates;
  candidates.push_back(in.tree.parents[root] ? in.tree.scene_from_node[*in.tree.parents[root]] : Affine::Identity());
  for (std::size_t n = 0; n < in.document.nodes.size(); ++n) {
    const gltf::Node& node = in.document.nodes[n];
    if (node.mesh && node.skin && std::ranges::find(rig.skins, *node.skin) != rig.skins.end())
      candidates.push_back(in.tree.scene_from_node[n]);
  }
  candidates.push_back(Affine::Identity());
  if (!axes.measured || std::ranges::any_of(candidates, [&](const Affine& c) { return same(shown, c); })) return shown;
  const auto standing = std::ranges::find_if(candidates, [&](const Affine& c) { return stands(c, axes, height); });
  return standing == candidates.end() ? shown : *standing;
}

/// Height of the joints along the measured up, in mesh units.
double height_of(const Skeleton& skeleton, const MeasuredAxes& axes) {
  double low = 0, high = 0;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const double at = axes.up.dot(skeleton.joints()[j].rest.place);
    low = j == 0 ? at : std::min(low, at);
    high = j == 0 ? at : std::max(high, at);
  }
  return high - low;
}

/// Says where the file's tree is not the vocabulary's: the standard prints one tree and its example has another, and bones may be left out.
void note_tree(const Importing& in, const Rig& rig, const Skeleton& skeleton) {
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const ProfileJoint* known = in.profile.find(skeleton.joints()[j].name);
    if (known == nullptr || known->parent.empty()) continue;
    JointIndex above = skeleton.joints()[j].parent;
    while (above != JointIndex::none && in.profile.find(skeleton[above].name) == nullptr) above = skeleton[above].parent;
    const std::string found = above == JointIndex::none ? std::string() : skeleton[above].name;
    std::string missing;
    const ProfileJoint* wanted = in.profile.find(known->parent);
    for (; wanted != nullptr && skeleton.find(wanted->name) == JointIndex::none; wanted = in.profile.find(wanted->parent))
      missing += (missing.empty() ? "'" : ", '") + wanted->name + "'";
    const Location where = in.at("/nodes/" + std::to_string(rig.joints[j]));
    if (!missing.empty())
      in.sink.note(codes::openmaterial_missing_parent,
                   "bone '" + known->name + "' hangs on " + (found.empty() ? "no bone" : "'" + found + "'") + "; above it " + missing +
                       " would be expected and is not in the file",
                   where);
    if (wanted != nullptr && wanted->name != found)
      in.sink.note(codes::openmaterial_tree,
                   "bone '" + known->name + "' hangs on " + (found.empty() ? "no bone" : "'" + found + "'") + ", in the tables on '" +
                       wanted->name + "'; the file's own tree is kept",
                   where);
  }
}

/// Nodes of the scene that is shown; all when there is none.
std::vector<bool> shown_nodes(const Importing& in) {
  if (in.document.scenes.empty()) return std::vector<bool>(in.document.nodes.size(), true);
  std::vector<bool> shown(in.document.nodes.size(), false);
  for (const std::size_t root : in.document.scenes[in.document.scene.value_or(0)]) shown[root] = true;
  for (const std::size_t node : in.tree.order) {
    if (in.tree.parents[node] && shown[*in.tree.parents[node]]) shown[node] = true;
  }
  return shown;
}

}  // namespace

Quat frame_of(const Affine& map) {
  Affine proper = map;
  if (map.linear().determinant() < 0) proper.linear().col(2) *= -1;
  return rotation_of(proper);
}

bool import_rig(const Importing& in, Rig& rig, Humanoid& humanoid) {
  if (in.document.skins.empty()) {
    in.sink.error(codes::openmaterial_no_skin, "there is no skin in this file; expected a skinned human", in.at("/skins"));
    return false;
  }
  rig.skins = choose_skins(in);
  if (rig.skins.empty()) return false;
  // Joints of all skins in tree order; the first skin that binds a joint decides.
  std::map<std::size_t, Affine> bind;
  std::map<std::size_t, std::size_t> weighted;
  for (const std::size_t s : rig.skins) {
    const auto inverse = inverse_binds(in, in.document.skins[s]);
    for (std::size_t j = 0; j < inverse.size(); ++j) {
      const auto& m = inverse[j];
      if (!m.matrix().allFinite() || std::abs(m.linear().determinant()) < 1e-30) {
        in.sink.error(codes::openmaterial_bad_joint, "an inverse bind matrix cannot be inverted",
                      in.at("/skins/" + std::to_string(s) + "/inverseBindMatrices"));
        return false;
      }
      bind.emplace(in.document.skins[s].joints[j], m);
    }
  }
  const auto helped_by = [&](std::size_t node) -> const ProfileJoint* {
    const std::string& name = in.document.nodes[node].name;
    for (const ProfileJoint& joint : in.profile.joints) {
      if (std::ranges::find(joint.helpers, name) != joint.helpers.end() ||
          std::ranges::find(joint.helpers, without_number(name)) != joint.helpers.end())
        return &joint;
    }
    return nullptr;
  };
  const auto shown = shown_nodes(in);
  std::vector<std::pair<std::size_t, const ProfileJoint*>> helpers;
  const auto is_tip = [&](std::size_t node) {
    const std::string& name = in.document.nodes[node].name;
    return name.ends_with("_end") && in.document.nodes[node].children.empty() && in.profile.match(name).joint == nullptr;
  };
  for (const std::size_t node : in.tree.order) {
    if (is_tip(node)) {
      rig.tips.push_back(node);
      continue;
    }
    if (!bind.contains(node)) continue;
    if (const ProfileJoint* helped = helped_by(node)) {
      helpers.emplace_back(node, helped);
      continue;
    }
    if (!shown[node])
      in.sink.warning(codes::openmaterial_outside_scene,
                      "joint '" + in.document.nodes[node].name + "' is not in the scene that is shown; it was read all the same",
                      in.at("/nodes/" + std::to_string(node)));
    rig.joint_of_node.emplace(node, joint_index(rig.joints.size()));
    int parent = -1;
    for (auto above = in.tree.parents[node]; above; above = in.tree.parents[*above]) {
      const auto found = rig.joint_of_node.find(*above);
      if (found == rig.joint_of_node.end()) continue;
      parent = static_cast<int>(index(found->second));
      break;
    }
    rig.joints.push_back(node);
    rig.parent.push_back(parent);
    rig.joint_from_mesh.push_back(bind.at(node));
  }
  if (rig.joints.empty()) {
    in.sink.error(codes::openmaterial_no_skin, "the skin names no joints that are in the scene", in.at("/skins"));
    return false;
  }
  // Axes and size are measured on the bind pose, which no node moves; only then it is asked where that pose stands in the scene.
  std::vector<Joint> joints(rig.joints.size());
  name_joints(in, rig, joints, humanoid.source);
  const auto skeleton_of = [&](const std::vector<Affine>& from_joint, const Affine& from_mesh) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      joints[j].parent = static_cast<JointIndex>(rig.parent[j]);
      const Affine frame = from_mesh * from_joint[j];
      joints[j].rest = {frame.translation(), frame_of(frame)};
    }
    return Skeleton::create(joints);
  };
  for (const Affine& m : rig.joint_from_mesh) rig.mesh_from_joint.push_back(m.inverse());
  auto measured = skeleton_of(rig.mesh_from_joint, Affine::Identity());
  if (!measured) {
    in.sink.append(measured.diagnostics);
    return false;
  }
  MeasuredAxes axes = measure_axes(*measured, in.profile);
  rig.scene_from_mesh = bound_place(in, rig, axes, height_of(*measured, axes));
  rig.scale = size_of(rig.scene_from_mesh);
  if (in.options.rest == GltfRest::nodes) {
    for (std::size_t j = 0; j < rig.joints.size(); ++j)
      rig.mesh_from_joint[j] = rig.scene_from_mesh.inverse() * in.tree.scene_from_node[rig.joints[j]];
  }
  // A mesh that only stands mirrored in the scene is mirrored before it is measured.
  Affine unmirrored = Affine::Identity();
  if (rig.scene_from_mesh.linear().determinant() < 0) unmirrored.linear()(0, 0) = -1;
  measured = skeleton_of(rig.mesh_from_joint, unmirrored);
  if (!measured) {
    in.sink.append(measured.diagnostics);
    return false;
  }
  axes = measure_axes(*measured, in.profile);
  const Quat scene_turn = rotation_of(rig.scene_from_mesh * unmirrored);
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  SourceFacts& facts = humanoid.source;
  if (axes.measured) {
    turn = nearest_quarter_turn(axes);
    // The facts are about the file as it shows: mesh space turned into the scene.
    facts.up = axis_name(scene_turn * axes.up);
    facts.facing = axis_name(scene_turn * axes.forward);
    if (!axes.feet_agree)
      in.sink.warning(codes::openmaterial_turned, "the toes point away from where left and right say the figure faces", in.at("/skins"));
  } else {
    turn = storage_from_canonical(GltfFront::plus_x).conjugate().toRotationMatrix() * scene_turn.toRotationMatrix();
    facts.up = "+Y";
    facts.facing = "+X";
    in.sink.warning(codes::openmaterial_not_measured, "too few known bones to measure which way the figure faces; +X was taken",
                    in.at("/skins"));
  }
  facts.scale = rig.scale;
  if (std::abs(rig.scale - 1) > 1e-4)
    in.sink.note(codes::openmaterial_scaled, "the armature is scaled by " + std::to_string(rig.scale) + "; that was folded in",
                 in.at("/nodes"));
  rig.canonical_from_mesh.linear() = rig.scale * turn * unmirrored.linear();
  double worst_place = 0, worst_turn = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Affine frame = rig.canonical_from_mesh * rig.mesh_from_joint[j];
    joints[j].rest = {frame.translation(), frame_of(frame)};
  }
  auto made = Skeleton::create(std::move(joints));
  in.sink.append(made.diagnostics);
  if (!made) return false;
  humanoid.skeleton = std::move(*made.value);

  note_tree(in, rig, humanoid.skeleton);
  for (const auto& [node, helped] : helpers) {
    const JointIndex joint = humanoid.skeleton.find(helped->name);
    rig.helpers.emplace(node, joint);
    in.sink.note(codes::openmaterial_helper_bone,
                 "bone '" + in.document.nodes[node].name + "' is a helper that exporters add; " +
                     (joint == JointIndex::none ? std::string("what it holds stays at rest") : "its weights go to '" + helped->name + "'"),
                 in.at("/nodes/" + std::to_string(node)));
  }

  // The nodes show a pose of their own when they differ from the bind pose.
  NamedPose pose{"nodes", {}};
  const Affine canonical_from_scene = rig.canonical_from_mesh * rig.scene_from_mesh.inverse();
  std::vector<Rigid> now;
  double worst_scale = 0;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    // What the skin sees of the joint: its movement from the bind pose, whatever axes and scales its own frame has.
    const Affine change = canonical_from_scene * in.tree.scene_from_node[rig.joints[j]] * rig.mesh_from_joint[j].inverse() *
                          rig.canonical_from_mesh.inverse();
    const Joint& joint = humanoid.skeleton.joints()[j];
    now.push_back({change * joint.rest.place, (rotation_of(change) * joint.rest.turn).normalized()});
    worst_place = std::max(worst_place, (now[j].place - joint.rest.place).norm());
    worst_turn = std::max(worst_turn, angle_between_rad(now[j].turn, joint.rest.turn));
    worst_scale = std::max(
        worst_scale,
        (rotation_of(change).toRotationMatrix().transpose() * change.linear() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff());
    const Rigid local = rig.parent[j] < 0 ? now[j] : now[static_cast<std::size_t>(rig.parent[j])].inverse() * now[j];
    pose.pose.parent_from_joint.push_back({local.place, local.turn, Vec3::Ones()});
  }
  if (in.options.rest == GltfRest::bind && worst_scale > 1e-3)
    in.sink.warning(codes::openmaterial_lost_scale,
                    "the nodes show bones scaled against the bind pose, by up to " + std::to_string(worst_scale) +
                        "; the pose 'nodes' keeps their places and turns only",
                    in.at("/nodes"));
  if (in.options.rest == GltfRest::bind && (worst_place > 1e-4 || worst_scale > 1e-3 || worst_turn > 1e-3)) {
    in.sink.warning(codes::openmaterial_bind_differs,
                    "the nodes are not in the bind pose (up to " + std::to_string(worst_place) + " m and " + std::to_string(worst_turn) +
                        " rad away); the bind pose is the rest pose, the nodes' are kept as pose 'nodes'",
                    in.at("/nodes"));
    humanoid.poses.push_back(std::move(pose));
  }
  return true;
}

}  // namespace vesalius::openmaterial
