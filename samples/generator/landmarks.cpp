#include <array>
#include <cmath>

#include "writers.hpp"

namespace samples {
namespace {

struct Row {
  std::string_view name, segment;
  double x, y, z;
};

// Near the landmark; the exact place is the nearest one on the skin.
constexpr std::array<Row, 38> rows{{
    {"sellion_pt", "skull", 0, 1.640, 0.092},
    {"glabella_pt", "skull", 0, 1.655, 0.092},
    {"menton_pt", "jaw", 0, 1.527, 0.080},
    {"supramenton_pt", "jaw", 0, 1.550, 0.095},
    {"nuchale_pt", "skull", 0, 1.585, -0.080},
    {"cervicale_pt", "t1", 0, 1.495, -0.092},
    {"suprasternale_pt", "t1", 0, 1.460, 0.040},
    {"substernale_pt", "t10", 0, 1.285, 0.112},
    {"navel_pt", "l5", 0, 1.070, 0.098},
    {"crotch_pt", "pelvis", 0, 0.825, -0.005},
    {"waist_preferred_posterior_pt", "l2", 0, 1.100, -0.095},
    {"spine_1_middle_back_pt", "t5", 0, 1.386, -0.120},
    {"l_infraorbitale_pt", "skull", 0.034, 1.615, 0.085},
    {"l_tragion_pt", "skull", 0.070, 1.630, 0.012},
    {"l_gonion_pt", "skull", 0.052, 1.562, 0.015},
    {"l_clavicle_pt", "l_clavicle", 0.030, 1.470, 0.040},
    {"l_acromion_pt", "l_clavicle", 0.185, 1.475, -0.042},
    {"l_axilla_proximal_pt", "l_clavicle", 0.160, 1.360, 0.020},
    {"l_thelion_pt", "t9", 0.090, 1.330, 0.115},
    {"l_rib10_pt", "l2", 0.120, 1.160, 0.060},
    {"l_asis_pt", "pelvis", 0.100, 0.985, 0.085},
    {"l_psis_pt", "pelvis", 0.050, 0.985, -0.110},
    {"l_iliocristale_pt", "pelvis", 0.155, 1.020, 0},
    {"l_trochanterion_pt", "pelvis", 0.175, 0.900, -0.010},
    {"l_femoral_lateral_epicondyle_pt", "l_thigh", 0.150, 0.500, 0},
    {"l_femoral_medial_epicondyle_pt", "l_thigh", 0.040, 0.500, 0},
    {"l_knee_crease_pt", "l_thigh", 0.093, 0.487, -0.065},
    {"l_lateral_malleolus_pt", "l_calf", 0.132, 0.070, -0.042},
    {"l_medial_malleolus_pt", "l_calf", 0.047, 0.080, -0.034},
    {"l_calcaneus_posterior_pt", "l_talus", 0.089, 0.030, -0.110},
    {"l_humeral_lateral_epicondyle_pt", "l_upperarm", 0.280, 1.145, -0.040},
    {"l_humeral_medial_epicondyle_pt", "l_forearm", 0.190, 1.140, -0.040},
    {"l_olecranon_pt", "l_forearm", 0.235, 1.140, -0.100},
    {"l_radial_styloid_pt", "l_forearm", 0.256, 0.890, -0.005},
    {"l_ulnar_styloid_pt", "l_carpal", 0.256, 0.875, -0.075},
    {"l_metacarpal_phalanx_2_pt", "l_metacarpal_2", 0.270, 0.780, -0.008},
    {"l_metacarpal_phalanx_5_pt", "l_metacarpal_5", 0.265, 0.790, -0.080},
    {"l_tarsal_distal_phalanx_2_tip", "l_tarsal_distal_phalanx_2", 0.099, 0.011, 0.155},
}};

/// 1 at `centre`, falling to 0 at `radius`.
double near_to(const Vec3& p, const Vec3& centre, double radius) {
  return 1 - smoothstep(0, radius, (p - centre).norm());
}

}  // namespace

std::vector<SitePlace> site_places(const Anatomy& body) {
  const Field skin = [&](const Vec3& p) { return body.whole(p); };
  std::vector<SitePlace> places;
  const auto add = [&](std::string_view name, std::string_view segment, const Vec3& place, bool is_view = false) {
    places.push_back({std::string(name), std::string(segment), place, is_view});
    if (!name.starts_with("l_")) return;
    std::string other_segment(segment);
    if (other_segment.starts_with("l_")) other_segment[0] = 'r';
    places.push_back({"r_" + std::string(name.substr(2)), other_segment, Vec3(-place.x(), place.y(), place.z()), is_view});
  };
  add("skull_vertex_tip", "skull", crown());
  for (const Row& row : rows) add(row.name, row.segment, project(skin, {row.x, row.y, row.z}, 20));
  for (int finger = 1; finger <= 5; ++finger) {
    const std::string segment = "l_carpal_distal_phalanx_" + std::to_string(finger);
    add(segment + "_tip", segment, finger_tip(finger));
  }
  add("l_eyeball_site_view", "l_eyeball", {0.0315, 1.6345, 0.0840}, true);
  add("front_view", "", {0, 0.95, 2.9}, true);
  add("l_side_view", "", {2.9, 0.95, 0}, true);
  return places;
}

Vec3 smile(const Vec3& p) {
  const double side = p.x() < 0 ? -1 : 1;
  const Vec3 q(std::abs(p.x()), p.y(), p.z());
  const double corner = near_to(q, {0.0240, 1.5680, 0.0870}, 0.026);
  const double cheek = near_to(q, {0.0380, 1.5950, 0.0780}, 0.026);
  Vec3 move = corner * Vec3(0.0055, 0.0060, -0.0020) + cheek * Vec3(0.0010, 0.0030, 0.0020);
  move.x() *= side * smoothstep(0, 0.008, q.x());
  return move;
}

Vec3 raised_brows(const Vec3& p) {
  const Vec3 q(std::abs(p.x()), p.y(), p.z());
  return near_to(q, {0.0320, 1.6590, 0.0840}, 0.030) * Vec3(0, 0.0065, -0.0005);
}

Vec3 mass_centre(const Skeleton& skeleton, int joint) {
  const auto& joints = skeleton.joints();
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (const Joint& other : joints) {
    if (other.parent != joint) continue;
    sum += other.centre;
    ++count;
  }
  const Vec3 centre = joints[joint].centre;
  return count == 0 ? centre : Vec3((centre + sum / count) / 2);
}

}  // namespace samples
