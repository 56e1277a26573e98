// Trees that real figures have instead of the standard's: the file's own tree is the truth.
#include <gtest/gtest.h>

#include "unit/cases/figures.hpp"

namespace vesalius {
namespace {

using test::about;
using test::converted;
using test::figure_of;
using test::JointSpec;
using test::place_at;
using test::turn_at;

const std::vector<JointSpec> legs{{"l_hip", "sacroiliac", Vec3(.1, .9, 0)},     {"r_hip", "sacroiliac", Vec3(-.1, .9, 0)},
                                  {"l_knee", "l_hip", Vec3(.1, .5, 0)},         {"r_knee", "r_hip", Vec3(-.1, .5, 0)},
                                  {"l_talocrural", "l_knee", Vec3(.1, .08, 0)}, {"r_talocrural", "r_knee", Vec3(-.1, .08, 0)}};
std::vector<JointSpec> with(std::vector<JointSpec> specs, const std::vector<JointSpec>& more, const std::string& legs_on = "") {
  for (JointSpec spec : more) {
    if (!legs_on.empty() && spec.parent == "sacroiliac") spec.parent = legs_on;
    specs.push_back(std::move(spec));
  }
  return specs;
}
ConvertOptions keep_rest() {
  ConvertOptions options;
  options.rest = RestPolicy::keep;
  return options;
}
Vec3 shift(const Humanoid& asset) {
  return asset.kept->shift;
}

// Korean characters: the legs hang on the root and the sacroiliac carries the trunk; it is no pelvis there.
TEST(TreeCases, ASacroiliacThatCarriesTheSpineIsTheLowerSpine) {
  auto specs = std::vector<JointSpec>{{"humanoid_root", "", Vec3(0, .9, 0)},
                                      {"sacroiliac", "humanoid_root", Vec3(0, 1, 0)},
                                      {"vl5", "sacroiliac", Vec3(0, 1.1, 0)},
                                      {"vt12", "vl5", Vec3(0, 1.25, 0)},
                                      {"skullbase", "vt12", Vec3(0, 1.6, 0)}};
  Humanoid figure = figure_of(with(specs, legs, "humanoid_root"));
  test::turn(figure, "humanoid_root", {Quat::Identity(), about(Vec3::UnitY(), 30)});
  test::turn(figure, "sacroiliac", {Quat::Identity(), about(Vec3::UnitX(), 20)});
  const Humanoid asset = converted(figure, "openmaterial", keep_rest()).humanoid;
  // The hip bone is what carries both legs, the bend of the sacroiliac is the spine's.
  EXPECT_THAT(turn_at(asset, "Hip", 1), test::SameTurn(about(Vec3::UnitY(), 30), 1e-9));
  EXPECT_THAT(turn_at(asset, "Lower_Spine", 1), test::SameTurn(about(Vec3::UnitY(), 30) * about(Vec3::UnitX(), 20), 1e-9));
  for (const auto& [joint, bone] : {std::pair{"l_hip", "Upper_Leg_Left"}, {"r_hip", "Upper_Leg_Right"}, {"vl5", "Lower_Spine"}})
    EXPECT_THAT(place_at(asset, bone, 1), test::Near(place_at(figure, joint, 1) + shift(asset), 1e-9)) << joint;
  double on_spine = 0;
  const JointIndex spine = asset.skeleton.find("Lower_Spine");
  for (std::size_t v = 3; v < 6; ++v) {  // the sacroiliac's vertices
    for (const Influence& influence : asset.parts[0].influences.of(v)) on_spine += influence.joint == spine ? influence.weight : 0;
  }
  EXPECT_NEAR(on_spine, 3, 1e-12);
  const Humanoid back = converted(asset, "hanim-2", keep_rest()).humanoid;
  EXPECT_EQ(back.skeleton[test::joint_of(back, "l_hip").parent].name, "humanoid_root");
  EXPECT_EQ(back.skeleton[test::joint_of(back, "vl5").parent].name, "sacroiliac");
}

// Joe: clavicles hang on the neck (vc7). Orientation is exact; the drift of the shoulder's place is reported.
TEST(TreeCases, ClaviclesUnderTheNeckKeepTheirOrientation) {
  auto specs = std::vector<JointSpec>{{"humanoid_root", "", Vec3(0, .95, 0)},
                                      {"sacroiliac", "humanoid_root", Vec3(0, .93, 0)},
                                      {"vl5", "humanoid_root", Vec3(0, 1, 0)},
                                      {"vt1", "vl5", Vec3(0, 1.4, 0)},
                                      {"vc7", "vt1", Vec3(0, 1.45, 0)},
                                      {"skullbase", "vc7", Vec3(0, 1.6, 0)},
                                      {"l_sternoclavicular", "vc7", Vec3(.03, 1.43, 0)},
                                      {"l_acromioclavicular", "l_sternoclavicular", Vec3(.12, 1.43, 0)},
                                      {"l_shoulder", "l_acromioclavicular", Vec3(.2, 1.42, 0)},
                                      {"l_elbow", "l_shoulder", Vec3(.2, 1.12, 0)},
                                      {"l_radiocarpal", "l_elbow", Vec3(.2, .87, 0)}};
  Humanoid figure = figure_of(with(specs, legs));
  const Quat nod = about(Vec3::UnitX(), 25), shrug = about(Vec3::UnitZ(), 15);
  test::turn(figure, "vc7", {Quat::Identity(), nod});
  test::turn(figure, "l_acromioclavicular", {Quat::Identity(), shrug});
  const Conversion made = converted(figure, "openmaterial", keep_rest());
  const Humanoid& asset = made.humanoid;
  EXPECT_THAT(turn_at(asset, "Neck", 1), test::SameTurn(nod, 1e-9));
  EXPECT_THAT(turn_at(asset, "Shoulder_Left", 1), test::SameTurn(nod * shrug, 1e-9));
  EXPECT_THAT(turn_at(asset, "Upper_Arm_Left", 1), test::SameTurn(nod * shrug, 1e-9));
  EXPECT_EQ(asset.skeleton[test::joint_of(asset, "Shoulder_Left").parent].name, "Upper_Spine");
  EXPECT_GT(made.report.worst_chain_drift_m, 1e-4) << "the neck carries the shoulder in the figure, not in the asset";
  const Humanoid back = converted(asset, "hanim-2", keep_rest()).humanoid;
  EXPECT_EQ(back.skeleton[test::joint_of(back, "l_sternoclavicular").parent].name, "vc7");
  EXPECT_THAT(turn_at(back, "l_shoulder", 1), test::SameTurn(nod * shrug, 1e-9));
}

// DiamondMan: vl5 and vl1 are siblings; the one that the table has farther along the chain tells the bone's orientation.
TEST(TreeCases, SiblingsOfOneChain) {
  auto specs = std::vector<JointSpec>{{"humanoid_root", "", Vec3(0, .95, 0)},  {"sacroiliac", "humanoid_root", Vec3(0, .93, 0)},
                                      {"vl5", "humanoid_root", Vec3(0, 1, 0)}, {"vl1", "humanoid_root", Vec3(0, 1.15, 0)},
                                      {"vt1", "vl1", Vec3(0, 1.4, 0)},         {"skullbase", "vt1", Vec3(0, 1.6, 0)}};
  Humanoid figure = figure_of(with(specs, legs));
  test::turn(figure, "vl5", {Quat::Identity(), about(Vec3::UnitX(), 10)});
  test::turn(figure, "vl1", {Quat::Identity(), about(Vec3::UnitZ(), 20)});
  const Humanoid asset = converted(figure, "openmaterial", keep_rest()).humanoid;
  EXPECT_THAT(turn_at(asset, "Lower_Spine", 1), test::SameTurn(about(Vec3::UnitZ(), 20), 1e-9));
  EXPECT_THAT(turn_at(asset, "Head", 1), test::SameTurn(about(Vec3::UnitZ(), 20), 1e-9));
  const Humanoid back = converted(asset, "hanim-2", keep_rest()).humanoid;
  EXPECT_EQ(back.skeleton[test::joint_of(back, "vl1").parent].name, "humanoid_root");
  EXPECT_THAT(turn_at(back, "skullbase", 1), test::SameTurn(about(Vec3::UnitZ(), 20), 1e-9));
}

// Nancy: one joint for the trunk and one for the neck. What is between is made up, and nothing turns that did not.
TEST(TreeCases, OneTrunkAndOneNeckJoint) {
  auto specs = std::vector<JointSpec>{{"humanoid_root", "", Vec3(0, .95, 0)},
                                      {"sacroiliac", "humanoid_root", Vec3(0, .93, 0)},
                                      {"vl5", "humanoid_root", Vec3(0, 1, 0)},
                                      {"vc4", "vl5", Vec3(0, 1.5, 0)},
                                      {"skullbase", "vc4", Vec3(0, 1.6, 0)}};
  Humanoid figure = figure_of(with(specs, legs));
  test::turn(figure, "vl5", {Quat::Identity(), about(Vec3::UnitX(), 30)});
  test::turn(figure, "vc4", {Quat::Identity(), about(Vec3::UnitY(), 40)});
  const Conversion made = converted(figure, "openmaterial", keep_rest());
  const Humanoid& asset = made.humanoid;
  EXPECT_THAT(turn_at(asset, "Lower_Spine", 1), test::SameTurn(about(Vec3::UnitX(), 30), 1e-9));
  EXPECT_THAT(turn_at(asset, "Upper_Spine", 1), test::SameTurn(about(Vec3::UnitX(), 30), 1e-9));
  EXPECT_THAT(turn_at(asset, "Neck", 1), test::SameTurn(about(Vec3::UnitX(), 30) * about(Vec3::UnitY(), 40), 1e-9));
  EXPECT_THAT(place_at(asset, "Head", 1), test::Near(place_at(figure, "skullbase", 1) + shift(asset), 1e-9));
  const Vec3 upper = test::place_of(asset, "Upper_Spine") - shift(asset);
  EXPECT_GT(upper.y(), 1);
  EXPECT_LT(upper.y(), 1.5);
}

// A root that stands on the ground moves the figure, but does not place the hip.
TEST(TreeCases, ARootOnTheGroundDoesNotPlaceTheHip) {
  auto specs = std::vector<JointSpec>{{"humanoid_root", "", Vec3(0, 0, 0)},
                                      {"sacroiliac", "humanoid_root", Vec3(0, .95, 0)},
                                      {"vl5", "humanoid_root", Vec3(0, 1, 0)},
                                      {"skullbase", "vl5", Vec3(0, 1.6, 0)}};
  const Humanoid figure = figure_of(with(specs, legs));
  const Humanoid asset = converted(figure, "openmaterial", keep_rest()).humanoid;
  EXPECT_THAT(test::place_of(asset, "Hip"), test::Near(Vec3(0, .95, 0) + shift(asset), 1e-12));
}

// A few joints of a higher level on a lower one's: none waits for what waits for it.
TEST(TreeCases, SparseSpinesComeToEveryLevel) {
  for (const std::vector<JointSpec>& spine :
       {std::vector<JointSpec>{
            {"vl5", "humanoid_root", Vec3(0, 1, 0)}, {"vt12", "vl5", Vec3(0, 1.2, 0)}, {"skullbase", "vt12", Vec3(0, 1.6, 0)}},
        std::vector<JointSpec>{
            {"vl5", "humanoid_root", Vec3(0, 1, 0)}, {"vc7", "vl5", Vec3(0, 1.4, 0)}, {"skullbase", "vc7", Vec3(0, 1.6, 0)}}}) {
    std::vector<JointSpec> specs{
        {"humanoid_root", "", Vec3(0, .9, 0)}, {"l_hip", "humanoid_root", Vec3(.1, .9, 0)}, {"r_hip", "humanoid_root", Vec3(-.1, .9, 0)}};
    specs.insert(specs.end(), spine.begin(), spine.end());
    for (int level = 0; level <= 4; ++level) {
      ConvertOptions options;
      options.to = "hanim-2";
      options.loa = level;
      const auto result = convert(figure_of(specs), MappingTables::built_in(), options);
      ASSERT_TRUE(result) << level << testing::PrintToString(result.diagnostics);
      EXPECT_NE(result->humanoid.skeleton.find("humanoid_root"), JointIndex::none);
      if (level >= 1) {
        EXPECT_NE(result->humanoid.skeleton.find("skullbase"), JointIndex::none);
      }
    }
  }
}

}  // namespace
}  // namespace vesalius
