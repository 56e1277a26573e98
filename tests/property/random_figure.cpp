#include "property/random_figure.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace vesalius::test {
namespace {

const Profile& profile_of(const char* name) {
  return *MappingTables::built_in().profile(name);
}

Vec3 mirrored_place(const Vec3& v) {
  return {-v.x(), v.y(), v.z()};
}

void add_belongings(Humanoid& human, Random& random) {
  Part& part = human.parts.front();
  for (std::size_t j = 0; j < human.skeleton.size(); j += 3) {
    const Joint& joint = human.skeleton.joints()[j];
    human.sites.push_back({"site_" + joint.name, joint_index(j), "", {joint.rest.place + random.place(0.2), random.turn()}, Vec3::Ones()});
    Segment segment;
    segment.name = "segment_" + joint.name;
    segment.joint = joint_index(j);
    segment.mass_kg = random.between(0.1, 9);
    segment.centre_of_mass = joint.rest.place + random.place(0.1);
    const Eigen::Matrix3d r = random.turn().toRotationMatrix();
    segment.moments_of_inertia = r * Vec3(random.between(0, 1), random.between(0, 1), random.between(0, 1)).asDiagonal() * r.transpose();
    human.segments.push_back(segment);
    Morph morph;
    morph.name = "move_" + joint.name;
    morph.kind = MorphKind::joint_displacer;
    morph.joint = joint_index(j);
    for (std::uint32_t v = static_cast<std::uint32_t>(j); v < part.positions.size(); v += 17) {
      morph.vertices.push_back(v);
      morph.displacements.push_back(random.place(0.02));
    }
    part.morphs.push_back(std::move(morph));
  }
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end());
  for (std::size_t j = 0; j < joints.size(); j += 2) {
    joints[j].limits = JointLimits{random.place(1), random.place(1), random.turn()};
    joints[j].stiffness = Vec3(random.between(0, 1), random.between(0, 1), random.between(0, 1));
  }
  human.skeleton = *Skeleton::create(std::move(joints));
}

/// Weights of one vertex of a joint, summing to 1.
void add_influences(Part& part, const Skeleton& skeleton, std::size_t joint, unsigned most, Random& random) {
  const JointIndex parent = skeleton.joints()[joint].parent;
  const double w = parent == JointIndex::none ? 1 : random.between(0, 1);
  std::vector<Influence> list{{joint_index(joint), w}};
  if (w < 1) list.push_back({parent, 1 - w});
  for (unsigned k = 2; k < most; ++k) {
    const double share = random.between(0, 0.3);
    for (Influence& influence : list) influence.weight *= 1 - share;
    list.push_back({joint_index(static_cast<std::size_t>(random.between(0, 0.999) * static_cast<double>(skeleton.size()))), share});
  }
  merge_influences(list);
  part.influences.items.insert(part.influences.items.end(), list.begin(), list.end());
  part.influences.end_vertex();
}

Part cloud(const Skeleton& skeleton, const FigureOptions& options, Random& random) {
  Part part;
  part.name = "Body_Cloud";
  Surface surface;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    for (std::size_t k = 0; k < options.vertices_per_joint; ++k) {
      part.positions.push_back(skeleton.joints()[j].rest.place + random.place(0.08));
      part.normals.push_back((random.turn() * Vec3::UnitX()).normalized());
      add_influences(part, skeleton, j, options.most_influences, random);
    }
    const auto base = static_cast<std::uint32_t>(part.positions.size());
    for (std::uint32_t v = base - static_cast<std::uint32_t>(options.vertices_per_joint); v + 2 < base; v += 3)
      surface.triangles.push_back({v, v + 1, v + 2});
  }
  part.surfaces.push_back(surface);
  return part;
}

}  // namespace

Humanoid random_figure(Random& random, const FigureOptions& options) {
  const Profile& profile = profile_of("hanim-2");
  Humanoid human;
  human.name = "random";
  human.profile = "hanim-2";
  std::vector<Joint> joints;
  std::map<std::string, JointIndex> made;
  std::map<std::string, Vec3> offset;
  for (const ProfileJoint& joint : profile.joints) {
    if (joint.lowest_loa > options.loa) continue;
    Vec3 by = random.place(joint.rest_direction ? 0.002 : 0.02);
    if (options.mirrored) {
      if (joint.side == Side::middle) by.x() = 0;
      if (joint.side == Side::right && offset.contains(joint.mirror)) by = mirrored_place(offset[joint.mirror]);
    }
    offset[joint.name] = by;
    Joint own;
    own.name = own.source_name = joint.name;
    const ProfileJoint* parent = profile.ancestor_at_level(joint, options.loa);
    if (parent != nullptr) own.parent = made.at(parent->name);
    own.rest.place = *joint.centre + by;
    made.emplace(joint.name, joint_index(joints.size()));
    joints.push_back(own);
  }
  human.skeleton = std::move(*Skeleton::create(std::move(joints)).value);
  human.parts.push_back(cloud(human.skeleton, options, random));
  if (options.belongings) add_belongings(human, random);
  return human;
}

Humanoid random_asset(Random& random, std::size_t vertices_per_bone) {
  const Profile& profile = profile_of("openmaterial");
  Humanoid human;
  human.name = "random asset";
  human.profile = "openmaterial";
  std::vector<Joint> joints;
  for (const ProfileJoint& bone : profile.joints) {
    int parent = -1;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].name == bone.parent) parent = static_cast<int>(j);
    }
    // Stretches of the arms are 0.28 m and longer: 2 cm at both ends turn them by at most 12 degrees.
    const Vec3 by = parent < 0 ? Vec3(Vec3::Zero()) : random.place(0.02);
    const Quat frame = parent < 0 ? bone.rest_frame
                                  : Quat(bone.rest_frame * Quat(Eigen::AngleAxisd(random.between(-3, 3), Vec3::UnitY())) *
                                         Quat(Eigen::AngleAxisd(random.between(-0.3, 0.3), Vec3::UnitX())));
    joints.push_back(joint_at(bone.name, parent, *bone.centre + by, frame.normalized()));
  }
  human.skeleton = *Skeleton::create(std::move(joints));
  FigureOptions options;
  options.vertices_per_joint = vertices_per_bone;
  options.most_influences = 3;
  human.parts.push_back(cloud(human.skeleton, options, random));
  // Standing where the standard asks, so that nothing is moved on the way.
  const auto box = bounding_box(human.parts);
  const Vec3 shift(-box.center().x(), -box.min().y(), -box.center().z());
  for (Vec3& position : human.parts[0].positions) position += shift;
  joints.assign(human.skeleton.joints().begin(), human.skeleton.joints().end());
  for (std::size_t j = 1; j < joints.size(); ++j) joints[j].rest.place += shift;
  human.skeleton = *Skeleton::create(std::move(joints));
  return human;
}

void add_motion(Humanoid& human, Random& random, int keys, double most_rad, bool all_joints, bool starts_at_rest) {
  Clip clip;
  clip.name = "move";
  clip.duration_s = keys - 1;
  const auto rest = rest_locals(human.skeleton);
  const bool is_asset = human.profile == "openmaterial";
  for (std::size_t j = is_asset ? 1 : 0; j < human.skeleton.size(); ++j) {
    if (!all_joints && j % 3 != 0) continue;
    JointTracks tracks;
    tracks.joint = joint_index(j);
    for (int k = 0; k < keys; ++k) {
      const double angle = k == 0 && starts_at_rest ? 0 : random.between(0, most_rad);
      tracks.rotation.times_s.push_back(k);
      tracks.rotation.values.push_back(
          (Quat(Eigen::AngleAxisd(angle, (random.turn() * Vec3::UnitX()).normalized())) * rest[j].rotation).normalized());
    }
    make_continuous(tracks.rotation.values);
    if (j == (is_asset ? 1 : 0)) {
      tracks.translation.times_s = tracks.rotation.times_s;
      for (int k = 0; k < keys; ++k)
        tracks.translation.values.push_back(rest[j].translation + (k == 0 && starts_at_rest ? Vec3(Vec3::Zero()) : random.place(0.3)));
    }
    clip.joints.push_back(std::move(tracks));
  }
  human.clips.push_back(std::move(clip));
}

Humanoid mirror_image(const Humanoid& human, const Profile& profile) {
  const auto other_name = [&](const std::string& name) {
    const ProfileJoint* joint = profile.find(name);
    return joint == nullptr ? name : joint->mirror;
  };
  // F' = S F diag(1,1,-1) for figures of bones, S F S for frames parallel to the canonical axes.
  const bool bones = profile.has_bone_axes;
  const auto turned = [&](const Quat& q) { return bones ? Quat(q.w(), -q.x(), -q.y(), q.z()) : mirrored(q); };
  const auto global = [&](const Quat& q) {
    const Eigen::Matrix3d s = Vec3(-1, 1, 1).asDiagonal();
    const Eigen::Matrix3d right = bones ? Eigen::Matrix3d(Vec3(1, 1, -1).asDiagonal()) : s;
    return Quat(Eigen::Matrix3d(s * q.toRotationMatrix() * right)).normalized();
  };
  Humanoid result = human;
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end());
  for (Joint& joint : joints) {
    joint.name = joint.source_name = other_name(joint.name);
    joint.rest = {mirrored_place(joint.rest.place), global(joint.rest.turn)};
  }
  // The same order of joints as in the original, so that nothing depends on it.
  std::vector<Joint> ordered;
  std::vector<JointIndex> moved(joints.size());
  std::map<std::string, std::size_t> at;
  for (std::size_t j = 0; j < joints.size(); ++j) at.emplace(joints[j].name, j);
  for (const Joint& original : human.skeleton.joints()) {
    moved[at.at(original.name)] = joint_index(ordered.size());
    ordered.push_back(joints[at.at(original.name)]);
  }
  for (Joint& joint : ordered) {
    if (joint.parent != JointIndex::none) joint.parent = moved[index(joint.parent)];
  }
  result.skeleton = *Skeleton::create(std::move(ordered));
  for (Part& part : result.parts) {
    for (Vec3& position : part.positions) position = mirrored_place(position);
    for (Vec3& normal : part.normals) normal = mirrored_place(normal);
    for (Surface& surface : part.surfaces) {
      for (auto& triangle : surface.triangles) std::swap(triangle[1], triangle[2]);
    }
    for (Influence& influence : part.influences.items) influence.joint = moved[index(influence.joint)];
  }
  for (Clip& clip : result.clips) {
    for (JointTracks& tracks : clip.joints) {
      const bool top = human.skeleton[tracks.joint].parent == JointIndex::none;
      tracks.joint = moved[index(tracks.joint)];
      for (Quat& q : tracks.rotation.values) q = top ? global(q) : turned(q);
      for (Vec3& v : tracks.translation.values) v = top || !bones ? mirrored_place(v) : Vec3(v.x(), v.y(), -v.z());
    }
    std::ranges::sort(clip.joints, {}, &JointTracks::joint);
  }
  return result;
}

}  // namespace vesalius::test
