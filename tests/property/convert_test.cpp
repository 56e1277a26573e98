// The arithmetic of conversion over seeded random figures; every bound is a guarantee of the design.
#include "vesalius/convert.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "property/measure.hpp"
#include "property/random_figure.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

const MappingTables& tables() {
  return MappingTables::built_in();
}

Humanoid figure(int loa, test::Random& random, bool mirrored = false, std::size_t per_joint = 12) {
  test::FigureOptions options;
  options.loa = loa;
  options.mirrored = mirrored;
  options.vertices_per_joint = per_joint;
  return test::random_figure(random, options);
}
void move(Humanoid& human, test::Random& random, int keys, double most_rad) {
  test::add_motion(human, random, keys, most_rad);
}

Conversion must(Result<Conversion> made) {
  EXPECT_TRUE(made) << testing::PrintToString(made.diagnostics);
  if (!made) return {};
  test::expect_sound(made->humanoid);
  return std::move(*made.value);
}
Conversion to(const Humanoid& source, const std::string& profile, ConvertOptions options = {}) {
  options.to = profile;
  return must(convert(source, tables(), options));
}

class Levels : public testing::TestWithParam<int> {};

// H-Anim (any level) -> OpenMATERIAL -> H-Anim with extras: centres, weights and mesh within 1e-5 (double: far below).
TEST_P(Levels, ComeBackWithExtras) {
  test::Difference worst;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    test::Random random(seed);
    const Humanoid source = figure(GetParam(), random);
    const Humanoid back = to(to(source, "openmaterial").humanoid, "hanim-2").humanoid;
    const test::Difference d = test::measure(source, back);
    EXPECT_EQ(d.missing, 0u) << seed << " " << d.worst;
    worst.place_m = std::max(worst.place_m, d.place_m);
    worst.mesh_m = std::max(worst.mesh_m, d.mesh_m);
    worst.weight = std::max(worst.weight, d.weight);
  }
  std::cout << "level " << GetParam() << ", 60 figures: centres " << worst.place_m << " m, mesh " << worst.mesh_m << " m, weights "
            << worst.weight << "\n";
  EXPECT_LE(worst.place_m, 1e-5);
  EXPECT_LE(worst.mesh_m, 1e-5);
  EXPECT_LE(worst.weight, 1e-6);
}

// At every key: the orientation of the deepest joint of each group with exponent 1, relative to the target's rest (5.1, 5.4).
TEST_P(Levels, DeepestJointsKeepTheirOrientationAtKeys) {
  double worst = 0, hips = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    test::Random random(seed + 1000);
    Humanoid source = figure(GetParam(), random, false, 3);
    move(source, random, 4, 1.2);
    ConvertOptions keep;
    keep.rest = RestPolicy::keep;  // with the rest pose kept, changes from rest compare directly
    const Humanoid asset = to(source, "openmaterial", keep).humanoid;
    ASSERT_EQ(asset.clips.size(), 1u);
    const Vec3 shift = asset.kept->shift;
    const Mapping& mapping = *tables().mapping("hanim-2", "openmaterial");
    for (int k = 0; k < 4; ++k) {
      const auto now = global_change(source.skeleton, sample(source.skeleton, source.clips[0], k));
      const auto then = global_change(asset.skeleton, sample(asset.skeleton, asset.clips[0], k));
      for (const BoneGroup& group : mapping.groups) {
        if (group.chains.size() != 1 || group.whole || group.common_ancestor) continue;
        if (std::ranges::any_of(group.shares, [](const auto& s) { return s.second.collapse != 1; })) continue;
        JointIndex deepest = JointIndex::none;
        for (const std::string& name : group.chains[0]) {
          if (source.skeleton.find(name) != JointIndex::none) deepest = source.skeleton.find(name);
        }
        const JointIndex bone = asset.skeleton.find(group.bone);
        if (deepest == JointIndex::none || bone == JointIndex::none) continue;
        worst = std::max(worst, angle_between_rad(rotation_of(now.change[index(deepest)]), rotation_of(then.change[index(bone)])));
      }
      for (const auto& [joint, bone] : {std::pair{"l_hip", "Upper_Leg_Left"}, {"r_hip", "Upper_Leg_Right"}, {"vl5", "Lower_Spine"}}) {
        const JointIndex j = source.skeleton.find(joint);
        if (j == JointIndex::none) continue;
        const Vec3 here = now.change[index(j)] * source.skeleton[j].rest.place + shift;
        const JointIndex b = asset.skeleton.find(bone);
        const Vec3 there = then.change[index(b)] * asset.skeleton[b].rest.place;
        hips = std::max(hips, (here - there).norm());
      }
    }
  }
  std::cout << "level " << GetParam() << ": orientation at keys " << worst << " rad, hips and vl5 " << hips << " m\n";
  EXPECT_LE(worst, 1e-5);
  EXPECT_LE(hips, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, Levels, testing::Values(1, 2, 3, 4));

/// An OpenMATERIAL figure made from an H-Anim one and then forgotten where it came from.
Humanoid asset_of(const Humanoid& source) {
  Humanoid asset = to(source, "openmaterial").humanoid;
  asset.kept.reset();
  for (Part& part : asset.parts) part.kept_influences = {};
  asset.segments.clear();
  return asset;
}

// OM -> H-Anim (levels 3 and 4) -> OM with extras.
TEST(BonesThereAndBack, WithExtras) {
  test::Difference worst;
  test::MotionDifference motion;
  for (const int loa : {3, 4}) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      test::Random random(seed + 77);
      Humanoid asset = asset_of(figure(3, random));
      // Frames of their own, and motion of every bone.
      std::vector<Joint> joints(asset.skeleton.joints().begin(), asset.skeleton.joints().end());
      for (std::size_t j = 1; j < joints.size(); ++j)
        joints[j].rest.turn = joints[j].rest.turn * Quat(Eigen::AngleAxisd(random.between(-3, 3), Vec3::UnitY()));
      asset.skeleton = *Skeleton::create(std::move(joints));
      Clip clip;
      clip.name = "turns";
      clip.duration_s = 2;
      const auto rest = rest_locals(asset.skeleton);
      for (std::size_t j = 1; j < asset.skeleton.size(); ++j) {
        JointTracks tracks;
        tracks.joint = joint_index(j);
        tracks.rotation.times_s = {0, 1, 2};
        for (int k = 0; k < 3; ++k)
          tracks.rotation.values.push_back(rest[j].rotation *
                                           Quat(Eigen::AngleAxisd(random.between(0, 0.8), (random.turn() * Vec3::UnitX()).normalized())));
        make_continuous(tracks.rotation.values);
        clip.joints.push_back(std::move(tracks));
      }
      asset.clips = {clip};
      ConvertOptions options;
      options.loa = loa;
      const Humanoid joints_figure = to(asset, "hanim-2", options).humanoid;
      const Humanoid back = to(joints_figure, "openmaterial").humanoid;
      const test::Difference d = test::measure(asset, back);
      EXPECT_EQ(d.missing, 0u) << d.worst;
      const test::MotionDifference m = test::measure_motion(asset, back, {0, 1, 2});
      worst.place_m = std::max(worst.place_m, d.place_m);
      worst.turn_rad = std::max(worst.turn_rad, d.turn_rad);
      worst.mesh_m = std::max(worst.mesh_m, d.mesh_m);
      worst.weight = std::max(worst.weight, d.weight);
      motion.turn_rad = std::max(motion.turn_rad, m.turn_rad);
      motion.place_m = std::max(motion.place_m, m.place_m);
    }
  }
  std::cout << "OM there and back: origins " << worst.place_m << " m, frames " << worst.turn_rad << " rad, mesh " << worst.mesh_m
            << " m, weights " << worst.weight << ", motion at keys " << motion.turn_rad << " rad\n";
  EXPECT_LE(worst.place_m, 1e-5);
  EXPECT_LE(worst.turn_rad, 1e-5);
  EXPECT_LE(worst.mesh_m, 1e-5);
  EXPECT_LE(worst.weight, 1e-6);
  EXPECT_LE(motion.turn_rad, 1e-5);
}

// Left and right of a mirrored input are mirrored in the output: places, frames and the arms' turns.
TEST(Mirror, MirroredInputGivesMirroredOutput) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    test::Random random(seed);
    Humanoid source = figure(3, random, true, 3);
    source.parts.clear();
    ConvertOptions options;
    options.stick = false;
    const Humanoid asset = to(source, "openmaterial", options).humanoid;
    const Profile& bones = *tables().profile("openmaterial");
    for (const Joint& joint : asset.skeleton.joints()) {
      const ProfileJoint* known = bones.find(joint.name);
      if (known->side != Side::left) continue;
      const Joint& partner = asset.skeleton[asset.skeleton.find(known->mirror)];
      EXPECT_THAT(partner.rest.place, test::Near(Vec3(-joint.rest.place.x(), joint.rest.place.y(), joint.rest.place.z()), 1e-9))
          << joint.name;
      const Eigen::Matrix3d mirrored =
          Eigen::Vector3d(-1, 1, 1).asDiagonal() * joint.rest.turn.toRotationMatrix() * Eigen::Vector3d(1, 1, -1).asDiagonal();
      EXPECT_LT((mirrored - partner.rest.turn.toRotationMatrix()).cwiseAbs().maxCoeff(), 1e-9) << joint.name;
    }
  }
}

// Weights sum to 1 and none is lost; the limit keeps the largest (B04).
TEST(Weights, B04LargestFourAreKeptBeforeTheRestPoseChanges) {
  test::Random random(5);
  Humanoid source = figure(1, random, false, 3);
  Part& part = source.parts[0];
  part.influences = {};
  const std::vector<std::pair<const char*, double>> list{{"l_hip", .05}, {"r_hip", .05}, {"l_knee", .1},
                                                         {"r_knee", .2}, {"vl5", .25},   {"skullbase", .35}};
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    for (const auto& [name, weight] : list) part.influences.items.push_back({source.skeleton.find(name), weight});
    part.influences.end_vertex();
  }
  const Conversion made = to(source, "openmaterial");
  const auto items = made.humanoid.parts[0].influences.of(0);
  ASSERT_EQ(items.size(), 4u);
  EXPECT_NEAR(weight_sum(items), 1, 1e-12);
  for (const Influence& influence : items) {
    if (made.humanoid.skeleton[influence.joint].name == "Head") {
      EXPECT_NEAR(influence.weight, .35 / .9, 1e-12);
    }
  }
  EXPECT_DOUBLE_EQ(made.report.worst_dropped_weight, .05);
  // What was dropped is kept beside and comes back.
  const Humanoid back = to(made.humanoid, "hanim-2").humanoid;
  EXPECT_LE(test::measure(source, back).weight, 1e-9);
}

// D05: what H-Anim leaves at rest, the static root carries.
TEST(Weights, D05MissingWeightStaysAtRest) {
  test::Random random(6);
  Humanoid source = figure(1, random, false, 3);
  for (Influence& influence : source.parts[0].influences.items) influence.weight *= 0.6;
  ConvertOptions keep;
  keep.rest = RestPolicy::keep;
  const Humanoid asset = to(source, "openmaterial", keep).humanoid;
  for (std::size_t v = 0; v < asset.parts[0].positions.size(); ++v) {
    double rest = 0;
    for (const Influence& influence : asset.parts[0].influences.of(v))
      rest += asset.skeleton[influence.joint].name == "Root" ? influence.weight : 0;
    EXPECT_NEAR(rest, 0.4, 1e-12);
  }
  const Humanoid back = to(asset, "hanim-2", keep).humanoid;
  EXPECT_LE(test::measure(source, back).weight, 1e-9);
}

// E06: weights of joints that become one bone are summed.
TEST(Weights, E06WeightsOfMergedJointsAreSummed) {
  test::Random random(7);
  Humanoid source = figure(2, random, false, 3);
  Part& part = source.parts[0];
  part.influences = {};
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    part.influences.items.push_back({source.skeleton.find("l_carpal_proximal_interphalangeal_2"), .5});
    part.influences.items.push_back({source.skeleton.find("l_carpal_distal_interphalangeal_2"), .5});
    part.influences.end_vertex();
  }
  const Humanoid asset = to(source, "openmaterial").humanoid;
  ASSERT_EQ(asset.parts[0].influences.of(0).size(), 1u);
  EXPECT_EQ(asset.skeleton[asset.parts[0].influences.of(0)[0].joint].name, "Full_Fingers_Left");
  EXPECT_EQ(asset.parts[0].influences.of(0)[0].weight, 1);
}

// E03: four vertebrae of 10 degrees become one bend of the same size, and come back as shares of it.
TEST(Motion, E03ChainsOfDifferentLengthKeepTheWholeBend) {
  test::Random random(8);
  Humanoid source = figure(2, random, false, 3);
  Clip clip;
  clip.name = "bend";
  clip.duration_s = 1;
  for (const char* name : {"vl5", "vl3", "vl1"}) {
    JointTracks tracks;
    tracks.joint = source.skeleton.find(name);
    tracks.rotation.times_s = {0, 1};
    tracks.rotation.values = {Quat::Identity(), Quat(Eigen::AngleAxisd(M_PI / 18, Vec3::UnitX()))};
    clip.joints.push_back(tracks);
  }
  std::ranges::sort(clip.joints, {}, &JointTracks::joint);
  source.clips = {clip};
  const Humanoid asset = to(source, "openmaterial").humanoid;
  const auto change = global_change(asset.skeleton, sample(asset.skeleton, asset.clips[0], 1));
  EXPECT_NEAR(angle_between_rad(rotation_of(change.change[index(asset.skeleton.find("Lower_Spine"))]), Quat::Identity()), M_PI / 6, 1e-9);
  const Humanoid back = to(asset, "hanim-2").humanoid;
  const auto again = global_change(back.skeleton, sample(back.skeleton, back.clips[0], 1));
  EXPECT_NEAR(angle_between_rad(rotation_of(again.change[index(back.skeleton.find("vl1"))]), Quat::Identity()), M_PI / 6, 1e-9);
}

// Between keys of groups with several joints: 1e-3 rad.
TEST(Motion, KeysAreAddedUntilTheBoneFollowsBetweenThem) {
  double worst = 0;
  std::size_t added = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    test::Random random(seed + 300);
    Humanoid source = figure(3, random, false, 3);
    move(source, random, 3, 0.6);
    ConvertOptions keep;
    keep.rest = RestPolicy::keep;
    const Conversion made = to(source, "openmaterial", keep);
    added += made.report.keys_added;
    for (double t = 0.05; t < 2; t += 0.1) {
      const auto now = global_change(source.skeleton, sample(source.skeleton, source.clips[0], t));
      const auto then = global_change(made.humanoid.skeleton, sample(made.humanoid.skeleton, made.humanoid.clips[0], t));
      for (const auto& [joint, bone] :
           {std::pair{"vl1", "Lower_Spine"}, {"vt1", "Upper_Spine"}, {"vc1", "Neck"}, {"l_radiocarpal", "Hand_Left"}}) {
        worst = std::max(worst, angle_between_rad(rotation_of(now.change[index(source.skeleton.find(joint))]),
                                                  rotation_of(then.change[index(made.humanoid.skeleton.find(bone))])));
      }
    }
  }
  std::cout << "between keys: " << worst << " rad with " << added << " keys added\n";
  EXPECT_LE(worst, 1e-3);
  EXPECT_GT(added, 0u);
}

// The same input gives the same output.
TEST(Conversion, IsDeterministic) {
  test::Random a(9), b(9);
  const Humanoid first = to(figure(4, a), "openmaterial").humanoid, second = to(figure(4, b), "openmaterial").humanoid;
  ASSERT_EQ(first.parts[0].positions.size(), second.parts[0].positions.size());
  for (std::size_t v = 0; v < first.parts[0].positions.size(); ++v) EXPECT_EQ(first.parts[0].positions[v], second.parts[0].positions[v]);
  EXPECT_EQ(to_json(*first.kept), to_json(*second.kept));
}

// B20: nothing is mapped by number.
TEST(Conversion, B20UnknownSkeletonsAreRefused) {
  Humanoid source;
  source.profile = "hanim-2";
  source.skeleton = *Skeleton::create({test::joint_at("Bone_1", -1, Vec3(0, 1, 0)), test::joint_at("Bone_2", 0, Vec3(0, 1.5, 0))});
  ConvertOptions options;
  options.to = "openmaterial";
  const auto made = convert(source, tables(), options);
  EXPECT_FALSE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(Code{"convert.not_a_humanoid"}));
}

// An edit between the two ways wins: a moved joint arrives, with and without extras.
TEST(Conversion, AMovedBoneArrivesOnTheOtherSide) {
  for (const bool extras : {true, false}) {
    test::Random random(10);
    const Humanoid source = figure(3, random);
    ConvertOptions options;
    options.extras = extras;
    Humanoid asset = to(source, "openmaterial", options).humanoid;
    std::vector<Joint> joints(asset.skeleton.joints().begin(), asset.skeleton.joints().end());
    const Vec3 by(0, 0.01, 0.02);
    joints[index(asset.skeleton.find("Foot_Left"))].rest.place += by;
    asset.skeleton = *Skeleton::create(std::move(joints));
    const Vec3 shift = extras ? asset.kept->shift : Vec3::Zero();
    const Humanoid back = to(asset, "hanim-2", options).humanoid;
    const Vec3 moved = back.skeleton[back.skeleton.find("l_talocrural")].rest.place;
    const Vec3 expected = asset.skeleton[asset.skeleton.find("Foot_Left")].rest.place - shift;
    EXPECT_THAT(moved, test::Near(expected, 1e-9)) << extras;
  }
}

}  // namespace
}  // namespace vesalius
