#include "figure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace samples {
namespace {

constexpr Colour skin{0.80, 0.58, 0.46, 0.15};
constexpr Colour lips{0.66, 0.36, 0.32, 0.25};
constexpr Colour hair{0.17, 0.11, 0.08, 0.20};
constexpr Colour eye_white{0.93, 0.92, 0.90, 0.70};
constexpr Colour iris{0.27, 0.20, 0.13, 0.80};
constexpr Colour pupil{0.03, 0.03, 0.03, 0.90};
constexpr Colour t_shirt{0.20, 0.40, 0.58, 0.05};
constexpr Colour shorts_cloth{0.22, 0.23, 0.27, 0.05};
constexpr Colour shirt_cloth{0.78, 0.80, 0.84, 0.05};
constexpr Colour trouser_cloth{0.20, 0.24, 0.34, 0.05};
constexpr Colour leather{0.24, 0.15, 0.10, 0.30};

constexpr double hem_round = 0.004;

double above(const Vec3& p, double height) {
  return height - p.y();
}
double below(const Vec3& p, double height) {
  return p.y() - height;
}

double head_and_neck(const Anatomy& body, const Vec3& p) {
  return smooth_union(body.head(p), body.neck(p), 0.016);
}

/// Short hair: thicker on top, ending at a line from the forehead over the ears to the nape.
double hair_cap(const Anatomy& body, const Vec3& p) {
  const double top = smoothstep(1.66, 1.75, p.y());
  const double strands = 0.0012 * std::sin(260 * p.x() + 30 * p.z()) * std::sin(55 * p.z() + 90 * p.y());
  double f = std::min(body.cranium(p), body.neck(p) + 0.004) - (0.0065 + 0.0125 * top + strands);
  // Hair line: from the forehead back to the temple, down before the ear, behind it to the nape.
  const double side = smoothstep(0.030, 0.062, std::abs(p.x()));
  const double front_height = mix(1.7000, 1.6550, side);
  const double forehead = front_height + 0.55 * (p.z() - 0.055);
  const double temple = mix(forehead, 1.6350 + 1.9 * (p.z() - 0.022), side);
  const double nape = 1.5850 + 0.25 * (p.z() + 0.080);
  const double line = std::max(p.z() < -0.010 ? nape : temple, nape);
  const double cut = 0.75 * (line - p.y());
  f = smooth_intersection(f, cut, 0.006);
  // The ear stays free.
  const Vec3 q(std::abs(p.x()), p.y(), p.z());
  return smooth_intersection(f, -turned_ellipsoid(q, {0.0800, 1.6270, -0.0060}, {0.026, 0.0360, 0.0235}, -0.18, 0), 0.006);
}

void add_head(const Anatomy& body, std::vector<Part>& parts, double skin_from, const Field& cover) {
  const Field face = [&](const Vec3& p) { return smooth_intersection(head_and_neck(body, p), above(p, skin_from), hem_round); };
  Mesh face_mesh = polygonise(face, {{-0.1, skin_from - 0.01, -0.125}, {0.1, 1.77, 0.125}}, 0.0032, 4600);
  const Field cap = [&](const Vec3& p) { return hair_cap(body, p); };
  remove_hidden(
      face_mesh, [&](const Vec3& p) { return std::min(cap(p), cover(p)); }, 0.004);
  parts.push_back({"Body_Head", skin, std::move(face_mesh), "skullbase"});
  parts.push_back({"Hair_Short", hair, polygonise(cap, {{-0.11, 1.53, -0.14}, {0.11, 1.80, 0.125}}, 0.0045, 1900), "skullbase"});

  Mesh brows = polygonise([&](const Vec3& p) { return body.eyebrow(p); }, {{0.004, 1.64, 0.055}, {0.062, 1.67, 0.105}}, 0.0011, 120);
  append(brows, mirrored(brows));
  parts.push_back({"Hair_Eyebrows", hair, std::move(brows), "skullbase"});
  parts.push_back({"Body_Lips", lips,
                   polygonise([&](const Vec3& p) { return body.lips(p); }, {{-0.032, 1.55, 0.070}, {0.032, 1.585, 0.110}}, 0.0012, 360),
                   "skullbase"});

  const Vec3 left_eye(0.0315, 1.6345, 0.0700);
  const auto pair_of_zones = [&](double radius, double from, double to, int rings, int sides) {
    Mesh eyes = ball_zone(left_eye, radius, from, to, rings, sides);
    Mesh other = mirrored(eyes);
    append(eyes, other);
    return eyes;
  };
  parts.push_back({"Body_Eyes", eye_white, pair_of_zones(0.0125, 0.42, 1.9, 6, 16), "eyes"});
  parts.push_back({"Body_Irises", iris, pair_of_zones(0.0126, 0.20, 0.46, 2, 16), "eyes"});
  parts.push_back({"Body_Pupils", pupil, pair_of_zones(0.0127, 0.0, 0.22, 2, 16), "eyes"});
}

double lower_body(const Anatomy& body, const Vec3& p, double pelvis_ease, double leg_ease) {
  return smooth_union(body.torso(p) - pelvis_ease, body.leg(p) - leg_ease, 0.03);
}

}  // namespace

std::vector<Part> standard_person(const Anatomy& body) {
  std::vector<Part> parts;
  const Field shirt = [&](const Vec3& p) {
    const double side = std::abs(p.x());
    double trunk = std::min({body.torso(p), body.neck(p) + 0.010, body.leg(p) + 0.004});
    trunk -= mix(0.018, 0.008, smoothstep(1.00, 1.30, p.y()));
    trunk = smooth_intersection(trunk, above(p, 0.9150), hem_round);
    // The hem of the sleeve lies across the arm.
    double sleeve = body.arm(p) - mix(0.018, 0.007, smoothstep(1.24, 1.40, p.y()));
    sleeve = smooth_intersection(sleeve, 0.95 * above(p, 1.2500 + 0.17 * (side - 0.215)), hem_round);
    const double f = smooth_union(trunk, sleeve, 0.018);
    const double collar_height = p.y() - 1.4880 + 0.32 * (p.z() + 0.030);
    return smooth_intersection(f, collar_height, hem_round);
  };
  const Field shorts = [&](const Vec3& p) {
    double f = lower_body(body, p, 0.007, mix(0.022, 0.008, smoothstep(0.55, 0.85, p.y())));
    f = smooth_intersection(f, above(p, 0.5550), hem_round);
    return smooth_intersection(f, below(p, 1.0000), hem_round);
  };
  add_head(body, parts, 1.440, shirt);
  // One solid of neck and head needs shoulders to sit in.
  const Field arm = [&](const Vec3& p) {
    return smooth_intersection(smooth_union(body.arm(p), body.hand(p), 0.014), below(p, 1.3000), hem_round);
  };
  Mesh arms = polygonise(arm, {{0.150, 0.665, -0.115}, {0.310, 1.320, 0.045}}, 0.0034, 2500);
  remove_hidden(arms, shirt, 0.004);
  append(arms, mirrored(arms));
  parts.push_back({"Body_Arms", skin, std::move(arms), ""});
  const Field leg = [&](const Vec3& p) {
    return smooth_intersection(smooth_union(body.leg(p), body.foot(p), 0.020), below(p, 0.6000), hem_round);
  };
  Mesh legs = polygonise(leg, {{0.015, -0.010, -0.125}, {0.180, 0.615, 0.170}}, 0.0038, 1900);
  remove_hidden(legs, shorts, 0.004);
  append(legs, mirrored(legs));
  parts.push_back({"Body_Legs", skin, std::move(legs), ""});
  parts.push_back({"Clothing_Shirt", t_shirt, polygonise(shirt, {{-0.30, 0.89, -0.17}, {0.30, 1.56, 0.16}}, 0.0085, 2600), ""});
  parts.push_back({"Clothing_Shorts", shorts_cloth, polygonise(shorts, {{-0.24, 0.53, -0.18}, {0.24, 1.03, 0.16}}, 0.0085, 1500), ""});
  return parts;
}

std::vector<Part> legacy_person(const Anatomy& body, const Skeleton& skeleton) {
  std::vector<Part> parts;
  add_head(body, parts, 1.500, [](const Vec3&) { return 1.0; });
  const auto at = [&](std::string_view name) { return skeleton.centre(name); };
  // A solid between two joints, rounded at the upper one so that a bend opens no gap.
  const auto between = [](const Field& shape, const Vec3& top, const Vec3& bottom, double ball) -> Field {
    return [=](const Vec3& p) {
      const Vec3 axis = (bottom - top).normalized();
      const double overlap = 0.012;
      const double slab = std::max(-(p - top).dot(axis), (p - bottom).dot(axis) - overlap);
      const double region = std::min(slab, (p - top).norm() - ball);
      return smooth_intersection(shape(p), region, hem_round);
    };
  };
  const auto pair_of = [&](const std::string& name, const Colour& colour, const std::string& joint, const Field& field, const Box& box,
                           double cell, std::size_t count) {
    Mesh left = polygonise(field, box, cell, count);
    Mesh right = mirrored(left);
    parts.push_back({"l_" + name, colour, std::move(left), "l_" + joint});
    parts.push_back({"r_" + name, colour, std::move(right), "r_" + joint});
  };

  const Field sleeves = [&](const Vec3& p) { return body.arm(p) - 0.007; };
  const Field trousers = [&](const Vec3& p) { return lower_body(body, p, 0.006, mix(0.016, 0.008, smoothstep(0.45, 0.85, p.y()))); };
  const Field left_leg = [&](const Vec3& p) {
    return smooth_intersection(body.leg(p) - mix(0.016, 0.008, smoothstep(0.45, 0.85, p.y())), -p.x(), hem_round);
  };
  const Field shirt = [&](const Vec3& p) {
    // Only the round of the shoulder: the sleeves are solids of their own.
    const double shoulder = smooth_intersection(body.arm(p) - 0.005, above(p, 1.3700), 0.02);
    double f =
        smooth_union(std::min(body.torso(p), body.neck(p) + 0.010) - mix(0.014, 0.008, smoothstep(1.02, 1.30, p.y())), shoulder, 0.018);
    f = smooth_intersection(f, above(p, 0.985), hem_round);
    f = smooth_intersection(f, std::abs(p.x()) - 0.200, 0.010);
    const double collar_height = p.y() - 1.5050 + 0.42 * (p.z() + 0.030);
    return smooth_intersection(f, collar_height, hem_round);
  };
  parts.push_back({"torso", shirt_cloth, polygonise(shirt, {{-0.26, 0.96, -0.17}, {0.26, 1.57, 0.16}}, 0.010, 1500), "vl5"});
  const Field hips = [&](const Vec3& p) {
    return smooth_intersection(smooth_intersection(trousers(p), above(p, 0.845), hem_round), below(p, 1.035), hem_round);
  };
  parts.push_back({"pelvis", trouser_cloth, polygonise(hips, {{-0.24, 0.82, -0.18}, {0.24, 1.06, 0.16}}, 0.010, 700), "sacroiliac"});
  const Vec3 ankle = at("l_talocrural");
  pair_of("thigh", trouser_cloth, "hip", between(left_leg, at("l_hip"), at("l_knee"), 0.10), {{-0.02, 0.42, -0.16}, {0.24, 1.04, 0.15}},
          0.010, 500);
  pair_of("calf", trouser_cloth, "knee", between(left_leg, at("l_knee"), ankle + Vec3(0, 0.030, 0), 0.066),
          {{0.0, 0.06, -0.15}, {0.20, 0.58, 0.11}}, 0.009, 440);
  pair_of(
      "shoe", leather, "talocrural", [&](const Vec3& p) { return smooth_intersection(body.shoe(p), p.z() - 0.092, hem_round); },
      {{0.02, -0.01, -0.14}, {0.18, 0.17, 0.20}}, 0.0065, 420);
  pair_of(
      "toe_cap", leather, "metatarsophalangeal_2",
      [&](const Vec3& p) { return smooth_intersection(body.shoe(p), 0.086 - p.z(), hem_round); }, {{0.02, -0.01, 0.06}, {0.18, 0.10, 0.20}},
      0.0060, 200);
  const Vec3 shoulder = at("l_shoulder");
  const Vec3 elbow = at("l_elbow");
  const Vec3 wrist = at("l_radiocarpal");
  pair_of("upper_sleeve", shirt_cloth, "shoulder", between(sleeves, shoulder + Vec3(0, -0.005, 0), elbow, 0.070),
          {{0.10, 1.08, -0.12}, {0.30, 1.53, 0.06}}, 0.008, 420);
  pair_of("lower_sleeve", shirt_cloth, "elbow", between(sleeves, elbow, wrist + Vec3(0, 0.020, 0), 0.055),
          {{0.16, 0.85, -0.13}, {0.32, 1.21, 0.05}}, 0.008, 360);
  pair_of(
      "hand", skin, "radiocarpal",
      [&](const Vec3& p) { return smooth_intersection(smooth_union(body.arm(p), body.hand(p), 0.014), below(p, 0.925), hem_round); },
      {{0.19, 0.665, -0.115}, {0.310, 0.945, 0.045}}, 0.0034, 1300);
  return parts;
}

}  // namespace samples
