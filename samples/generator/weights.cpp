#include <algorithm>
#include <cmath>

#include "figure.hpp"

namespace samples {
namespace {

constexpr std::size_t influences_at_most = 4;

/// Length along the chain up to the place that is nearest to `p`.
double nearest_along(const std::vector<Vec3>& places, const Vec3& p) {
  double best = 1e9;
  double along = 0;
  double start = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const Vec3 bone = places[i + 1] - places[i];
    const double length = bone.norm();
    // The first bone reaches back, so that what lies before the chain gets a negative length.
    const double low = i == 0 ? -1.0 : 0.0;
    const double t = std::clamp((p - places[i]).dot(bone) / (length * length), low, 1.0);
    const double distance = (p - places[i] - t * bone).norm();
    if (distance < best) {
      best = distance;
      along = start + t * length;
    }
    start += length;
  }
  return along;
}

Vec3 mirror(const Vec3& p, bool right) {
  return right ? Vec3(-p.x(), p.y(), p.z()) : p;
}

double bump(const Vec3& p, const Vec3& centre, double radius) {
  return 1 - smoothstep(0.35 * radius, radius, (p - centre).norm());
}

}  // namespace

SkinWeights::Chain SkinWeights::chain(std::initializer_list<std::string_view> left_names, std::initializer_list<double> softness,
                                      const Vec3& end, bool right) const {
  Chain made;
  for (const std::string_view name : left_names) {
    std::string own(name);
    if (right && own.starts_with("l_")) own[0] = 'r';
    made.joints.push_back(skeleton_.index(own));
    made.places.push_back(skeleton_.joints()[made.joints.back()].centre);
  }
  made.softness = softness;
  made.places.push_back(mirror(end, right));
  return made;
}

SkinWeights::SkinWeights(const Skeleton& skeleton, const Anatomy& anatomy) : skeleton_(skeleton), anatomy_(anatomy) {
  spine_ = chain({"vl5", "vl4", "vl3", "vl2", "vl1", "vt12", "vt11", "vt10", "vt9", "vt8", "vt7", "vt6",      "vt5",
                  "vt4", "vt3", "vt2", "vt1", "vc7", "vc6",  "vc5",  "vc4",  "vc3", "vc2", "vc1", "skullbase"},
                 {0.030, 0.018, 0.018, 0.017, 0.017, 0.016, 0.015, 0.014, 0.014, 0.013, 0.012, 0.012, 0.011,
                  0.011, 0.011, 0.010, 0.010, 0.010, 0.009, 0.009, 0.008, 0.008, 0.008, 0.008, 0.012},
                 crown(), false);
  for (const bool right : {false, true}) {
    Side& side = sides_[right ? 1 : 0];
    side.clavicle = chain({"l_sternoclavicular", "l_acromioclavicular"}, {0.030, 0.030}, {0.2000, 1.4400, -0.0400}, right);
    side.arm = chain({"l_shoulder", "l_elbow", "l_radiocarpal"}, {0.055, 0.045, 0.022}, finger_tip(3), right);
    side.leg =
        chain({"l_hip", "l_knee", "l_talocrural", "l_tarsometatarsal_2", "l_metatarsophalangeal_2", "l_tarsal_distal_interphalangeal_2"},
              {0.080, 0.055, 0.035, 0.030, 0.014, 0.010}, toe_tip(), right);
    side.wrist = side.arm.joints[2];
    side.fingers.push_back(chain({"l_carpometacarpal_1", "l_metacarpophalangeal_1", "l_carpal_interphalangeal_1"}, {0.012, 0.010, 0.008},
                                 finger_tip(1), right));
    const std::initializer_list<double> softness{0.016, 0.010, 0.007, 0.006};
    side.fingers.push_back(chain(
        {"l_carpometacarpal_2", "l_metacarpophalangeal_2", "l_carpal_proximal_interphalangeal_2", "l_carpal_distal_interphalangeal_2"},
        softness, finger_tip(2), right));
    side.fingers.push_back(chain(
        {"l_carpometacarpal_3", "l_metacarpophalangeal_3", "l_carpal_proximal_interphalangeal_3", "l_carpal_distal_interphalangeal_3"},
        softness, finger_tip(3), right));
    side.fingers.push_back(chain(
        {"l_carpometacarpal_4", "l_metacarpophalangeal_4", "l_carpal_proximal_interphalangeal_4", "l_carpal_distal_interphalangeal_4"},
        softness, finger_tip(4), right));
    side.fingers.push_back(chain(
        {"l_carpometacarpal_5", "l_metacarpophalangeal_5", "l_carpal_proximal_interphalangeal_5", "l_carpal_distal_interphalangeal_5"},
        softness, finger_tip(5), right));
  }
}

void SkinWeights::add_chain(const Chain& chain, const Vec3& p, double share, int before, Dense& weights) const {
  const double along = nearest_along(chain.places, p);
  double joint_at = 0;
  double reached = 1;  // how much of the point lies beyond the joint at hand
  int owner = before;
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    if (i > 0) joint_at += (chain.places[i] - chain.places[i - 1]).norm();
    const double beyond = std::min(reached, smoothstep(-chain.softness[i], chain.softness[i], along - joint_at));
    weights[owner] += share * (reached - beyond);
    reached = beyond;
    owner = chain.joints[i];
  }
  weights[owner] += share * reached;
}

void SkinWeights::add_trunk(const Vec3& p, double share, Dense& weights) const {
  const int root = skeleton_.index("humanoid_root");
  const int sacroiliac = skeleton_.index("sacroiliac");
  // Belly and back at one height move together: only the height counts below the head, and the spine's slope above.
  Vec3 on_spine = p;
  if (p.y() < 1.44) on_spine.z() = -0.06;
  // The pelvis proper follows the sacroiliac joint, the band between it and the lumbar spine the root.
  const double pelvis = 1 - smoothstep(0.945, 1.000, p.y());
  weights[sacroiliac] += share * pelvis;
  Dense upper(weights.size(), 0.0);
  add_chain(spine_, on_spine, share * (1 - pelvis), root, upper);
  const int skull = skeleton_.index("skullbase");
  if (upper[skull] > 0) {
    // The head above the line from nape to chin is rigid, but for jaw, lids and brows.
    const Vec3 q(std::abs(p.x()), p.y(), p.z());
    const bool right = p.x() < 0;
    const auto give = [&](std::string_view name, double part) {
      std::string own(name);
      if (right && own.starts_with("l_")) own[0] = 'r';
      weights[skeleton_.index(own)] += upper[skull] * part;
      upper[skull] *= 1 - part;
    };
    const double below = 1 - smoothstep(1.560, 1.572, p.y() + 0.25 * (0.09 - p.z()));
    const double forward = smoothstep(0.010, 0.060, p.z());
    give("temporomandibular", 0.95 * below * forward);
    give("l_eyebrow_joint", 0.8 * bump(q, {0.0330, 1.6570, 0.0830}, 0.024));
    give("l_eyelid_joint", 0.8 * bump(q, {0.0315, 1.6400, 0.0830}, 0.0115));
  }
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += upper[i];
}

Influences SkinWeights::at(const Vec3& p) const {
  const Side& side = sides_[p.x() < 0 ? 1 : 0];
  Dense weights(skeleton_.joints().size(), 0.0);

  // How much of the point belongs to arm, leg and trunk: by which shape is nearer.
  const double to_trunk =
      std::min(std::min(anatomy_.torso(p), anatomy_.leg(p)), p.y() > 1.44 ? std::min(anatomy_.neck(p), anatomy_.head(p)) : 1.0);
  const double to_arm = std::min(anatomy_.arm(p), anatomy_.hand(p));
  double arm = smoothstep(-0.022, 0.022, to_trunk - to_arm);
  if (p.y() > 1.52) arm = 0;
  // The legs begin at a slanted line from the crotch to above the hip joint.
  const double crease = 0.838 + 0.45 * std::abs(p.x());
  double leg = 1 - smoothstep(-0.055, 0.045, p.y() - crease);
  leg *= 1 - arm;

  if (arm > 0) {
    Dense own(weights.size(), 0.0);
    add_chain(side.arm, p, arm, side.clavicle.joints.back(), own);
    const double hand = own[side.wrist];
    if (hand > 0) {
      // Shares of the finger rays by nearness; the nearest takes nearly all.
      std::array<double, 5> distance{};
      for (std::size_t i = 0; i < distance.size(); ++i) {
        const Chain& ray = side.fingers[i];
        distance[i] = 1e9;
        for (std::size_t k = 0; k + 1 < ray.places.size(); ++k)
          distance[i] = std::min(distance[i], distance_to_segment(p, ray.places[k], ray.places[k + 1]) - (i == 0 ? 0.003 : 0.0));
      }
      const double nearest = *std::min_element(distance.begin(), distance.end());
      std::array<double, 5> part{};
      double sum = 0;
      for (std::size_t i = 0; i < part.size(); ++i) sum += part[i] = 1 - smoothstep(0.0, 0.007, distance[i] - nearest);
      own[side.wrist] = 0;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (part[i] > 0) add_chain(side.fingers[i], p, hand * part[i] / sum, side.wrist, own);
      }
    }
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += own[i];
  }
  if (leg > 0) {
    // Between the thighs both sides share.
    const double mine = 0.5 + 0.5 * smoothstep(0.0, 0.020, std::abs(p.x()));
    const int sacroiliac = skeleton_.index("sacroiliac");
    add_chain(side.leg, p, leg * mine, sacroiliac, weights);
    if (mine < 1) add_chain(sides_[p.x() < 0 ? 0 : 1].leg, p, leg * (1 - mine), sacroiliac, weights);
  }
  const double trunk = 1 - arm - leg;
  if (trunk > 0) {
    // Above the arm pits the shoulder girdle takes part.
    const double out = smoothstep(0.055, 0.160, std::abs(p.x())) * smoothstep(1.310, 1.400, p.y()) * (1 - smoothstep(1.500, 1.535, p.y()));
    const double girdle = 0.8 * trunk * out;
    if (girdle > 0) add_chain(side.clavicle, p, girdle, side.clavicle.joints.front(), weights);
    add_trunk(p, trunk - girdle, weights);
  }

  Influences found;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0.004) found.emplace_back(static_cast<int>(i), weights[i]);
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
  if (found.size() > influences_at_most) found.resize(influences_at_most);
  double sum = 0;
  for (const auto& [joint, weight] : found) sum += weight;
  for (auto& [joint, weight] : found) weight /= sum;
  return found;
}

}  // namespace samples
