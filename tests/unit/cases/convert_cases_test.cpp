// What real conversions bring, model to model, one small figure per case.
#include <gtest/gtest.h>

#include <cmath>

#include "property/measure.hpp"
#include "unit/cases/figures.hpp"
#include "unit/cases/glb_file.hpp"

namespace vesalius {
namespace {

using test::about;
using test::change_at;
using test::converted;
using test::figure_of;
using test::JointSpec;
using test::place_at;
using test::place_of;
using test::turn_at;

ConvertOptions without_extras() {
  ConvertOptions options;
  options.extras = false;
  return options;
}

/// Level 1 with the arms turned out by an angle about the shoulders (0: the I-pose).
std::vector<JointSpec> arms_out(double degrees) {
  auto specs = test::level_joints(1);
  for (const auto& [shoulder, side] : {std::pair{std::string("l_shoulder"), 1.0}, {"r_shoulder", -1.0}}) {
    Vec3 pivot = Vec3::Zero();
    for (JointSpec& spec : specs) {
      if (spec.name == shoulder) pivot = spec.place;
      const std::string prefix = side > 0 ? "l_" : "r_";
      if (spec.name == prefix + "elbow" || spec.name == prefix + "radiocarpal")
        spec.place = pivot + about(Vec3::UnitZ(), side * degrees) * (spec.place - pivot);
    }
  }
  return specs;
}

// The same arm modelled in I, A and T, and one clip that raises it to the horizontal: it is horizontal on the other side.
TEST(ConvertCases, E01RestPosesAreTakenOutOfTheMotion) {
  for (const double modelled : {0.0, 45.0, 90.0}) {
    Humanoid figure = figure_of(arms_out(modelled));
    const Vec3 arm = (place_of(figure, "l_elbow") - place_of(figure, "l_shoulder")).normalized();
    test::turn(figure, "l_shoulder", {Quat::Identity(), least_rotation(arm, Vec3::UnitX())});
    const Conversion made = converted(figure, "openmaterial");
    const Vec3 raised = place_at(made.humanoid, "Lower_Arm_Left", 1) - place_at(made.humanoid, "Upper_Arm_Left", 1);
    EXPECT_NEAR(std::atan2(raised.cross(Vec3::UnitX()).norm(), raised.x()), 0, 1e-9) << modelled;
    // At the first key the arm is where it was modelled, whatever the asset's rest pose is.
    const Vec3 first = place_at(made.humanoid, "Lower_Arm_Left", 0) - place_at(made.humanoid, "Upper_Arm_Left", 0);
    EXPECT_NEAR(std::atan2(first.cross(arm).norm(), first.dot(arm)), 0, 1e-9) << modelled;
    // The rest pose is the standard's A-pose for all three, and the report says how far each limb turned.
    const Vec3 rest = place_of(made.humanoid, "Lower_Arm_Left") - place_of(made.humanoid, "Upper_Arm_Left");
    const Vec3 wanted = *MappingTables::built_in().profile("openmaterial")->find("Upper_Arm_Left")->rest_direction;
    EXPECT_LT(std::atan2(rest.cross(wanted).norm(), rest.dot(wanted)), 0.27) << "15 degrees: the profile's own turn is taken below that";
    double said = -1;
    for (const LimbTurn& limb : made.report.limbs) {
      if (limb.bone == "Upper_Arm_Left") said = limb.angle_rad;
    }
    EXPECT_NEAR(said, angle_between_rad(Quat::Identity(), turn_at(made.humanoid, "Upper_Arm_Left", 0)), 1e-9) << modelled;
    // Skinned as the source shows it: the clip leaves the I-pose by linear blending on both sides.
    const auto there = skinned_positions(figure.parts[0], change_at(figure, 1));
    const auto here = skinned_positions(made.humanoid.parts[0], change_at(made.humanoid, 1));
    for (std::size_t v = 0; v < there.size(); ++v) EXPECT_THAT(here[v], test::Near(there[v] + made.humanoid.kept->shift, 1e-9)) << v;
  }
}

// A twist joint between elbow and wrist: its turn is the forearm's, over half a turn and more.
TEST(ConvertCases, E04TwistJointsTurnTheBoneTheyLieIn) {
  auto specs = test::level_joints(1);
  Vec3 elbow = Vec3::Zero(), wrist = Vec3::Zero();
  for (const JointSpec& spec : specs) {
    if (spec.name == "l_elbow") elbow = spec.place;
    if (spec.name == "l_radiocarpal") wrist = spec.place;
  }
  std::vector<JointSpec> twisted;
  for (JointSpec spec : specs) {
    if (spec.name == "l_radiocarpal") {
      twisted.push_back({"l_forearm_twist", "l_elbow", (elbow + wrist) / 2});
      spec.parent = "l_forearm_twist";
    }
    twisted.push_back(spec);
  }
  Humanoid figure = figure_of(twisted);
  const Vec3 axis = (wrist - elbow).normalized();
  test::turn(figure, "l_elbow", {Quat::Identity(), about(Vec3::UnitX(), -70), Quat::Identity(), Quat::Identity()});
  test::turn(figure, "l_forearm_twist", {Quat::Identity(), about(axis, 60), about(axis, 120), about(axis, 200)});
  ConvertOptions keep;
  keep.rest = RestPolicy::keep;
  const Humanoid asset = converted(figure, "openmaterial", keep).humanoid;
  for (int k = 0; k < 4; ++k) {
    EXPECT_THAT(turn_at(asset, "Lower_Arm_Left", k), test::SameTurn(turn_at(figure, "l_forearm_twist", k), 1e-9)) << k;
    EXPECT_THAT(turn_at(asset, "Hand_Left", k), test::SameTurn(turn_at(figure, "l_radiocarpal", k), 1e-9)) << k;
  }
  // Back with what was kept: the joint is there again, and the elbow bends as the forearm does.
  const Humanoid back = converted(asset, "hanim-2", keep).humanoid;
  ASSERT_NE(back.skeleton.find("l_forearm_twist"), JointIndex::none);
  EXPECT_THAT(place_of(back, "l_forearm_twist"), test::Near(place_of(figure, "l_forearm_twist"), 1e-12));
  for (int k = 0; k < 4; ++k) EXPECT_THAT(turn_at(back, "l_forearm_twist", k), test::SameTurn(turn_at(figure, "l_forearm_twist", k), 1e-9));
  // The other way: a bone of an asset that no table knows, in line with the forearm.
  Humanoid bones = test::standard_asset();
  std::vector<Joint> joints;
  for (const Joint& joint : bones.skeleton.joints()) {
    if (joint.name == "Hand_Left") {
      const auto parent = static_cast<int>(index(bones.skeleton.find("Lower_Arm_Left")));
      joints.push_back(test::joint_at("Lower_Arm_Twist_Left", parent, (place_of(bones, "Lower_Arm_Left") + joint.rest.place) / 2));
    }
    Joint copy = joint;
    if (copy.parent != JointIndex::none) {
      const std::string parent = copy.name == "Hand_Left" ? "Lower_Arm_Twist_Left" : bones.skeleton[joint.parent].name;
      for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].name == parent) copy.parent = joint_index(j);
      }
    }
    joints.push_back(copy);
  }
  bones.skeleton = *Skeleton::create(std::move(joints));
  bones.parts.clear();
  bones.clips.clear();
  test::turn(bones, "Lower_Arm_Twist_Left", {Quat::Identity(), about(axis, 60)});
  const Humanoid joints_figure = converted(bones, "hanim-2").humanoid;
  EXPECT_NEAR(angle_between_rad(turn_at(joints_figure, "l_elbow", 1), turn_at(joints_figure, "l_elbow", 0)), M_PI / 3, 1e-9);
  EXPECT_NEAR(angle_between_rad(turn_at(joints_figure, "l_radiocarpal", 1), turn_at(joints_figure, "l_radiocarpal", 0)), M_PI / 3, 1e-9);
}

/// A figure of level 1 whose legs are scaled so that its hips are this high.
Humanoid with_hips_at(double height_m) {
  auto specs = test::level_joints(1);
  double hips = 0, ground = 1e9;
  for (const JointSpec& spec : specs) {
    if (spec.name == "l_hip") hips = spec.place.y();
    ground = std::min(ground, spec.place.y());
  }
  const double scale = height_m / (hips - ground);
  for (JointSpec& spec : specs) spec.place = scale * (spec.place - Vec3(0, ground, 0));
  Humanoid figure = figure_of(specs);
  // The soles: the mesh reaches the ground where the lowest joint is.
  for (Vec3& position : figure.parts[0].positions) position.y() = std::max(0.0, position.y());
  return figure;
}

TEST(ConvertCases, E09TravelIsScaledByTheHeightOfTheHips) {
  Humanoid motion = with_hips_at(0.84);
  test::turn(motion, "l_hip", {Quat::Identity(), about(Vec3::UnitX(), -30)});
  JointTracks root;
  root.joint = motion.skeleton.find("humanoid_root");
  const Vec3 rest = rest_locals(motion.skeleton)[index(root.joint)].translation;
  root.translation.times_s = {0, 1};
  root.translation.values = {rest, rest + Vec3(0, 0.042, 0.84)};
  motion.clips[0].joints.insert(motion.clips[0].joints.begin(), root);
  const Humanoid body = with_hips_at(0.50);
  const auto moved = retarget(body, motion, MappingTables::built_in());
  ASSERT_TRUE(moved) << testing::PrintToString(moved.diagnostics);
  test::expect_sound(moved->humanoid);
  EXPECT_NEAR(moved->report.motion_scale, 0.50 / 0.84, 1e-9);
  // Deltas are scaled, not places: the body starts from its own rest.
  EXPECT_THAT(place_at(moved->humanoid, "humanoid_root", 0), test::Near(place_of(body, "humanoid_root"), 1e-9));
  EXPECT_THAT(place_at(moved->humanoid, "humanoid_root", 1),
              test::Near(place_of(body, "humanoid_root") + Vec3(0, 0.042, 0.84) * (0.50 / 0.84), 1e-9));
  EXPECT_THAT(turn_at(moved->humanoid, "l_hip", 1), test::SameTurn(about(Vec3::UnitX(), -30), 1e-9));
  ConvertOptions unscaled;
  unscaled.scale_motion = false;
  const auto as_is = retarget(body, motion, MappingTables::built_in(), unscaled);
  ASSERT_TRUE(as_is);
  EXPECT_EQ(as_is->report.motion_scale, 1);
  EXPECT_THAT(place_at(as_is->humanoid, "humanoid_root", 1), test::Near(place_of(body, "humanoid_root") + Vec3(0, 0.042, 0.84), 1e-9));
  // The same body: exactly the same motion.
  const auto same = retarget(motion, motion, MappingTables::built_in());
  ASSERT_TRUE(same);
  EXPECT_EQ(same->report.motion_scale, 1);
  const test::MotionDifference m = test::measure_motion(motion, same->humanoid, {0, .5, 1});
  EXPECT_LE(m.turn_rad, 1e-9);
  EXPECT_LE(m.place_m, 1e-9);
  // And onto a figure of bones.
  const auto bones = retarget(test::standard_asset(), motion, MappingTables::built_in());
  ASSERT_TRUE(bones) << testing::PrintToString(bones.diagnostics);
  EXPECT_THAT(turn_at(bones->humanoid, "Upper_Leg_Left", 1), test::SameTurn(about(Vec3::UnitX(), -30), 1e-9));
}

TEST(ConvertCases, E11SlidingFeetAreReported) {
  // A walk on the spot of two seconds in which the root travels so that the standing foot stays: legs swing, the hips move over the foot.
  Humanoid motion = with_hips_at(0.84);
  const double swing = 20;
  test::turn(motion, "l_hip", {about(Vec3::UnitX(), -swing), about(Vec3::UnitX(), swing), about(Vec3::UnitX(), -swing)});
  test::turn(motion, "r_hip", {about(Vec3::UnitX(), swing), about(Vec3::UnitX(), -swing), about(Vec3::UnitX(), swing)});
  const auto same = retarget(motion, motion, MappingTables::built_in());
  ASSERT_TRUE(same);
  EXPECT_NEAR(same->report.worst_stance_drift_m, 0, 1e-9);
  const auto longer = retarget(with_hips_at(1.2), motion, MappingTables::built_in());
  ASSERT_TRUE(longer);
  // The standing foot swings under the hip: the difference of leg lengths times the swing, seen while the foot is near the ground.
  EXPECT_GT(longer->report.worst_stance_drift_m, 0.02);
  EXPECT_LT(longer->report.worst_stance_drift_m, 0.36 * 2 * swing * M_PI / 180);
  EXPECT_THAT(longer.diagnostics, test::Reports(Code{"convert.stance_drift"}));
  // No clip, no motion.
  Humanoid still = motion;
  still.clips.clear();
  EXPECT_THAT(retarget(motion, still, MappingTables::built_in()).diagnostics, test::Reports(Code{"convert.no_motion"}));
}

TEST(ConvertCases, E17AFigureTurnedAboutIsTheSameFigure) {
  const auto half = Eigen::Affine3d(Eigen::AngleAxisd(M_PI, Vec3::UnitY()));
  const Humanoid asset = test::standard_asset();
  const Humanoid straight = converted(*test::read_glb(test::Glb(asset).bytes()), "hanim-2", without_extras()).humanoid;
  for (const bool in_scene : {true, false}) {
    test::Glb file(asset);
    if (in_scene) {
      test::Glb::premultiply(file.node("Grp_Root"), half);
    } else {
      file.move_mesh_space(half);
    }
    const auto read = test::read_glb(file.bytes());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->source.facing, "-X");
    const Humanoid turned = converted(*read, "hanim-2", without_extras()).humanoid;
    const test::Difference d = test::measure(straight, turned);
    EXPECT_LE(d.place_m, 1e-5);
    EXPECT_LE(d.mesh_m, 1e-5);
    // Left stays left, in the motion too.
    const test::MotionDifference m = test::measure_motion(straight, turned, {0, 1, 2});
    EXPECT_LE(m.turn_rad, 1e-5);
    EXPECT_LE(m.place_m, 1e-5);
  }
}

TEST(ConvertCases, E18AllRotationsZeroIsNotRest) {
  const Humanoid asset = test::standard_asset();
  LocalPose zero = rest_pose(asset.skeleton);
  for (Transform& local : zero.parent_from_joint) local.rotation = Quat::Identity();
  const auto change = global_change(asset.skeleton, zero);
  double worst = 0;
  for (const Affine& m : change.change) worst = std::max(worst, angle_between_rad(rotation_of(m), Quat::Identity()));
  EXPECT_GT(worst, 1) << "bones have axes of their own: local turns of zero are a pose";
  // The delta form is zero at rest, on both sides of a conversion.
  for (const Humanoid& human : {asset, converted(asset, "hanim-2").humanoid}) {
    for (const Affine& m : global_change(human.skeleton, rest_pose(human.skeleton)).change)
      EXPECT_LT((m.matrix() - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff(), 1e-12);
  }
  // Written with all rotations zero, the file shows a pose: the bind pose stays the rest pose.
  test::Glb file(asset);
  file.document.erase("animations");
  for (const Joint& joint : asset.skeleton.joints()) file.node(joint.name).erase("rotation");
  const auto read = test::read_glb(file.bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->poses.size(), 1u);
  EXPECT_LE(test::measure(asset, *read).place_m, 1e-5);
}

TEST(ConvertCases, E19AbsentBonesAreNoFailure) {
  std::vector<JointSpec> specs;
  for (const JointSpec& spec : test::level_joints(1)) {
    if (!spec.name.starts_with("vc") && spec.name.find("tars") == std::string::npos) specs.push_back(spec);
  }
  Humanoid figure = figure_of(specs);
  const Quat nod = about(Vec3(1, 1, 0), 35);
  test::turn(figure, "skullbase", {Quat::Identity(), nod});
  for (const bool synthesis : {false, true}) {
    ConvertOptions options;
    options.synthesis = synthesis;
    options.rest = RestPolicy::keep;
    const Conversion made = converted(figure, "openmaterial", options);
    const Humanoid& asset = made.humanoid;
    for (const char* bone : {"Neck", "Full_Toes_Left", "Eye_Left"}) {
      EXPECT_EQ(asset.skeleton.find(bone) != JointIndex::none, synthesis) << bone;
    }
    EXPECT_THAT(place_of(asset, "Head"), test::Near(place_of(figure, "skullbase") + asset.kept->shift, 1e-12));
    EXPECT_THAT(turn_at(asset, "Head", 1), test::SameTurn(nod, 1e-9));
    if (!synthesis) continue;
    // Made-up bones lie between what is there and do not turn against their parents.
    const double neck = place_of(asset, "Neck").y();
    EXPECT_GT(neck, place_of(asset, "Upper_Spine").y());
    EXPECT_LT(neck, place_of(asset, "Head").y());
    EXPECT_THAT(turn_at(asset, "Neck", 1), test::SameTurn(turn_at(asset, "Upper_Spine", 1), 1e-9));
    for (const BoneReport& bone : made.report.bones) {
      if (bone.bone == "Neck") {
        EXPECT_TRUE(bone.synthesised);
      }
    }
  }
  // The other way: an asset without neck, toes and eyes.
  Humanoid asset = test::standard_asset();
  std::vector<Joint> joints;
  std::map<std::string, JointIndex> made;
  const std::vector<std::string> absent{"Neck", "Eye_Left", "Eye_Right", "Full_Toes_Left", "Full_Toes_Right"};
  for (const Joint& joint : asset.skeleton.joints()) {
    if (std::ranges::find(absent, joint.name) != absent.end()) continue;
    Joint copy = joint;
    JointIndex parent = joint.parent;
    while (parent != JointIndex::none && !made.contains(asset.skeleton[parent].name)) parent = asset.skeleton[parent].parent;
    if (parent != JointIndex::none) copy.parent = made.at(asset.skeleton[parent].name);
    made.emplace(copy.name, joint_index(joints.size()));
    joints.push_back(copy);
  }
  asset.parts.clear();
  asset.clips.clear();
  asset.skeleton = *Skeleton::create(std::move(joints));
  const Humanoid back = converted(asset, "hanim-2").humanoid;
  EXPECT_EQ(back.skeleton.find("vc7"), JointIndex::none);
  EXPECT_EQ(back.skeleton.find("l_eyeball_joint"), JointIndex::none);
  EXPECT_THAT(place_of(back, "skullbase"), test::Near(place_of(asset, "Head"), 1e-12));
}

}  // namespace
}  // namespace vesalius
