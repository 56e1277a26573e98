#include "anatomy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace samples {
namespace {

// y, middle in x, half width, front, back
const std::vector<Section> torso_sections{
    {0.800, 0, 0.090, 0.055, -0.075}, {0.840, 0, 0.142, 0.084, -0.112}, {0.880, 0, 0.166, 0.095, -0.124}, {0.920, 0, 0.171, 0.100, -0.122},
    {0.960, 0, 0.165, 0.101, -0.111}, {1.000, 0, 0.155, 0.099, -0.099}, {1.060, 0, 0.142, 0.096, -0.091}, {1.120, 0, 0.138, 0.095, -0.093},
    {1.180, 0, 0.143, 0.098, -0.101}, {1.240, 0, 0.151, 0.105, -0.111}, {1.300, 0, 0.159, 0.109, -0.118}, {1.360, 0, 0.165, 0.100, -0.119},
    {1.400, 0, 0.170, 0.083, -0.115}, {1.430, 0, 0.172, 0.062, -0.108}, {1.457, 0, 0.150, 0.043, -0.101}, {1.478, 0, 0.112, 0.031, -0.095},
    {1.500, 0, 0.074, 0.023, -0.088}, {1.525, 0, 0.057, 0.024, -0.079},
};
const std::vector<Section> neck_sections{
    {1.450, 0, 0.072, 0.018, -0.092},  {1.500, 0, 0.0590, 0.021, -0.086}, {1.530, 0, 0.0550, 0.025, -0.079},
    {1.560, 0, 0.0535, 0.030, -0.075}, {1.600, 0, 0.0535, 0.036, -0.072}, {1.640, 0, 0.0500, 0.030, -0.068},
};
const std::vector<Section> face_sections{
    {1.5290, 0, 0.0120, 0.0840, 0.0560},  {1.5420, 0, 0.0290, 0.0910, 0.0360},  {1.5600, 0, 0.0430, 0.0905, 0.0060},
    {1.5850, 0, 0.0555, 0.0890, -0.0200}, {1.6100, 0, 0.0615, 0.0875, -0.0500}, {1.6350, 0, 0.0655, 0.0860, -0.0800},
    {1.6600, 0, 0.0685, 0.0885, -0.0900}, {1.6850, 0, 0.0680, 0.0850, -0.0900}, {1.7100, 0, 0.0590, 0.0720, -0.0800},
    {1.7300, 0, 0.0420, 0.0500, -0.0600},
};
const std::vector<Section> arm_sections{
    {0.855, 0.2590, 0.0190, -0.012, -0.068}, {0.880, 0.2572, 0.0200, -0.010, -0.069}, {0.905, 0.2552, 0.0220, -0.010, -0.072},
    {0.950, 0.2515, 0.0275, -0.008, -0.076}, {1.020, 0.2455, 0.0365, -0.004, -0.084}, {1.080, 0.2400, 0.0415, -0.001, -0.088},
    {1.120, 0.2365, 0.0400, -0.003, -0.088}, {1.145, 0.2338, 0.0385, -0.004, -0.088}, {1.190, 0.2257, 0.0400, 0.001, -0.088},
    {1.260, 0.2135, 0.0445, 0.009, -0.090},  {1.330, 0.2012, 0.0490, 0.014, -0.093},  {1.390, 0.1907, 0.0520, 0.014, -0.093},
    {1.420, 0.1850, 0.0450, 0.006, -0.084},  {1.445, 0.1800, 0.0290, -0.012, -0.066},
};
const std::vector<Section> leg_sections{
    {0.0600, 0.0890, 0.0320, 0.000, -0.082}, {0.0850, 0.0900, 0.0310, 0.001, -0.077}, {0.1200, 0.0905, 0.0290, 0.000, -0.066},
    {0.1800, 0.0910, 0.0350, 0.007, -0.071}, {0.2600, 0.0920, 0.0450, 0.017, -0.084}, {0.3300, 0.0935, 0.0520, 0.027, -0.092},
    {0.3900, 0.0940, 0.0525, 0.036, -0.087}, {0.4400, 0.0935, 0.0495, 0.045, -0.070}, {0.4850, 0.0930, 0.0510, 0.054, -0.061},
    {0.5200, 0.0935, 0.0535, 0.056, -0.062}, {0.5800, 0.0945, 0.0600, 0.063, -0.068}, {0.6800, 0.0950, 0.0700, 0.073, -0.078},
    {0.7800, 0.0945, 0.0775, 0.081, -0.090}, {0.8600, 0.0930, 0.0810, 0.084, -0.104}, {0.9300, 0.0930, 0.0760, 0.078, -0.098},
};

Vec3 left_side(const Vec3& p) {
  return {std::abs(p.x()), p.y(), p.z()};
}

}  // namespace

Anatomy::Anatomy(const Skeleton& skeleton)
    : torso_(torso_sections, 2.35), neck_(neck_sections, 2.0), face_(face_sections, 2.3), arm_(arm_sections, 2.0), leg_(leg_sections, 2.0) {
  const auto chain = [&](std::initializer_list<std::string_view> names, int finger, double thickness) {
    std::vector<Vec3> at;
    for (const std::string_view name : names) at.push_back(skeleton.centre(name));
    // The cones end in half spheres: the last one starts its radius before the tip.
    const std::array<double, 4> radius{0.0100 * thickness, 0.0092 * thickness, 0.0085 * thickness, 0.0070 * thickness};
    const Vec3 tip = finger_tip(finger);
    at.push_back(tip - radius[3] * (tip - at.back()).normalized());
    std::vector<Cone> cones;
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
      cones.push_back({at[i], at[i + 1], radius[i + 4 - at.size()], radius[i + 5 - at.size()]});
    fingers_.push_back(cones);
  };
  chain({"l_metacarpophalangeal_1", "l_carpal_interphalangeal_1"}, 1, 1.28);
  chain({"l_metacarpophalangeal_2", "l_carpal_proximal_interphalangeal_2", "l_carpal_distal_interphalangeal_2"}, 2, 1.0);
  chain({"l_metacarpophalangeal_3", "l_carpal_proximal_interphalangeal_3", "l_carpal_distal_interphalangeal_3"}, 3, 1.03);
  chain({"l_metacarpophalangeal_4", "l_carpal_proximal_interphalangeal_4", "l_carpal_distal_interphalangeal_4"}, 4, 0.97);
  chain({"l_metacarpophalangeal_5", "l_carpal_proximal_interphalangeal_5", "l_carpal_distal_interphalangeal_5"}, 5, 0.86);
  const auto bone = [&](std::string_view from, std::string_view to, double radius_a, double radius_b) {
    palm_.push_back({skeleton.centre(from), skeleton.centre(to), radius_a, radius_b});
  };
  bone("l_carpometacarpal_1", "l_metacarpophalangeal_1", 0.0165, 0.0125);
  bone("l_carpometacarpal_2", "l_metacarpophalangeal_2", 0.0145, 0.0115);
  bone("l_carpometacarpal_3", "l_metacarpophalangeal_3", 0.0150, 0.0115);
  bone("l_carpometacarpal_4", "l_metacarpophalangeal_4", 0.0145, 0.0110);
  bone("l_carpometacarpal_5", "l_metacarpophalangeal_5", 0.0140, 0.0105);
}

double Anatomy::torso(const Vec3& p) const {
  const Vec3 q = left_side(p);
  double f = torso_(p);
  f = smooth_union(f, turned_ellipsoid(q, {0.078, 1.335, 0.070}, {0.072, 0.050, 0.040}, 0.15, -0.25), 0.03);     // chest
  f = smooth_union(f, ellipsoid(q, {0.085, 1.360, -0.098}, {0.055, 0.075, 0.026}), 0.03);                        // shoulder blade
  f = smooth_union(f, round_cone(q, {0.080, 1.4520, -0.0480}, {0.168, 1.4310, -0.0420}, 0.0330, 0.0300), 0.03);  // shoulder girdle
  f = smooth_union(f, ellipsoid(q, {0.074, 0.872, -0.080}, {0.074, 0.072, 0.058}), 0.04);                        // buttock
  return f;
}

double Anatomy::neck(const Vec3& p) const {
  const Vec3 q = left_side(p);
  double f = neck_(p);
  f = smooth_union(f, round_cone(q, {0.020, 1.470, 0.014}, {0.058, 1.600, -0.020}, 0.011, 0.012), 0.02);  // the long muscle at the side
  return smooth_union(f, ellipsoid(p, {0, 1.526, 0.021}, {0.009, 0.015, 0.007}), 0.018);
}

double Anatomy::cranium(const Vec3& p) const {
  double f = ellipsoid(p, {0, 1.668, -0.010}, {0.0745, 0.0815, 0.0960});
  return smooth_union(f, ellipsoid(p, {0, 1.640, -0.040}, {0.066, 0.062, 0.066}), 0.03);
}

double Anatomy::head(const Vec3& p) const {
  const Vec3 q = left_side(p);
  double f = smooth_union(cranium(p), face_(p), 0.025);
  f = smooth_union(f, ellipsoid(q, {0.041, 1.606, 0.062}, {0.022, 0.020, 0.020}), 0.028);                       // cheek bone
  f = smooth_union(f, ellipsoid(p, {0, 1.5380, 0.0830}, {0.013, 0.011, 0.012}), 0.020);                         // chin
  f = smooth_union(f, round_cone(q, {0.046, 1.566, 0.014}, {0.020, 1.542, 0.070}, 0.013, 0.012), 0.026);        // jaw
  f = smooth_union(f, ellipsoid(p, {0, 1.5690, 0.0800}, {0.026, 0.017, 0.0170}), 0.016);                        // mouth
  f = smooth_union(f, round_cone(q, {0.012, 1.6500, 0.0840}, {0.044, 1.6515, 0.0700}, 0.0080, 0.0080), 0.012);  // brow
  // Eye sockets, then the almond that lets the eyeball be seen.
  f = smooth_intersection(f, -ellipsoid(q, {0.0300, 1.6345, 0.1000}, {0.024, 0.0140, 0.0190}), 0.012);
  const double lid = ellipsoid(q, {0.0315, 1.6345, 0.0700}, {0.0138, 0.0138, 0.0138});
  f = smooth_union(f, lid, 0.006);
  f = smooth_intersection(f, -turned_ellipsoid(q, {0.0318, 1.6342, 0.0860}, {0.0148, 0.0058, 0.0140}, 0, 0.06), 0.002);
  // Nose: bridge, tip, wings, nostrils.
  f = smooth_union(f, round_cone(p, {0, 1.6400, 0.0830}, {0, 1.6020, 0.0985}, 0.0085, 0.0110), 0.012);
  f = smooth_union(f, ellipsoid(p, {0, 1.5990, 0.1020}, {0.0110, 0.0098, 0.0115}), 0.008);
  f = smooth_union(f, ellipsoid(q, {0.0120, 1.5970, 0.0940}, {0.0066, 0.0072, 0.0095}), 0.008);
  f = smooth_intersection(f, -ellipsoid(q, {0.0058, 1.5895, 0.1020}, {0.0030, 0.0040, 0.0048}), 0.002);
  // Furrow between nose and lip, and the line of the mouth.
  f = smooth_intersection(f, -round_cone(p, {0, 1.588, 0.1025}, {0, 1.577, 0.1035}, 0.0035, 0.0045), 0.004);
  f = smooth_intersection(f, -round_cone(q, {0, 1.5685, 0.1010}, {0.0190, 1.5680, 0.0940}, 0.0030, 0.0012), 0.004);
  // Ear with its hollow.
  double ear = turned_ellipsoid(q, {0.0735, 1.6290, -0.0080}, {0.0085, 0.0310, 0.0185}, -0.18, -0.16);
  ear = smooth_intersection(ear, -turned_ellipsoid(q, {0.0840, 1.6330, -0.0040}, {0.0080, 0.0190, 0.0100}, -0.18, -0.16), 0.005);
  return smooth_union(f, ear, 0.008);
}

double Anatomy::lips(const Vec3& p) const {
  // A thin layer on the face, fuller in the middle.
  const Vec3 q = left_side(p);
  const double upper = round_cone(q, {0.0050, 1.5730, 0.0980}, {0.0230, 1.5685, 0.0880}, 0.0050, 0.0022);
  const double lower = round_cone(q, {0.0000, 1.5632, 0.0970}, {0.0215, 1.5665, 0.0880}, 0.0058, 0.0024);
  const double outline = std::min(upper, lower);
  const double fullness = 0.0008 + 0.0016 * smoothstep(0.024, 0.004, q.x());
  return smooth_intersection(head(p) - fullness, outline - 0.0008, 0.0025);
}

double Anatomy::eyebrow(const Vec3& p) const {
  const Vec3 q = left_side(p);
  const Vec3 inner(0.0135, 1.6565, 0.0920);
  const Vec3 arch(0.0340, 1.6590, 0.0855);
  const Vec3 outer(0.0500, 1.6530, 0.0710);
  const double outline = std::min(round_cone(q, inner, arch, 0.0036, 0.0038), round_cone(q, arch, outer, 0.0038, 0.0022));
  return smooth_intersection(head(p) - 0.0014, outline, 0.002);
}

double Anatomy::arm(const Vec3& p) const {
  const Vec3 q = left_side(p);
  double f = arm_(q);
  f = smooth_union(f, ellipsoid(q, {0.1830, 1.4000, -0.0390}, {0.0490, 0.0590, 0.0500}), 0.03);  // the round of the shoulder
  f = smooth_union(f, ellipsoid(q, {0.2345, 1.1400, -0.0800}, {0.014, 0.022, 0.014}), 0.02);     // elbow
  return f;
}

double Anatomy::hand(const Vec3& p) const {
  const Vec3 q = left_side(p);
  if (q.y() > 0.96) return q.y() - 0.90;
  double palm = std::numeric_limits<double>::max();
  for (const Cone& c : palm_) {
    const double f = round_cone(q, c.a, c.b, c.radius_a, c.radius_b);
    palm = palm == std::numeric_limits<double>::max() ? f : smooth_union(palm, f, 0.014);
  }
  palm = smooth_union(palm, round_cone(q, {0.2580, 0.872, -0.050}, {0.2585, 0.845, -0.040}, 0.0190, 0.0170), 0.02);
  double fingers = std::numeric_limits<double>::max();
  for (const auto& finger : fingers_) {
    for (const Cone& c : finger) fingers = std::min(fingers, round_cone(q, c.a, c.b, c.radius_a, c.radius_b));
  }
  return smooth_union(palm, fingers, 0.012);
}

double Anatomy::leg(const Vec3& p) const {
  const Vec3 q = left_side(p);
  double f = leg_(q);
  f = smooth_union(f, ellipsoid(q, {0.0935, 0.4850, 0.0380}, {0.025, 0.032, 0.020}), 0.02);    // kneecap
  f = smooth_union(f, ellipsoid(q, {0.0800, 0.3500, -0.0600}, {0.026, 0.075, 0.034}), 0.02);   // calf, inner
  f = smooth_union(f, ellipsoid(q, {0.1100, 0.3650, -0.0580}, {0.024, 0.065, 0.032}), 0.02);   // calf, outer
  f = smooth_union(f, ellipsoid(q, {0.0570, 0.0800, -0.0340}, {0.008, 0.012, 0.012}), 0.012);  // inner ankle
  f = smooth_union(f, ellipsoid(q, {0.1220, 0.0700, -0.0420}, {0.008, 0.012, 0.012}), 0.012);  // outer ankle
  return f;
}

double Anatomy::foot(const Vec3& p) const {
  const Vec3 q = left_side(p);
  if (q.y() > 0.16) return q.y() - 0.10;
  double f = round_cone(q, {0.0890, 0.0330, -0.0720}, {0.0900, 0.0750, -0.0420}, 0.0310, 0.0310);
  f = smooth_union(f, round_cone(q, {0.0900, 0.0700, -0.0250}, {0.0950, 0.0320, 0.0650}, 0.0310, 0.0230), 0.03);
  f = smooth_union(f, round_cone(q, {0.0930, 0.0220, -0.0500}, {0.1200, 0.0200, 0.0450}, 0.0270, 0.0200), 0.03);
  f = smooth_union(f, round_cone(q, {0.0740, 0.0205, 0.0900}, {0.1250, 0.0170, 0.0680}, 0.0195, 0.0165), 0.03);
  struct Toe {
    Vec3 root, tip;
    double radius;
  };
  const std::array<Toe, 5> toes{{{{0.0725, 0.0160, 0.1000}, {0.0735, 0.0130, 0.1420}, 0.0130},
                                 {{0.0920, 0.0150, 0.1020}, {0.0955, 0.0095, 0.1390}, 0.0088},
                                 {{0.1070, 0.0140, 0.0960}, {0.1125, 0.0090, 0.1310}, 0.0083},
                                 {{0.1200, 0.0130, 0.0880}, {0.1280, 0.0085, 0.1200}, 0.0080},
                                 {{0.1310, 0.0120, 0.0760}, {0.1410, 0.0080, 0.1050}, 0.0078}}};
  double toe = std::numeric_limits<double>::max();
  for (const Toe& t : toes) toe = std::min(toe, round_cone(q, t.root, t.tip, t.radius, t.radius * 0.95));
  f = smooth_union(f, toe, 0.008);
  return smooth_intersection(f, -q.y(), 0.008);
}

double Anatomy::shoe(const Vec3& p) const {
  const Vec3 q = left_side(p);
  if (q.y() > 0.20) return q.y() - 0.12;
  double f = round_cone(q, {0.0890, 0.0420, -0.0750}, {0.0900, 0.0800, -0.0420}, 0.0365, 0.0380);
  f = smooth_union(f, round_cone(q, {0.0900, 0.0700, -0.0250}, {0.0970, 0.0400, 0.0750}, 0.0370, 0.0320), 0.03);
  f = smooth_union(f, round_cone(q, {0.0900, 0.0330, -0.0500}, {0.1150, 0.0300, 0.0550}, 0.0330, 0.0290), 0.03);
  f = smooth_union(f, round_cone(q, {0.0830, 0.0300, 0.0900}, {0.1230, 0.0270, 0.0740}, 0.0290, 0.0250), 0.03);
  f = smooth_union(f, round_cone(q, {0.0950, 0.0280, 0.1000}, {0.0960, 0.0260, 0.1480}, 0.0290, 0.0240), 0.03);
  return smooth_intersection(f, -q.y(), 0.006);
}

double Anatomy::whole(const Vec3& p) const {
  double f = smooth_union(torso(p), neck(p), 0.03);
  if (p.y() > 1.44) f = smooth_union(f, head(p), 0.02);
  f = smooth_union(f, smooth_union(arm(p), hand(p), 0.015), 0.02);
  return smooth_union(f, smooth_union(leg(p), foot(p), 0.02), 0.02);
}

}  // namespace samples
