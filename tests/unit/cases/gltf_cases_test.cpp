// What real glTF files bring, one small input per case: files are written from a model and then changed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "formats/gltf/codes.hpp"
#include "formats/openmaterial/codes.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "unit/cases/glb_file.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius {
namespace {

using nlohmann::json;

const MappingTables& tables() {
  return MappingTables::built_in();
}

/// A figure of a few bones with one triangle on each.
Humanoid bones() {
  Humanoid human;
  human.name = "few";
  human.profile = "openmaterial";
  human.materials.emplace_back().name = "Skin";
  human.skeleton = *Skeleton::create(
      {test::joint_at("Root", -1, Vec3::Zero(), MappingTables::built_in().profile("openmaterial")->find("Root")->rest_frame),
       test::joint_at("Hip", 0, Vec3(0, .9, 0)), test::joint_at("Upper_Leg_Left", 1, Vec3(.09, .85, 0)),
       test::joint_at("Upper_Leg_Right", 1, Vec3(-.09, .85, 0)), test::joint_at("Head", 1, Vec3(0, 1.6, 0))});
  Part part;
  part.name = "Body_Few";
  Surface surface;
  surface.material = 0;
  for (std::uint32_t j = 0; j < 5; ++j) {
    const Vec3 at = human.skeleton.joints()[j].rest.place;
    for (const Vec3& by : {Vec3(0, 0, .05), Vec3(.05, 0, .05), Vec3(0, .05, .05)}) {
      part.positions.push_back(at + by);
      part.normals.push_back(Vec3::UnitZ());
      part.influences.items.push_back({joint_index(j), 1.0});
      part.influences.end_vertex();
    }
    surface.triangles.push_back({3 * j, 3 * j + 1, 3 * j + 2});
  }
  part.surfaces = {surface};
  human.parts = {part};
  return human;
}

using test::Glb;

Result<Humanoid> read(const std::string& bytes, GltfReadOptions options = {}) {
  auto result = read_openmaterial(std::as_bytes(std::span(bytes)), tables(), options);
  if (result) test::expect_sound(*result);
  return result;
}
Vec3 place(const Humanoid& human, const char* joint) {
  return human.skeleton[human.skeleton.find(joint)].rest.place;
}

TEST(GltfCases, A01FacingIsMeasuredForBothFronts) {
  for (const GltfFront front : {GltfFront::plus_x, GltfFront::plus_z}) {
    GltfWriteOptions options;
    options.front = front;
    const auto made = read(Glb(bones(), options).bytes());
    ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
    EXPECT_EQ(made->source.facing, front == GltfFront::plus_x ? "+X" : "+Z");
    EXPECT_THAT(place(*made, "Upper_Leg_Left"), test::Near(Vec3(.09, .85, 0), 1e-6));
  }
}

TEST(GltfCases, D01TransformsOfSkinnedMeshesMeanNothing) {
  Glb file(bones());
  file.node("Body_Few")["translation"] = {0, 1, 0};
  const auto made = read(file.bytes());
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::openmaterial_skinned_transform));
  EXPECT_THAT(made->parts.at(0).positions[0], test::Near(Vec3(0, 0, .05), 1e-6));
}

TEST(GltfCases, D03BindPoseIsTheRestPoseUnlessAsked) {
  Glb file(bones());
  file.node("Upper_Leg_Left")["rotation"] = {std::sin(.35), 0, 0, std::cos(.35)};
  const auto bind = read(file.bytes());
  ASSERT_TRUE(bind);
  EXPECT_THAT(bind.diagnostics, test::Reports(codes::openmaterial_bind_differs));
  EXPECT_EQ(bind->poses.size(), 1u);
  EXPECT_THAT(bind->skeleton[bind->skeleton.find("Upper_Leg_Left")].rest.turn, test::SameTurn(Quat::Identity(), 1e-6));
  GltfReadOptions options;
  options.rest = GltfRest::nodes;
  const auto nodes = read(file.bytes(), options);
  ASSERT_TRUE(nodes);
  EXPECT_GT(angle_between_rad(nodes->skeleton[nodes->skeleton.find("Upper_Leg_Left")].rest.turn, Quat::Identity()), .6);
}

TEST(GltfCases, D04AndD05WeightsAreRepairedAndCounted) {
  Glb file(bones());
  const auto& attributes = file.document["meshes"][0]["primitives"][0]["attributes"];
  float* weights = file.floats(attributes["WEIGHTS_0"].get<std::size_t>());
  weights[0] = .5f;
  weights[4] = -.5f;
  weights[8] = 0;
  const auto made = read(file.bytes());
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::openmaterial_weights));
  EXPECT_THAT(made.diagnostics, test::Reports(codes::openmaterial_unweighted));
  EXPECT_NEAR(weight_sum(made->parts.at(0).influences.of(0)), 1, 1e-9);
  EXPECT_TRUE(made->parts[0].influences.of(1).empty());
}

TEST(GltfCases, D10JointNumbersCountTheSkinsJoints) {
  Glb file(bones());
  const auto made = read(file.bytes());
  ASSERT_TRUE(made);
  for (std::size_t v = 0; v < 15; ++v)
    EXPECT_EQ(made->skeleton[made->parts.at(0).influences.of(v)[0].joint].name, bones().skeleton.joints()[v / 3].name);
  const auto accessor = file.document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"].get<std::size_t>();
  *reinterpret_cast<std::uint8_t*>(file.floats(accessor)) = 200;
  const auto bad = read(file.bytes());
  EXPECT_FALSE(bad);
  EXPECT_THAT(bad.diagnostics, test::Reports(codes::openmaterial_bad_joint));
}

TEST(GltfCases, D16ArmaturesScaledAndLyingDown) {
  Glb file(bones());
  // The armature in centimetres on its back: nodes and binds agree, vertices stay in metres.
  const double h = std::sqrt(.5);
  file.node("Armature")["scale"] = {.01, .01, .01};
  file.node("Armature")["rotation"] = {-h, 0, 0, h};
  for (const char* name : {"Hip", "Upper_Leg_Left", "Upper_Leg_Right", "Head"}) {
    auto& t = file.node(name)["translation"];
    for (auto& v : t) v = v.get<double>() * 100;
  }
  file.node("Root")["rotation"] = {h, 0, 0, h};
  float* inverse = file.floats(file.document["skins"][0]["inverseBindMatrices"].get<std::size_t>());
  for (int j = 0; j < 5; ++j) {
    for (int k = 0; k < 16; ++k) {
      if (k % 4 != 3) inverse[16 * j + k] *= 100;
    }
  }
  const auto made = read(file.bytes());
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_THAT(place(*made, "Head"), test::Near(Vec3(0, 1.6, 0), 1e-5));
  EXPECT_THAT(place(*made, "Upper_Leg_Left"), test::Near(Vec3(.09, .85, 0), 1e-5));
  EXPECT_NEAR(bounding_box(made->parts).max().y(), 1.65, 1e-5);
}

TEST(GltfCases, D28SameNamesGetNumbers) {
  Glb file(bones());
  file.node("Head")["name"] = "Hip";
  const auto made = read(file.bytes());
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::openmaterial_renamed));
  EXPECT_NE(made->skeleton.find("Hip_2"), JointIndex::none);
  Glb numbered(bones());
  numbered.node("Head")["name"] = "Head.001";
  EXPECT_NE(read(numbered.bytes())->skeleton.find("Head"), JointIndex::none);
}

TEST(GltfCases, D13CompressedFilesAreRefusedByName) {
  for (const char* extension : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}) {
    Glb file(bones());
    file.document["extensionsUsed"] = {extension};
    file.document["extensionsRequired"] = {extension};
    const auto made = read(file.bytes());
    EXPECT_FALSE(made);
    bool named = false;
    for (const Diagnostic& finding : made.diagnostics.items())
      named = named || (finding.code == codes::gltf_unsupported_extension && finding.message.find(extension) != std::string::npos &&
                        finding.message.find("gltf-transform/cli") != std::string::npos);
    EXPECT_TRUE(named) << extension << " with the command that decompresses it";
  }
}

TEST(GltfCases, D32NotANumberIsRefused) {
  Glb file(bones());
  file.floats(file.document["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<std::size_t>())[4] =
      std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(read(file.bytes()));
}

TEST(GltfCases, G01LengthsOfChunksAreChecked) {
  std::string bytes = "glTF" + std::string("\x02\0\0\0\x14\0\0\0", 8) + std::string("\xFF\xFF\xFF\xFF", 4) + "JSON";
  EXPECT_THAT(read(bytes).diagnostics, test::Reports(codes::gltf_bad_glb));
  for (std::size_t length = 0; length < 60; ++length) EXPECT_FALSE(read(Glb(bones()).bytes().substr(0, length))) << length;
}

TEST(GltfCases, G02RangesOfAccessorsAreChecked) {
  for (const std::uint64_t count : {std::uint64_t{1} << 62, std::uint64_t{1} << 33, std::uint64_t{1000}}) {
    Glb file(bones());
    file.document["accessors"][file.document["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<std::size_t>()]["count"] = count;
    EXPECT_FALSE(read(file.bytes())) << count;
  }
}

TEST(GltfCases, G04UrisStayInTheFolder) {
  for (const char* uri : {"../x.bin", "/etc/passwd", "file:///etc/passwd", "%2e%2e/x.bin", "http://nowhere.invalid/x.bin"}) {
    Glb file(bones());
    file.document["buffers"].push_back({{"byteLength", 4}, {"uri", uri}});
    EXPECT_FALSE(read(file.bytes())) << uri;
  }
}

TEST(GltfCases, G08DeepNestingIsAnError) {
  EXPECT_THAT(read("{\"a\":" + std::string(100'000, '[')).diagnostics, test::Reports(codes::gltf_too_deep));
}

// Section 6: names, tree, transforms, limits of what is written.
TEST(GltfCases, WrittenTreeIsTheStandards) {
  Glb file(bones());
  EXPECT_EQ(file.document["nodes"][file.document["scenes"][0]["nodes"][0].get<std::size_t>()]["name"], "Grp_Root");
  for (const char* name : {"Grp_Root", "Armature", "Root", "Body_Few"}) {
    for (const char* transform : {"translation", "rotation", "scale", "matrix"}) EXPECT_FALSE(file.node(name).contains(transform)) << name;
  }
  EXPECT_EQ(file.document["skins"].size(), 1u);
  EXPECT_TRUE(file.document["meshes"][0]["primitives"][0].contains("material"));
}

TEST(GltfCases, A06MassIsAskedSummedOrMissed) {
  const auto xoma = [](const Humanoid& human, const GltfWriteOptions& options, Diagnostics* findings = nullptr) {
    const auto files = openmaterial_to_files(human, "few", tables(), options);
    if (findings != nullptr) *findings = files.diagnostics;
    const auto& bytes = files->files.back().second;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  Humanoid human = bones();
  Diagnostics findings;
  EXPECT_FALSE(json::parse(xoma(human, {}, &findings))["metadata"].contains("humanClassData"));
  EXPECT_THAT(findings, test::Reports(codes::openmaterial_no_mass));
  for (const double mass : {3.0, 2.0, 1.0})
    human.segments.push_back({"s" + std::to_string(mass), joint_index(1), mass, std::nullopt, std::nullopt});
  EXPECT_EQ(json::parse(xoma(human, {}))["metadata"]["humanClassData"]["mass"], 6);
  GltfWriteOptions options;
  options.mass_kg = 71;
  const std::string text = xoma(human, options);
  EXPECT_EQ(json::parse(text)["metadata"]["humanClassData"]["mass"], 71);
  // Rule schema_references: $schema on the second line.
  const auto second = text.find('\n') + 1;
  EXPECT_NE(text.substr(second, text.find('\n', second) - second).find("\"$schema\""), std::string::npos);
  // A05: the box in the frame of the OpenMATERIAL text, x forward, y left, z up.
  const json box = json::parse(text)["metadata"]["boundingBox"];
  EXPECT_NEAR(box["z"][1].get<double>(), 1.65, 1e-6);
  EXPECT_NEAR(box["y"][1].get<double>(), .14, 1e-6);
  EXPECT_NEAR(box["x"][0].get<double>(), .05, 1e-6);
}

}  // namespace
}  // namespace vesalius
