#include "skeleton.hpp"

#include <array>
#include <stdexcept>

namespace samples {
namespace {

struct Row {
  std::string_view name, legacy_name, segment, legacy_segment, parent;
  int level;
  double x, y, z;
  double mass_kg;
};

// Left and middle joints; the right ones are their mirror images. Places: nominal heights of the standard, set into a body of our own.
constexpr std::array<Row, 61> rows{{
    {"humanoid_root", "HumanoidRoot", "sacrum", "sacrum", "", 0, 0, 0.8990, -0.0150, 3.2},
    {"sacroiliac", "sacroiliac", "pelvis", "pelvis", "humanoid_root", 1, 0, 0.9200, -0.0200, 7.4},
    {"l_hip", "l_hip", "l_thigh", "l_thigh", "sacroiliac", 1, 0.0940, 0.9140, -0.0060, 7.3},
    {"l_knee", "l_knee", "l_calf", "l_calf", "l_hip", 1, 0.0935, 0.4870, 0.0040, 3.2},
    {"l_talocrural", "l_ankle", "l_talus", "l_hindfoot", "l_knee", 1, 0.0900, 0.0780, -0.0380, 0.45},
    {"l_tarsometatarsal_2", "l_subtalar", "l_metatarsal_2", "l_midproximal", "l_talocrural", 2, 0.0940, 0.0480, 0.0250, 0.30},
    {"l_metatarsophalangeal_2", "l_midtarsal", "l_tarsal_proximal_phalanx_2", "l_middistal", "l_tarsometatarsal_2", 1, 0.0980, 0.0200,
     0.0960, 0.12},
    {"l_tarsal_distal_interphalangeal_2", "l_metatarsal", "l_tarsal_distal_phalanx_2", "l_forefoot", "l_metatarsophalangeal_2", 2, 0.0985,
     0.0130, 0.1340, 0.05},
    {"vl5", "vl5", "l5", "l5", "humanoid_root", 1, 0, 1.0260, -0.0560, 2.6},
    {"vl4", "vl4", "l4", "l4", "vl5", 3, 0, 1.0620, -0.0560, 2.0},
    {"vl3", "vl3", "l3", "l3", "vl4", 2, 0, 1.0980, -0.0580, 1.9},
    {"vl2", "vl2", "l2", "l2", "vl3", 3, 0, 1.1330, -0.0610, 1.9},
    {"vl1", "vl1", "l1", "l1", "vl2", 2, 0, 1.1670, -0.0650, 1.8},
    {"vt12", "vt12", "t12", "t12", "vl1", 3, 0, 1.2000, -0.0690, 1.6},
    {"vt11", "vt11", "t11", "t11", "vt12", 3, 0, 1.2310, -0.0730, 1.5},
    {"vt10", "vt10", "t10", "t10", "vt11", 2, 0, 1.2600, -0.0765, 1.5},
    {"vt9", "vt9", "t9", "t9", "vt10", 3, 0, 1.2880, -0.0790, 1.5},
    {"vt8", "vt8", "t8", "t8", "vt9", 3, 0, 1.3140, -0.0805, 1.4},
    {"vt7", "vt7", "t7", "t7", "vt8", 3, 0, 1.3390, -0.0805, 1.4},
    {"vt6", "vt6", "t6", "t6", "vt7", 2, 0, 1.3630, -0.0790, 1.3},
    {"vt5", "vt5", "t5", "t5", "vt6", 3, 0, 1.3860, -0.0760, 1.2},
    {"vt4", "vt4", "t4", "t4", "vt5", 3, 0, 1.4080, -0.0720, 1.1},
    {"vt3", "vt3", "t3", "t3", "vt4", 3, 0, 1.4300, -0.0670, 1.0},
    {"vt2", "vt2", "t2", "t2", "vt3", 3, 0, 1.4510, -0.0605, 0.8},
    {"vt1", "vt1", "t1", "t1", "vt2", 2, 0, 1.4720, -0.0530, 0.6},
    {"vc7", "vc7", "c7", "c7", "vt1", 3, 0, 1.4930, -0.0450, 0.30},
    {"vc6", "vc6", "c6", "c6", "vc7", 3, 0, 1.5110, -0.0370, 0.20},
    {"vc5", "vc5", "c5", "c5", "vc6", 3, 0, 1.5280, -0.0310, 0.18},
    {"vc4", "vc4", "c4", "c4", "vc5", 2, 0, 1.5440, -0.0260, 0.16},
    {"vc3", "vc3", "c3", "c3", "vc4", 3, 0, 1.5600, -0.0215, 0.14},
    {"vc2", "vc2", "c2", "c2", "vc3", 2, 0, 1.5750, -0.0170, 0.12},
    {"vc1", "vc1", "c1", "c1", "vc2", 3, 0, 1.5900, -0.0120, 0.10},
    {"skullbase", "skullbase", "skull", "skull", "vc1", 1, 0, 1.6050, -0.0060, 3.9},
    {"l_eyelid_joint", "l_eyelid_joint", "l_eyelid", "l_eyelid", "skullbase", 3, 0.0315, 1.6350, 0.0720, 0.001},
    {"l_eyeball_joint", "l_eyeball_joint", "l_eyeball", "l_eyeball", "skullbase", 3, 0.0315, 1.6345, 0.0700, 0.008},
    {"l_eyebrow_joint", "l_eyebrow_joint", "l_eyebrow", "l_eyebrow", "skullbase", 3, 0.0330, 1.6560, 0.0860, 0.001},
    {"temporomandibular", "temporomandibular", "jaw", "jaw", "skullbase", 3, 0, 1.6120, 0.0120, 0.45},
    {"l_sternoclavicular", "l_sternoclavicular", "l_clavicle", "l_clavicle", "vt1", 2, 0.0250, 1.4560, 0.0100, 0.4},
    {"l_acromioclavicular", "l_acromioclavicular", "l_scapula", "l_scapula", "l_sternoclavicular", 2, 0.1450, 1.4660, -0.0420, 0.9},
    {"l_shoulder", "l_shoulder", "l_upperarm", "l_upperarm", "l_acromioclavicular", 1, 0.1830, 1.4340, -0.0380, 1.95},
    {"l_elbow", "l_elbow", "l_forearm", "l_forearm", "l_shoulder", 1, 0.2350, 1.1370, -0.0460, 1.15},
    {"l_radiocarpal", "l_wrist", "l_carpal", "l_hand", "l_elbow", 1, 0.2580, 0.8700, -0.0400, 0.14},
    {"l_carpometacarpal_1", "l_thumb1", "l_metacarpal_1", "l_thumb_metacarpal", "l_radiocarpal", 2, 0.2520, 0.8480, -0.0220, 0.030},
    {"l_metacarpophalangeal_1", "l_thumb2", "l_carpal_proximal_phalanx_1", "l_thumb_proximal", "l_carpometacarpal_1", 2, 0.2460, 0.8130,
     0.0020, 0.018},
    {"l_carpal_interphalangeal_1", "l_thumb3", "l_carpal_distal_phalanx_1", "l_thumb_distal", "l_metacarpophalangeal_1", 2, 0.2420, 0.7830,
     0.0130, 0.012},
    {"l_carpometacarpal_2", "l_index0", "l_metacarpal_2", "l_index_metacarpal", "l_radiocarpal", 2, 0.2590, 0.8420, -0.0250, 0.045},
    {"l_metacarpophalangeal_2", "l_index1", "l_carpal_proximal_phalanx_2", "l_index_proximal", "l_carpometacarpal_2", 2, 0.2610, 0.7800,
     -0.0110, 0.016},
    {"l_carpal_proximal_interphalangeal_2", "l_index2", "l_carpal_middle_phalanx_2", "l_index_middle", "l_metacarpophalangeal_2", 2, 0.2605,
     0.7370, -0.0060, 0.009},
    {"l_carpal_distal_interphalangeal_2", "l_index3", "l_carpal_distal_phalanx_2", "l_index_distal", "l_carpal_proximal_interphalangeal_2",
     2, 0.2570, 0.7125, -0.0040, 0.005},
    {"l_carpometacarpal_3", "l_middle0", "l_metacarpal_3", "l_middle_metacarpal", "l_radiocarpal", 2, 0.2595, 0.8400, -0.0370, 0.045},
    {"l_metacarpophalangeal_3", "l_middle1", "l_carpal_proximal_phalanx_3", "l_middle_proximal", "l_carpometacarpal_3", 2, 0.2625, 0.7760,
     -0.0335, 0.017},
    {"l_carpal_proximal_interphalangeal_3", "l_middle2", "l_carpal_middle_phalanx_3", "l_middle_middle", "l_metacarpophalangeal_3", 2,
     0.2620, 0.7290, -0.0320, 0.010},
    {"l_carpal_distal_interphalangeal_3", "l_middle3", "l_carpal_distal_phalanx_3", "l_middle_distal",
     "l_carpal_proximal_interphalangeal_3", 2, 0.2580, 0.7010, -0.0315, 0.006},
    {"l_carpometacarpal_4", "l_ring0", "l_metacarpal_4", "l_ring_metacarpal", "l_radiocarpal", 2, 0.2590, 0.8410, -0.0490, 0.040},
    {"l_metacarpophalangeal_4", "l_ring1", "l_carpal_proximal_phalanx_4", "l_ring_proximal", "l_carpometacarpal_4", 2, 0.2610, 0.7820,
     -0.0550, 0.015},
    {"l_carpal_proximal_interphalangeal_4", "l_ring2", "l_carpal_middle_phalanx_4", "l_ring_middle", "l_metacarpophalangeal_4", 2, 0.2600,
     0.7390, -0.0575, 0.009},
    {"l_carpal_distal_interphalangeal_4", "l_ring3", "l_carpal_distal_phalanx_4", "l_ring_distal", "l_carpal_proximal_interphalangeal_4", 2,
     0.2560, 0.7125, -0.0590, 0.005},
    {"l_carpometacarpal_5", "l_pinky0", "l_metacarpal_5", "l_pinky_metacarpal", "l_radiocarpal", 2, 0.2575, 0.8440, -0.0600, 0.035},
    {"l_metacarpophalangeal_5", "l_pinky1", "l_carpal_proximal_phalanx_5", "l_pinky_proximal", "l_carpometacarpal_5", 2, 0.2585, 0.7910,
     -0.0750, 0.010},
    {"l_carpal_proximal_interphalangeal_5", "l_pinky2", "l_carpal_middle_phalanx_5", "l_pinky_middle", "l_metacarpophalangeal_5", 2, 0.2570,
     0.7570, -0.0800, 0.006},
    {"l_carpal_distal_interphalangeal_5", "l_pinky3", "l_carpal_distal_phalanx_5", "l_pinky_distal", "l_carpal_proximal_interphalangeal_5",
     2, 0.2535, 0.7365, -0.0830, 0.004},
}};

struct LimitRow {
  std::string_view name;
  std::array<double, 3> lower, upper;
};

// Usual ranges of an adult, radians; those of the right side are mirrored (y and z change sign).
constexpr std::array<LimitRow, 12> limit_rows{{
    {"l_hip", {-2.1, -0.8, -0.4}, {0.4, 0.7, 0.8}},
    {"l_knee", {0, -0.2, -0.1}, {2.4, 0.2, 0.1}},
    {"l_talocrural", {-0.35, -0.3, -0.4}, {0.8, 0.3, 0.4}},
    {"l_metatarsophalangeal_2", {-0.9, 0, 0}, {0.6, 0, 0}},
    {"l_shoulder", {-3.0, -1.4, -0.3}, {0.9, 1.4, 3.0}},
    {"l_elbow", {-2.5, -1.5, 0}, {0, 1.5, 0}},
    {"l_radiocarpal", {-0.5, -0.2, -1.2}, {0.4, 0.2, 1.2}},
    {"l_eyeball_joint", {-0.6, -0.7, 0}, {0.6, 0.7, 0}},
    {"temporomandibular", {0, -0.1, 0}, {0.4, 0.1, 0}},
    {"skullbase", {-0.3, -0.7, -0.3}, {0.4, 0.7, 0.3}},
    {"vl5", {-0.1, -0.1, -0.1}, {0.3, 0.1, 0.1}},
    {"vt12", {-0.1, -0.1, -0.15}, {0.2, 0.1, 0.15}},
}};

std::string other_side(std::string_view name) {
  std::string other(name);
  if (other.starts_with("l_")) other[0] = 'r';
  return other;
}

}  // namespace

Skeleton::Skeleton() {
  const auto add = [this](const Row& row, bool right) {
    const auto named = [right](std::string_view name) { return right ? other_side(name) : std::string(name); };
    Joint joint;
    joint.name = named(row.name);
    joint.legacy_name = named(row.legacy_name);
    joint.segment = named(row.segment);
    joint.legacy_segment = named(row.legacy_segment);
    joint.level = row.level;
    joint.parent = row.parent.empty() ? -1 : index(named(row.parent));
    joint.centre = Vec3(right ? -row.x : row.x, row.y, row.z);
    joint.segment_mass_kg = row.mass_kg;
    for (const LimitRow& limit : limit_rows) {
      if (limit.name != row.name) continue;
      joint.limited = true;
      joint.limits = {Vec3(limit.lower[0], limit.lower[1], limit.lower[2]), Vec3(limit.upper[0], limit.upper[1], limit.upper[2])};
      if (right) {
        const Limits left = joint.limits;
        for (const int axis : {1, 2}) {
          joint.limits.lower[axis] = 0 - left.upper[axis];
          joint.limits.upper[axis] = 0 - left.lower[axis];
        }
      }
    }
    joints_.push_back(std::move(joint));
  };
  // In the order of the tables: a left block is followed by its right twin.
  std::vector<Row> block;
  const auto flush = [&] {
    for (const Row& row : block) add(row, true);
    block.clear();
  };
  for (const Row& row : rows) {
    const bool left = row.name.starts_with("l_");
    if (!left) flush();
    add(row, false);
    if (left) block.push_back(row);
  }
  flush();
}

int Skeleton::index(std::string_view name) const {
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (joints_[i].name == name) return static_cast<int>(i);
  throw std::out_of_range("no joint " + std::string(name));
}

int Skeleton::parent_at_level(int joint, int level) const {
  int parent = joints_[joint].parent;
  while (parent >= 0 && joints_[parent].level > level) parent = joints_[parent].parent;
  return parent;
}

Vec3 finger_tip(int finger) {
  switch (finger) {
    case 1:
      return {0.2380, 0.7590, 0.0170};
    case 2:
      return {0.2520, 0.6920, -0.0030};
    case 3:
      return {0.2520, 0.6780, -0.0310};
    case 4:
      return {0.2505, 0.6910, -0.0600};
    default:
      return {0.2485, 0.7180, -0.0855};
  }
}

Vec3 toe_tip() {
  return {0.0990, 0.0110, 0.1500};
}

Vec3 crown() {
  return {0, 1.7500, -0.0050};
}

}  // namespace samples
