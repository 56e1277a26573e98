// One figure in the many forms that exporters give its rig: what is read is always the same figure.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "formats/openmaterial/codes.hpp"
#include "property/measure.hpp"
#include "unit/cases/glb_file.hpp"

namespace vesalius {
namespace {

using nlohmann::json;
using test::Glb;
using test::read_glb;
using test::standard_asset;

const std::vector<double> times{0, 0.25, 0.5, 1, 1.5, 2};

/// Reads the file and expects the standard figure with its motion; single precision and tenfold units explain the bounds.
Humanoid expect_standard(const Glb& file, const char* what, double place_m = 1e-5, double turn_rad = 1e-5) {
  const Humanoid asset = standard_asset();
  auto read = read_glb(file.bytes());
  EXPECT_TRUE(read) << what << testing::PrintToString(read.diagnostics);
  if (!read) return {};
  const test::Difference d = test::measure(asset, *read);
  EXPECT_EQ(d.missing, 0u) << what << ": " << d.worst;
  EXPECT_LE(d.place_m, place_m) << what;
  EXPECT_LE(d.mesh_m, place_m) << what;
  EXPECT_LE(d.weight, 1e-6) << what;
  const test::MotionDifference m = test::measure_motion(asset, *read, times);
  EXPECT_LE(m.turn_rad, turn_rad) << what;
  EXPECT_LE(m.place_m, place_m) << what;
  return std::move(*read.value);
}

/// The inverse bind matrices, one by one.
template <class Edit>
void edit_binds(Glb& file, const Edit& edit) {
  const auto accessor = file.document["skins"][0]["inverseBindMatrices"].get<std::size_t>();
  for (std::size_t j = 0; j < file.count(accessor); ++j) {
    float* at = file.floats(accessor) + 16 * j;
    const Eigen::Matrix4d changed = edit(j, Eigen::Matrix4d(Eigen::Map<const Eigen::Matrix4f>(at).cast<double>()));
    for (int k = 0; k < 16; ++k) at[k] = static_cast<float>(changed.data()[k]);
  }
}
Eigen::Affine3d matrix(const Vec3& place, const Quat& turn, const Vec3& scale = Vec3::Ones()) {
  return Transform{place, turn, scale}.matrix();
}

TEST(Rigs, AsWritten) {
  Glb file(standard_asset());
  const Humanoid read = expect_standard(file, "as written");
  EXPECT_TRUE(read.poses.empty());
  EXPECT_EQ(read.source.facing, "+X");
  EXPECT_EQ(read.source.scale, 1);
}

// A file that was saved while its root bones were in a pose: rest, facing and size are those of the bind pose, and the clip plays as it
// does.
TEST(Rigs, APosedRootDoesNotLeak) {
  const std::array<Eigen::Affine3d, 4> poses{matrix(Vec3(0, 0.3, 1), Quat(Eigen::AngleAxisd(0.6, Vec3(1, 2, 3).normalized()))),
                                             matrix(Vec3::Zero(), Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()))),
                                             matrix(Vec3(2, 0, 0), Quat(Eigen::AngleAxisd(M_PI, Vec3::UnitY()))),
                                             matrix(Vec3::Zero(), Quat::Identity(), Vec3::Constant(1.7))};
  for (const auto& pose : poses) {
    for (const char* bone : {"Root", "Hip"}) {
      Glb file(standard_asset());
      Glb::premultiply(file.node(bone), pose);
      file.document.erase("animations");
      const auto read = read_glb(file.bytes());
      ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
      const test::Difference d = test::measure(standard_asset(), *read);
      EXPECT_LE(d.place_m, 1e-5);
      EXPECT_LE(d.mesh_m, 1e-5);
      EXPECT_EQ(read->source.facing, "+X");
      EXPECT_EQ(read->source.up, "+Y");
      EXPECT_NEAR(read->source.scale, 1, 1e-6);
      EXPECT_THAT(read.diagnostics, test::Reports(codes::openmaterial_bind_differs));
      ASSERT_EQ(read->poses.size(), 1u);
    }
  }
  // The pose is kept as a pose: the hip's own turn, seen from the canonical frame.
  Glb file(standard_asset());
  Glb::premultiply(file.node("Hip"), poses[1]);
  Humanoid posed = *read_glb(file.bytes());
  const auto change = global_change(posed.skeleton, posed.poses.at(0).pose);
  EXPECT_NEAR(angle_between_rad(rotation_of(change.change[index(posed.skeleton.find("Head"))]), Quat::Identity()), M_PI / 2, 1e-5);
  // The clip of the hip does not start from the pose.
  expect_standard(file, "posed hip with a clip");
  Glb root(standard_asset());
  Glb::premultiply(root.node("Root"), matrix(Vec3(0, 0.2, 0), Quat(Eigen::AngleAxisd(0.4, Vec3::UnitY()))));
  const auto read = read_glb(root.bytes());
  ASSERT_TRUE(read);
  EXPECT_LE(test::measure(standard_asset(), *read).place_m, 1e-5);
}

// Scenes above the figure: armatures in centimetres, lying on their backs, or both, folded in whatever the bind matrices say.
TEST(Rigs, ArmaturesAreFoldedIn) {
  const Quat lying(Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitX()));
  const auto armature = matrix(Vec3::Zero(), lying, Vec3::Constant(0.01));
  {
    // Mesh and bones in centimetres, lying; the armature makes them stand.
    Glb file(standard_asset());
    file.move_mesh_space(armature.inverse());
    Glb::premultiply(file.node("Armature"), armature);
    const Humanoid read = expect_standard(file, "centimetres below the armature");
    EXPECT_NEAR(read.source.scale, 0.01, 1e-8);
    EXPECT_EQ(read.source.up, "+Y");
  }
  {
    // The same on the first joint instead of a node above it.
    Glb file(standard_asset());
    file.move_mesh_space(armature.inverse());
    Glb::premultiply(file.node("Root"), armature);
    file.document.erase("animations");
    const auto read = read_glb(file.bytes());
    ASSERT_TRUE(read);
    EXPECT_LE(test::measure(standard_asset(), *read).place_m, 1e-5);
    EXPECT_NEAR(read->source.scale, 0.01, 1e-8);
  }
  {
    // The figure turned in its scene: the report says which way it faces, the figure is the same.
    Glb file(standard_asset());
    Glb::premultiply(file.node("Grp_Root"), matrix(Vec3(3, 0, 2), Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()))));
    EXPECT_EQ(expect_standard(file, "turned in the scene").source.facing, "-Z");
  }
}

TEST(Rigs, MirroredScenesAreUnmirrored) {
  // Everything below a node that mirrors left and right, stored so that the scene shows the figure as it is.
  Eigen::Affine3d mirror = Eigen::Affine3d::Identity();
  mirror.linear()(2, 2) = -1;
  const Humanoid asset = standard_asset();
  Humanoid turned_over = asset;  // glTF: below a mirror, triangles are counter-clockwise before they are mirrored
  for (auto& triangle : turned_over.parts[0].surfaces[0].triangles) std::swap(triangle[1], triangle[2]);
  Glb file(turned_over);
  file.move_mesh_space(mirror);
  Glb::premultiply(file.node("Grp_Root"), mirror);
  const Humanoid read = expect_standard(file, "mirrored", 1e-4, 2e-3);  // sampled: 1e-3 rad and 1e-4 m between keys, per bone
  EXPECT_EQ(read.source.facing, "+X");
  // Triangles look the way they do in the original.
  EXPECT_EQ(read.parts.at(0).surfaces.at(0).triangles.size(), asset.parts[0].surfaces[0].triangles.size());
  const auto area = [](const Part& part, std::size_t t) {
    const auto& c = part.surfaces[0].triangles[t];
    return Vec3((part.positions[c[1]] - part.positions[c[0]]).cross(part.positions[c[2]] - part.positions[c[0]]));
  };
  for (std::size_t t = 0; t < asset.parts[0].surfaces[0].triangles.size(); ++t)
    EXPECT_GT(area(asset.parts[0], t).dot(area(read.parts[0], t)), 0) << t;
}

// Bones whose own frames are mirrored, or stretched along the bone: the skin moves the same, so the figure is the same.
TEST(Rigs, MirroredAndUnevenBones) {
  for (const Vec3& scale : {Vec3(-1, 1, 1), Vec3(1, 2, 1), Vec3(1, 1, 0.5)}) {
    Glb file(standard_asset());
    const auto stretch = matrix(Vec3::Zero(), Quat::Identity(), scale);
    const std::size_t arm = file.node_index("Upper_Arm_Left"), below = file.node_index("Lower_Arm_Left");
    json& node = file.document["nodes"][arm];
    node["scale"] = {scale.x(), scale.y(), scale.z()};
    // What hangs on it undoes the scale, as exporters do.
    Glb::premultiply(file.document["nodes"][below], stretch.inverse());
    const auto joints = file.document["skins"][0]["joints"];
    edit_binds(file, [&](std::size_t j, const Eigen::Matrix4d& m) -> Eigen::Matrix4d {
      return joints[j] == json(arm) ? Eigen::Matrix4d(stretch.inverse().matrix() * m) : m;
    });
    // The animation of the child is in the scaled frame: a matrix says it no longer, so only the others move.
    auto& channels = file.document["animations"][0]["channels"];
    json kept = json::array();
    for (const json& channel : channels) {
      if (channel["target"]["node"] != json(below)) kept.push_back(channel);
    }
    channels = kept;
    const auto read = read_glb(file.bytes());
    ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
    Humanoid asset = standard_asset();
    std::erase_if(asset.clips[0].joints, [&](const JointTracks& t) { return asset.skeleton[t.joint].name == "Lower_Arm_Left"; });
    const test::Difference d = test::measure(asset, *read);
    EXPECT_LE(d.place_m, 1e-5);
    EXPECT_LE(d.mesh_m, 1e-5);
    // Frames: the y axis stays along the bone.
    const auto y = [](const Humanoid& h) { return Vec3(h.skeleton[h.skeleton.find("Upper_Arm_Left")].rest.turn * Vec3::UnitY()); };
    EXPECT_THAT(y(*read), test::Near(y(asset), 1e-5));
    const test::MotionDifference m = test::measure_motion(asset, *read, {0, 1, 2});
    EXPECT_LE(m.place_m, 1e-4);
    const auto now = global_change(read->skeleton, sample(read->skeleton, read->clips.at(0), 1));
    const auto then = global_change(asset.skeleton, sample(asset.skeleton, asset.clips[0], 1));
    const char* bone = "Upper_Arm_Left";
    EXPECT_THAT(rotation_of(now.change[index(read->skeleton.find(bone))]),
                test::SameTurn(rotation_of(then.change[index(asset.skeleton.find(bone))]), 1e-4));
  }
}

TEST(Rigs, NodesBetweenBones) {
  // A node that is no joint, with a transform, between two bones; below it the bone's own transform makes up for it.
  for (const bool moves : {false, true}) {
    Glb file(standard_asset());
    const auto between = matrix(Vec3(0.02, 0.1, -0.03), Quat(Eigen::AngleAxisd(0.7, Vec3(1, -1, 2).normalized())));
    const std::size_t head = file.node_index("Head");
    json& neck = file.node("Neck");
    neck["children"] = {file.document["nodes"].size()};
    json extra{{"name", "Grp_Between"}, {"children", {head}}};
    Glb::premultiply(extra, between);
    file.document["nodes"].push_back(extra);
    // The head's own transform and its keys, below the node.
    json& bone = file.document["nodes"][head];
    const Eigen::Affine3d local = between.inverse() * Glb::local_of(bone);
    const Quat turn = rotation_of(local);
    bone["translation"] = {local.translation().x(), local.translation().y(), local.translation().z()};
    bone["rotation"] = {turn.x(), turn.y(), turn.z(), turn.w()};
    json& animation = file.document["animations"][0];
    for (json& channel : animation["channels"]) {
      if (channel["target"]["node"] != json(head)) continue;
      const auto output = animation["samplers"][channel["sampler"].get<std::size_t>()]["output"].get<std::size_t>();
      for (std::size_t k = 0; k < file.count(output); ++k) {
        float* q = file.floats(output) + 4 * k;
        const Quat own = rotation_of(between).conjugate() * Quat(q[3], q[0], q[1], q[2]);
        for (int i = 0; i < 3; ++i) q[i] = static_cast<float>(own.vec()[i]);
        q[3] = static_cast<float>(own.w());
      }
    }
    if (!moves) {
      expect_standard(file, "a node between");
      continue;
    }
    // The node between moves instead of the bone: the motion arrives all the same.
    for (json& channel : animation["channels"]) {
      if (channel["target"]["node"] == json(head)) channel["target"]["node"] = file.document["nodes"].size() - 1;
    }
    json& node = file.document["nodes"].back();
    node.erase("matrix");
    node["translation"] = {0.02, 0.1, -0.03};
    const auto read = read_glb(file.bytes());
    ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
    const auto change = global_change(read->skeleton, sample(read->skeleton, read->clips.at(0), 1));
    const auto& skeleton = read->skeleton;
    EXPECT_GT(angle_between_rad(rotation_of(change.change[index(skeleton.find("Head"))]),
                                rotation_of(change.change[index(skeleton.find("Neck"))])),
              0.1);
  }
}

// A moving node above the figure carries it, as root motion does.
TEST(Rigs, AMovingArmatureCarriesTheFigure) {
  Glb file(standard_asset());
  const std::size_t times_at = file.add(std::vector<float>{0, 1, 2}, 5126, "SCALAR", 1);
  file.document["accessors"][times_at]["min"] = {0};
  file.document["accessors"][times_at]["max"] = {2};
  const std::size_t places = file.add(std::vector<float>{0, 0, 0, 1, 0, 0, 2, 0, 0}, 5126, "VEC3", 3);
  json& animation = file.document["animations"][0];
  animation["samplers"].push_back({{"input", times_at}, {"output", places}});
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", file.node_index("Armature")}, {"path", "translation"}}}});
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
  const Humanoid asset = standard_asset();
  for (const double t : times) {
    const auto now = model_from_joints(read->skeleton, sample(read->skeleton, read->clips.at(0), t));
    const auto then = model_from_joints(asset.skeleton, sample(asset.skeleton, asset.clips[0], t));
    for (std::size_t j = 0; j < now.size(); ++j) {
      const JointIndex same = read->skeleton.find(asset.skeleton.joints()[j].name);
      // Storage x is forward: canonical z. Sampled channels are within 1e-4 m each; ten of them follow each other.
      EXPECT_THAT(now[index(same)].translation(), test::Near(then[j].translation() + Vec3(0, 0, t), 1e-3)) << t;
    }
  }
}

TEST(Rigs, JointsAsMatrices) {
  Glb file(standard_asset());
  file.document.erase("animations");
  for (const auto& joint : file.document["skins"][0]["joints"])
    Glb::premultiply(file.document["nodes"][joint.get<std::size_t>()], Eigen::Affine3d::Identity());
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read);
  const test::Difference d = test::measure(standard_asset(), *read);
  EXPECT_EQ(d.missing, 0u) << d.worst;
  EXPECT_LE(d.place_m, 1e-5);
  EXPECT_LE(d.turn_rad, 1e-5);
  EXPECT_LE(d.mesh_m, 1e-5);
  EXPECT_TRUE(read->poses.empty());
}

// D11 and D12: positions in 16 bits with the dequantisation in the bind matrices, and some of them sparse.
TEST(Rigs, QuantisedAndSparsePositions) {
  Glb file(standard_asset());
  const double step = 1.0 / 8192;  // the box of the figure is less than 4 m wide
  auto& attributes = file.document["meshes"][0]["primitives"][0]["attributes"];
  const auto old = attributes["POSITION"].get<std::size_t>();
  const std::size_t n = file.count(old);
  std::vector<std::int16_t> numbers;
  for (std::size_t i = 0; i < 3 * n; ++i) numbers.push_back(static_cast<std::int16_t>(std::lround(file.floats(old)[i] / step)));
  // The last vertex is a sparse element.
  const std::vector<std::int16_t> last(numbers.end() - 3, numbers.end());
  std::fill(numbers.end() - 3, numbers.end(), std::int16_t{0});
  std::vector<std::int16_t> padded;  // elements start at multiples of four bytes
  for (std::size_t v = 0; v < n; ++v) padded.insert(padded.end(), {numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2], 0});
  const std::size_t view = file.add_view(padded);
  file.document["bufferViews"][view]["byteStride"] = 8;
  const std::size_t where = file.add_view(std::vector<std::uint16_t>{static_cast<std::uint16_t>(n - 1)});
  const std::size_t what = file.add_view(last);
  file.document["accessors"].push_back(
      {{"bufferView", view},
       {"componentType", 5122},
       {"type", "VEC3"},
       {"count", n},
       {"sparse", {{"count", 1}, {"indices", {{"bufferView", where}, {"componentType", 5123}}}, {"values", {{"bufferView", what}}}}}});
  attributes["POSITION"] = file.document["accessors"].size() - 1;
  file.document["extensionsUsed"] = {"KHR_mesh_quantization"};
  file.document["extensionsRequired"] = {"KHR_mesh_quantization"};
  const auto scale = matrix(Vec3::Zero(), Quat::Identity(), Vec3::Constant(step));
  edit_binds(file, [&](std::size_t, const Eigen::Matrix4d& m) -> Eigen::Matrix4d { return m * scale.matrix(); });
  file.node("Body_Standard")["scale"] = {step, step, step};
  // Half a step of rounding along each axis.
  const Humanoid read = expect_standard(file, "quantised", step);
  EXPECT_NEAR(read.source.scale, step, 1e-9);
}

TEST(Rigs, WhatTheModelCannotHoldIsReported) {
  Glb file(standard_asset());
  auto& primitive = file.document["meshes"][0]["primitives"][0];
  const std::size_t n = file.count(primitive["attributes"]["POSITION"].get<std::size_t>());
  primitive["attributes"]["TANGENT"] = file.add(std::vector<float>(4 * n, 0.5f), 5126, "VEC4", 4);
  primitive["attributes"]["TEXCOORD_1"] = file.add(std::vector<float>(2 * n, 0.5f), 5126, "VEC2", 2);
  primitive["attributes"]["COLOR_1"] = file.add(std::vector<float>(4 * n, 0.5f), 5126, "VEC4", 4);
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read);
  std::string said;
  for (const Diagnostic& finding : read.diagnostics.items()) {
    if (finding.code == codes::openmaterial_dropped_attribute) said += finding.message;
  }
  for (const char* attribute : {"TANGENT", "TEXCOORD_1", "COLOR_1"}) EXPECT_NE(said.find(attribute), std::string::npos) << attribute;
}

TEST(Rigs, AnAssetWithoutTrianglesIsNotWritten) {
  Humanoid asset = standard_asset();
  asset.parts.clear();
  const auto files = openmaterial_to_files(asset, "none", MappingTables::built_in());
  EXPECT_FALSE(files);
  EXPECT_THAT(files.diagnostics, test::Reports(codes::openmaterial_no_triangles));
}

// D25: a spline of morph weights between its keys, 0 and 1 with level tangents: 3u^2 - 2u^3.
TEST(Rigs, SplinesOfMorphWeightsAreSampled) {
  Humanoid asset = standard_asset();
  Morph morph;
  morph.name = "smile";
  morph.vertices = {3};
  morph.displacements = {Vec3(0, 0, .01)};
  asset.parts[0].morphs = {morph};
  Glb file(asset);
  const std::size_t at = file.add(std::vector<float>{0, 2}, 5126, "SCALAR", 1);
  file.document["accessors"][at]["min"] = {0};
  file.document["accessors"][at]["max"] = {2};
  const std::size_t values = file.add(std::vector<float>{0, 0, 0, 0, 1, 0}, 5126, "SCALAR", 1);
  json& animation = file.document["animations"][0];
  animation["samplers"].push_back({{"input", at}, {"output", values}, {"interpolation", "CUBICSPLINE"}});
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", file.node_index("Body_Standard")}, {"path", "weights"}}}});
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
  ASSERT_EQ(read->clips.at(0).morphs.size(), 1u);
  for (double u = 0; u <= 1; u += 1.0 / 16)
    EXPECT_NEAR(sample(read->clips[0].morphs[0].weight, 2 * u), 3 * u * u - 2 * u * u * u, 1.2e-3) << u;
}

TEST(Rigs, SitesKeepTheirScale) {
  Humanoid asset = standard_asset();
  const Quat turn(Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()));
  asset.sites.push_back({"grip", asset.skeleton.find("Hand_Left"), "", {Vec3(.5, .9, 0), turn}, Vec3(1, 2, 3)});
  const auto read = read_glb(Glb(asset).bytes());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->sites.size(), 1u);
  EXPECT_THAT(read->sites[0].scale, test::Near(Vec3(1, 2, 3), 1e-6));
  EXPECT_THAT(read->sites[0].rest.turn, test::SameTurn(turn, 1e-6));
}

}  // namespace
}  // namespace vesalius
