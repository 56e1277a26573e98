#include "vesalius/humanoid.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "model/codes.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::Reports;
using test::small_humanoid;

TEST(BrokenInvariants, NoneInASoundHumanoid) {
  EXPECT_THAT(broken_invariants(small_humanoid()), test::IsEmpty());
  EXPECT_THAT(broken_invariants(Humanoid{}), test::IsEmpty());
}

struct Damage {
  const char* what;
  std::function<void(Humanoid&)> make;
};

const double nan_value = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();

const Damage damages[] = {
    {"normals", [](Humanoid& h) { h.parts[0].normals.pop_back(); }},
    {"normal_length", [](Humanoid& h) { h.parts[0].normals[0] *= 2; }},
    {"uvs", [](Humanoid& h) { h.parts[0].uvs.resize(2); }},
    {"colours", [](Humanoid& h) { h.parts[0].colours.resize(1); }},
    {"points", [](Humanoid& h) { h.parts[0].points.resize(4); }},
    {"position_nan", [](Humanoid& h) { h.parts[0].positions[1].x() = nan_value; }},
    {"influence_lists", [](Humanoid& h) { h.parts[0].influences.begin.pop_back(); }},
    {"influence_joint", [](Humanoid& h) { h.parts[0].influences.items[0].joint = static_cast<JointIndex>(3); }},
    {"influence_none", [](Humanoid& h) { h.parts[0].influences.items[0].joint = JointIndex::none; }},
    {"weight_negative", [](Humanoid& h) { h.parts[0].influences.items[0].weight = -0.1; }},
    {"weight_nan", [](Humanoid& h) { h.parts[0].influences.items[0].weight = nan_value; }},
    {"kept_influences", [](Humanoid& h) { h.parts[0].kept_influences.end_vertex(); }},
    {"material_index", [](Humanoid& h) { h.parts[0].surfaces[0].material = 1; }},
    {"triangle_vertex", [](Humanoid& h) { h.parts[0].surfaces[0].triangles[0][2] = 3; }},
    {"morph_size", [](Humanoid& h) { h.parts[0].morphs[0].displacements.pop_back(); }},
    {"morph_order",
     [](Humanoid& h) {
       h.parts[0].morphs[0].vertices = {2, 0};
     }},
    {"morph_vertex",
     [](Humanoid& h) {
       h.parts[0].morphs[0].vertices = {0, 3};
     }},
    {"morph_joint", [](Humanoid& h) { h.parts[0].morphs[0].joint = static_cast<JointIndex>(9); }},
    {"texture_index", [](Humanoid& h) { h.materials[0].base_texture = 0; }},
    {"site_joint", [](Humanoid& h) { h.sites[0].joint = static_cast<JointIndex>(3); }},
    {"site_turn", [](Humanoid& h) { h.sites[0].rest.turn.coeffs() *= 2; }},
    {"segment_joint", [](Humanoid& h) { h.segments.emplace_back().joint = static_cast<JointIndex>(3); }},
    {"clip_joint", [](Humanoid& h) { h.clips[0].joints[0].joint = static_cast<JointIndex>(3); }},
    {"clip_twice", [](Humanoid& h) { h.clips[0].joints.push_back(h.clips[0].joints[0]); }},
    {"clip_values", [](Humanoid& h) { h.clips[0].joints[0].rotation.values.pop_back(); }},
    {"clip_times",
     [](Humanoid& h) {
       h.clips[0].joints[0].rotation.times_s = {1, 1};
     }},
    {"clip_turn", [](Humanoid& h) { h.clips[0].joints[0].rotation.values[0].coeffs() *= 1.1; }},
    {"clip_morph", [](Humanoid& h) { h.clips[0].morphs[0].morph = 1; }},
    {"clip_scale_infinite",
     [](Humanoid& h) {
       h.clips[0].joints[0].scale.times_s = {0, 1};
       h.clips[0].joints[0].scale.values = {Vec3::Ones(), Vec3(1, endless, 1)};
     }},
    {"clip_translation_nan",
     [](Humanoid& h) {
       h.clips[0].joints[0].translation.times_s = {0};
       h.clips[0].joints[0].translation.values = {Vec3(nan_value, 0, 0)};
     }},
    {"clip_turn_nan", [](Humanoid& h) { h.clips[0].joints[0].rotation.values[0].w() = nan_value; }},
    {"clip_morph_infinite", [](Humanoid& h) { h.clips[0].morphs[0].weight.values[1] = endless; }},
    {"clip_duration", [](Humanoid& h) { h.clips[0].duration_s = endless; }},
    {"morph_displacement", [](Humanoid& h) { h.parts[0].morphs[0].displacements[1].z() = endless; }},
    {"morph_weight", [](Humanoid& h) { h.parts[0].morphs[0].weight = nan_value; }},
    {"site_scale", [](Humanoid& h) { h.sites[0].scale.x() = endless; }},
    {"segment_mass", [](Humanoid& h) { h.segments.emplace_back().mass_kg = -1; }},
    {"segment_inertia", [](Humanoid& h) { h.segments.emplace_back().moments_of_inertia = endless * Eigen::Matrix3d::Ones(); }},
    {"pose_scale",
     [](Humanoid& h) {
       h.poses.push_back({"bad", rest_pose(h.skeleton)});
       h.poses[0].pose.parent_from_joint[0].scale.y() = endless;
     }},
    {"pose_size", [](Humanoid& h) { h.poses.emplace_back().pose.parent_from_joint.resize(2); }},
};

class BrokenInvariantsOf : public ::testing::TestWithParam<Damage> {};

TEST_P(BrokenInvariantsOf, AreFound) {
  Humanoid human = small_humanoid();
  GetParam().make(human);
  EXPECT_THAT(broken_invariants(human), Reports(codes::model_invariant));
}

INSTANTIATE_TEST_SUITE_P(Each, BrokenInvariantsOf, ::testing::ValuesIn(damages),
                         [](const auto& each) { return std::string(each.param.what); });

}  // namespace
}  // namespace vesalius
