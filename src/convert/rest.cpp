#include "convert/rest.hpp"

#include <algorithm>
#include <cmath>

#include "convert/codes.hpp"

namespace vesalius::convert_detail {
namespace {

constexpr double degrees = 180 / 3.14159265358979323846;

/// Direction that a bone has at rest in the many-joint profile: that of the first joint of its group which states one.
std::optional<Vec3> joint_direction(const Mapping& mapping, const Profile& joints, const std::string& bone) {
  const BoneGroup* group = mapping.find_bone(bone);
  if (group == nullptr) return std::nullopt;
  for (const auto& chain : group->chains) {
    for (const std::string& name : chain) {
      const ProfileJoint* joint = joints.find(name);
      if (joint != nullptr && joint->rest_direction) return joint->rest_direction;
    }
  }
  return std::nullopt;
}

/// Directions of one bone of a limb in both rest poses.
struct LimbBone {
  int bone = -1;
  Vec3 source, target;           // of the profiles
  std::optional<Vec3> measured;  // of the figure, when the next bone of the limb is there
};

std::vector<LimbBone> limb_bones(const BoneTree& bones, const Mapping& mapping, const Profile& joints, RestDirection direction,
                                 const std::vector<std::string>& limb) {
  std::vector<LimbBone> result;
  for (std::size_t i = 0; i < limb.size(); ++i) {
    LimbBone entry;
    entry.bone = bones.find(limb[i]);
    const ProfileJoint* bone = bones.profile->find(limb[i]);
    const auto other = joint_direction(mapping, joints, limb[i]);
    if (entry.bone < 0 || bone == nullptr || !bone->rest_direction || !other) continue;
    entry.source = direction == RestDirection::towards_bones ? *other : *bone->rest_direction;
    entry.target = direction == RestDirection::towards_bones ? *bone->rest_direction : *other;
    if (i + 1 < limb.size()) {
      const int next = bones.find(limb[i + 1]);
      const auto& from = bones.place[static_cast<std::size_t>(entry.bone)];
      if (next >= 0 && from && bones.place[static_cast<std::size_t>(next)]) {
        const Vec3 along = *bones.place[static_cast<std::size_t>(next)] - *from;
        if (along.norm() > 1e-6) entry.measured = along.normalized();
      }
    }
    result.push_back(entry);
  }
  return result;
}

double angle_rad(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

int BoneTree::find(std::string_view bone) const {
  for (std::size_t i = 0; i < profile->joints.size(); ++i) {
    if (profile->joints[i].name == bone) return static_cast<int>(i);
  }
  return -1;
}

RestChange rest_change(const BoneTree& bones, const Mapping& mapping, const Profile& joints, RestDirection direction,
                       const ConvertOptions& options, std::span<const KeptTurn> kept, Diagnostics& sink) {
  const std::size_t count = bones.place.size();
  RestChange result;
  result.from_profile.assign(count, true);
  std::vector<std::optional<Quat>> own(count);

  for (const auto& limb : bones.profile->rest_limbs) {
    const auto entries = limb_bones(bones, mapping, joints, direction, limb);
    bool fits = true;
    double worst = 0;
    for (const LimbBone& entry : entries) {
      if (!entry.measured) continue;
      worst = std::max(worst, angle_rad(*entry.measured, entry.source));
      fits = fits && angle_rad(*entry.measured, entry.source) <= mapping.rest_tolerance_rad;
    }
    const double side =
        entries.empty() ? 0 : (bones.profile->joints[static_cast<std::size_t>(entries.front().bone)].side == Side::left ? 1.0 : -1.0);
    const Quat clearance = direction == RestDirection::towards_joints
                               ? Quat(Eigen::AngleAxisd(side * options.arm_clearance_rad, Vec3::UnitZ()))
                               : Quat::Identity();
    if (!fits && options.rest == RestPolicy::canonical && kept.empty()) {
      sink.warning(codes::convert_measured_limb,
                   "limb of bone '" + limb.front() + "' lies " + std::to_string(std::lround(worst * degrees)) +
                       " degrees from the profile's rest pose (at most " +
                       std::to_string(std::lround(mapping.rest_tolerance_rad * degrees)) + " is taken for it); its turn was measured");
    }
    Quat before = Quat::Identity();          // turn of the bone before in this limb
    Quat before_profile = Quat::Identity();  // and the profile's own
    for (const LimbBone& entry : entries) {
      const auto b = static_cast<std::size_t>(entry.bone);
      // Turning from the many-joint side to the bones is the definition; the way back is its exact inverse.
      const Quat profile_turn = direction == RestDirection::towards_bones ? least_rotation(entry.source, entry.target)
                                                                          : least_rotation(entry.target, entry.source).conjugate();
      Quat turn = Quat::Identity();
      bool from_profile = false;
      const auto stored =
          std::find_if(kept.begin(), kept.end(), [&](const KeptTurn& k) { return k.bone == bones.profile->joints[b].name; });
      if (stored != kept.end()) {
        turn = stored->turn.conjugate();
      } else if (options.rest == RestPolicy::keep) {
        turn = Quat::Identity();
      } else if (fits) {
        turn = clearance * profile_turn;
        from_profile = options.arm_clearance_rad == 0 || direction == RestDirection::towards_bones;
      } else if (entry.measured) {
        turn = clearance * least_rotation(*entry.measured, entry.target);
      } else {
        turn = before * (before_profile.conjugate() * profile_turn);
      }
      own[b] = turn;
      result.from_profile[b] = from_profile;
      before = turn;
      before_profile = profile_turn;
      result.limbs.push_back({bones.profile->joints[b].name, angle_between_rad(Quat::Identity(), turn), from_profile});
    }
  }

  result.turn.assign(count, Quat::Identity());
  result.change.assign(count, Affine::Identity());
  std::vector<Vec3> moved(count, Vec3::Zero());
  for (std::size_t b = 0; b < count; ++b) {
    const int p = bones.parent[b];
    const auto parent = static_cast<std::size_t>(p);
    if (p >= 0 && !own[b]) result.from_profile[b] = result.from_profile[parent];
    result.turn[b] = own[b] ? *own[b] : (p >= 0 ? result.turn[parent] : Quat::Identity());
    const Vec3 here = bones.place[b].value_or(Vec3::Zero());
    moved[b] = here;
    // A bone without a place of its own moves as its parent does.
    if (p >= 0) moved[b] = bones.place[b] ? Vec3(result.change[parent] * here) : here;
    if (!bones.place[b]) {
      result.turn[b] = p >= 0 ? result.turn[parent] : Quat::Identity();
      if (p >= 0) result.change[b] = result.change[parent];
      continue;
    }
    result.change[b].linear() = result.turn[b].toRotationMatrix();
    result.change[b].translation() = moved[b] - result.change[b].linear() * here;
    result.change[b].makeAffine();
  }
  return result;
}

void repose(Part& part, std::span<const Affine> change, Blend blend, Diagnostics& sink) {
  std::vector<bool> moves;
  for (const Affine& m : change) moves.push_back(!m.matrix().isIdentity(0));
  if (std::ranges::find(moves, true) == moves.end()) return;
  std::vector<Affine> matrices(change.begin(), change.end());
  if (blend == Blend::inverse) {
    for (Affine& m : matrices) m = m.inverse();
  }
  // Linear part per vertex for what morphs need; only filled when there are morphs.
  std::vector<Eigen::Matrix3d> linear(part.morphs.empty() ? 0 : part.positions.size());
  std::size_t singular = 0;
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    const auto influences = part.influences.of(v);
    if (std::ranges::none_of(influences, [&](const Influence& i) { return moves[index(i.joint)]; })) {
      if (!linear.empty()) linear[v].setIdentity();
      continue;
    }
    Eigen::Matrix<double, 3, 4> sum = Eigen::Matrix<double, 3, 4>::Zero();
    double rest = 1;
    for (const Influence& influence : influences) {
      sum += influence.weight * matrices[index(influence.joint)].matrix().topRows<3>();
      rest -= influence.weight;
    }
    sum.leftCols<3>().diagonal().array() += rest;
    Eigen::Matrix3d m = sum.leftCols<3>();
    if (blend == Blend::inverse) {
      if (std::abs(m.determinant()) < 1e-6) {
        ++singular;
        if (!linear.empty()) linear[v].setIdentity();
        continue;
      }
      m = m.inverse().eval();
      part.positions[v] = m * (part.positions[v] - sum.col(3));
    } else {
      part.positions[v] = m * part.positions[v] + sum.col(3);
    }
    if (!part.normals.empty()) {
      // Cofactors instead of the inverse transpose: the same direction, and safe for flat blends.
      Eigen::Matrix3d cofactor;
      cofactor.col(0) = m.col(1).cross(m.col(2));
      cofactor.col(1) = m.col(2).cross(m.col(0));
      cofactor.col(2) = m.col(0).cross(m.col(1));
      const Vec3 normal = cofactor * part.normals[v];
      if (normal.norm() > 1e-12) part.normals[v] = normal.normalized();
    }
    if (!linear.empty()) linear[v] = m;
  }
  for (Morph& morph : part.morphs) {
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
      morph.displacements[i] = linear[morph.vertices[i]] * morph.displacements[i];
      if (!morph.normal_displacements.empty()) morph.normal_displacements[i] = linear[morph.vertices[i]] * morph.normal_displacements[i];
    }
  }
  if (singular > 0) {
    sink.warning(codes::convert_singular_blend, "part '" + part.name + "': " + std::to_string(singular) +
                                                    " vertices have blended matrices that cannot be inverted; they stayed where they were");
  }
}

Affine shifted(const Affine& change, const Vec3& shift) {
  return Eigen::Translation3d(shift) * change * Eigen::Translation3d(-shift);
}

}  // namespace vesalius::convert_detail
