// What real OpenMATERIAL and glTF humans bring, one small input per case.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "formats/openmaterial/codes.hpp"
#include "property/measure.hpp"
#include "unit/cases/glb_file.hpp"
#include "vesalius/convert.hpp"

namespace vesalius {
namespace {

using nlohmann::json;
using test::Glb;
using test::read_glb;
using test::standard_asset;

const MappingTables& tables() {
  return MappingTables::built_in();
}
Humanoid must(Result<Humanoid> read) {
  EXPECT_TRUE(read) << testing::PrintToString(read.diagnostics);
  return read ? std::move(*read.value) : Humanoid();
}
Humanoid to(const Humanoid& source, const std::string& profile, ConvertOptions options = {}) {
  options.to = profile;
  auto made = convert(source, tables(), options);
  EXPECT_TRUE(made) << testing::PrintToString(made.diagnostics);
  if (!made) return {};
  test::expect_sound(made->humanoid);
  return std::move(made->humanoid);
}
ConvertOptions without_extras() {
  ConvertOptions options;
  options.extras = false;
  return options;
}
const Joint& joint(const Humanoid& human, const std::string& name) {
  return human.skeleton[human.skeleton.find(name)];
}
/// Global change of orientation of a joint at a time of the first clip.
Quat change(const Humanoid& human, const std::string& name, double time_s) {
  const auto all = global_change(human.skeleton, sample(human.skeleton, human.clips.at(0), time_s));
  return rotation_of(all.change[index(human.skeleton.find(name))]);
}
/// The figure with other parents or frames.
template <class Edit>
Humanoid edited(Humanoid human, const Edit& edit) {
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end());
  for (Joint& each : joints) edit(each);
  human.skeleton = *Skeleton::create(std::move(joints));
  return human;
}
/// One clip of a second in which one joint makes a turn, given in canonical axes.
Clip turning(const Humanoid& human, const std::vector<std::string>& names, const Quat& turn) {
  Clip clip;
  clip.name = "Turn";
  clip.duration_s = 1;
  const auto rest = rest_locals(human.skeleton);
  for (const std::string& name : names) {
    JointTracks tracks;
    tracks.joint = human.skeleton.find(name);
    const Quat& frame = joint(human, name).rest.turn;
    tracks.rotation.times_s = {0, 1};
    tracks.rotation.values = {rest[index(tracks.joint)].rotation, rest[index(tracks.joint)].rotation * (frame.conjugate() * turn * frame)};
    clip.joints.push_back(tracks);
  }
  std::ranges::sort(clip.joints, {}, &JointTracks::joint);
  return clip;
}
std::size_t dropping(Glb& file, const std::string& name) {
  const std::size_t gone = file.node_index(name);
  for (json& node : file.document["nodes"]) {
    if (!node.contains("children")) continue;
    auto& children = node["children"];
    children.erase(std::remove(children.begin(), children.end(), json(gone)), children.end());
    if (children.empty()) node.erase("children");
  }
  return gone;
}

TEST(OpenMaterialCases, A02ShouldersHangOnEitherSpineBone) {
  const Quat bend(Eigen::AngleAxisd(M_PI / 6, Vec3::UnitX()));
  for (const bool printed : {false, true}) {
    Humanoid asset = standard_asset();
    const JointIndex lower = asset.skeleton.find("Lower_Spine");
    if (printed) {
      asset = edited(std::move(asset), [&](Joint& each) {
        if (each.name.starts_with("Shoulder_")) each.parent = lower;
      });
    }
    asset.clips = {turning(asset, {"Upper_Spine"}, bend)};
    auto read = read_glb(Glb(asset).bytes());
    ASSERT_TRUE(read);
    std::size_t said = 0;
    for (const Diagnostic& finding : read.diagnostics.items()) said += finding.code == codes::openmaterial_tree ? finding.count : 0;
    EXPECT_EQ(said, printed ? 2u : 0u) << "one note per shoulder that hangs otherwise";
    EXPECT_THAT(joint(*read, "Shoulder_Left").rest.place, test::Near(joint(asset, "Shoulder_Left").rest.place, 1e-6));
    const Humanoid figure = to(*read, "hanim-2");
    // A bend of the upper spine carries the arms only where they hang on it.
    const auto made = [](const Humanoid& human, const char* name) {
      return Quat(change(human, name, 1) * change(human, name, 0).conjugate());
    };
    EXPECT_THAT(made(figure, "l_shoulder"), test::SameTurn(printed ? Quat::Identity() : bend, 1e-5));
    EXPECT_THAT(change(figure, "vt1", 1), test::SameTurn(bend, 1e-5));
    const Humanoid back = to(figure, "openmaterial");
    EXPECT_EQ(back.skeleton[joint(back, "Shoulder_Left").parent].name, printed ? "Lower_Spine" : "Upper_Spine");
    EXPECT_THAT(made(back, "Upper_Arm_Left"), test::SameTurn(printed ? Quat::Identity() : bend, 1e-5));
  }
}

// The writer's tree is the example's; the table of the printed tree is the switch.
TEST(OpenMaterialCases, A02TheWrittenTreeIsATable) {
  const auto printed =
      tables().with_file(std::filesystem::path(VESALIUS_SOURCE_DIR) / "mappings/alternatives/openmaterial_printed_tree.xml");
  ASSERT_TRUE(printed) << testing::PrintToString(printed.diagnostics);
  const Humanoid figure = to(standard_asset(), "hanim-2", without_extras());
  ConvertOptions options;
  options.to = "openmaterial";
  for (const bool other : {false, true}) {
    const auto made = convert(figure, other ? *printed : tables(), options);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->humanoid.skeleton[joint(made->humanoid, "Shoulder_Right").parent].name, other ? "Lower_Spine" : "Upper_Spine");
  }
}

TEST(OpenMaterialCases, A03FramesAreTheFilesOwn) {
  // The left foot is rolled by half a turn about its own y; both ankles make the same turn in the world.
  Humanoid asset = edited(standard_asset(), [](Joint& each) {
    if (each.name == "Foot_Left") each.rest.turn = each.rest.turn * Quat(Eigen::AngleAxisd(M_PI, Vec3::UnitY()));
  });
  const Quat step(Eigen::AngleAxisd(0.5, Vec3::UnitX()));
  asset.clips = {turning(asset, {"Foot_Left", "Foot_Right"}, step)};
  const Humanoid read = must(read_glb(Glb(asset).bytes()));
  EXPECT_LT((joint(read, "Foot_Left").rest.turn * Vec3::UnitX()).y(), -0.9);
  Humanoid figure = to(read, "hanim-2");
  EXPECT_THAT(change(figure, "l_talocrural", 1), test::SameTurn(step, 1e-5));
  EXPECT_THAT(change(figure, "r_talocrural", 1), test::SameTurn(step, 1e-5));
  // Written without what was kept, both feet have x up and mirror each other.
  figure.parts.clear();  // leaf bones would point where the random triangles are
  const Humanoid fresh = to(figure, "openmaterial", without_extras());
  for (const char* foot : {"Foot_Left", "Foot_Right", "Full_Toes_Left", "Full_Toes_Right"})
    EXPECT_GT((joint(fresh, foot).rest.turn * Vec3::UnitX()).y(), 0.9) << foot;
  EXPECT_THAT(change(fresh, "Foot_Left", 1), test::SameTurn(step, 1e-5));
}

TEST(OpenMaterialCases, A08BrokenChainsAreSaidAndCarried) {
  Glb file(standard_asset());
  // Lower_Arm_Left is no joint and no node any more; the hand hangs on the upper arm at the same place.
  json& hand = file.node("Hand_Left");
  Glb::premultiply(hand, Glb::local_of(file.node("Lower_Arm_Left")));
  const std::size_t hand_index = file.node_index("Hand_Left");
  const std::size_t gone = dropping(file, "Lower_Arm_Left");
  file.document["nodes"][gone].erase("children");
  file.document["nodes"][gone]["name"] = "Nothing";
  file.node("Upper_Arm_Left")["children"] = {hand_index};
  file.document.erase("animations");
  auto& joints = file.document["skins"][0]["joints"];
  for (json& each : joints) {
    if (each == json(gone)) each = file.node_index("Upper_Arm_Left");
  }
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
  EXPECT_THAT(read.diagnostics, test::Reports(codes::openmaterial_missing_parent));
  EXPECT_EQ(read->skeleton.find("Lower_Arm_Left"), JointIndex::none);
  const Humanoid figure = to(*read, "hanim-2");
  EXPECT_EQ(figure.skeleton.find("l_elbow"), JointIndex::none);
  EXPECT_EQ(figure.skeleton[joint(figure, "l_radiocarpal").parent].name, "l_shoulder");
  const Humanoid back = to(figure, "openmaterial");
  EXPECT_EQ(back.skeleton.find("Lower_Arm_Left"), JointIndex::none) << "bones it never had are not made up";
  EXPECT_THAT(joint(back, "Hand_Left").rest.place, test::Near(joint(*read, "Hand_Left").rest.place, 1e-9));
}

TEST(OpenMaterialCases, A14FloatNoiseOfScaleIsNoMotion) {
  Glb file(standard_asset());
  const std::size_t times = file.add(std::vector<float>{0, 1}, 5126, "SCALAR", 1);
  const float almost = 0.9999998f;
  const std::size_t values = file.add(std::vector<float>(6, almost), 5126, "VEC3", 3);
  file.document["accessors"][times]["min"] = {0};
  file.document["accessors"][times]["max"] = {1};
  json& animation = file.document["animations"][0];
  animation["samplers"].push_back({{"input", times}, {"output", values}});
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", file.node_index("Head")}, {"path", "scale"}}}});
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read);
  EXPECT_THAT(read.diagnostics, test::Reports(codes::openmaterial_constant_track));
  for (const JointTracks& tracks : read->clips.at(0).joints) EXPECT_TRUE(tracks.scale.empty());
}

TEST(OpenMaterialCases, D06HelperBonesGoToTheRoot) {
  Humanoid asset = standard_asset();
  std::vector<Joint> joints(asset.skeleton.joints().begin(), asset.skeleton.joints().end());
  joints.push_back(test::joint_at("neutral_bone", -1, Vec3::Zero()));
  const auto helper = joint_index(joints.size() - 1);
  asset.skeleton = *Skeleton::create(std::move(joints));
  Part& part = asset.parts[0];
  const std::size_t v = 4;  // the second of the hip's three vertices
  for (Influence& influence : part.influences.of(v)) {
    if (influence.joint == joint_index(0)) influence.joint = helper;
  }
  const double share = part.influences.of(v)[0].weight;
  const auto read = read_glb(Glb(asset).bytes());
  ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
  EXPECT_THAT(read.diagnostics, test::Reports(codes::openmaterial_helper_bone));
  EXPECT_EQ(read->skeleton.size(), 28u);
  EXPECT_TRUE(read->source.unknown_names.empty());
  double root = 0;
  for (const Influence& influence : read->parts.at(0).influences.of(v)) {
    if (read->skeleton[influence.joint].name == "Root") root += influence.weight;
  }
  EXPECT_NEAR(root, share, 1e-6);
  // Without a root bone its share stays at rest instead of going to the others.
  Glb rootless(asset);
  rootless.node("Root")["name"] = "Base";
  const auto resting = read_glb(rootless.bytes());
  ASSERT_TRUE(resting);
  EXPECT_NEAR(weight_sum(resting->parts.at(0).influences.of(v)), 1 - share, 1e-6);
}

TEST(OpenMaterialCases, D07SecondSetMayHoldTheLargestWeights) {
  Humanoid asset = standard_asset();
  Part& part = asset.parts[0];
  part.influences = {};
  const std::vector<double> weights{.05, .05, .1, .2, .25, .35};
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    for (std::size_t k = 0; k < weights.size(); ++k) part.influences.items.push_back({joint_index(k), weights[k]});
    part.influences.end_vertex();
  }
  GltfWriteOptions eight;
  eight.max_influences = 8;
  Glb file(asset, eight);
  auto& attributes = file.document["meshes"][0]["primitives"][0]["attributes"];
  std::swap(attributes["JOINTS_0"], attributes["JOINTS_1"]);
  std::swap(attributes["WEIGHTS_0"], attributes["WEIGHTS_1"]);
  const Humanoid read = must(read_glb(file.bytes()));
  const auto items = read.parts.at(0).influences.of(7);
  ASSERT_EQ(items.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(items[k].weight, weights[k], 1e-6);
  // From glTF to glTF the limit of four keeps the largest, and says so.
  ConvertOptions options;
  options.to = "openmaterial";
  const auto limited = convert(read, tables(), options);
  ASSERT_TRUE(limited);
  EXPECT_THAT(limited.diagnostics, test::Reports(Code{"convert.dropped_influences"}));
  ASSERT_EQ(limited->humanoid.parts[0].influences.of(7).size(), 4u);
  EXPECT_NEAR(limited->humanoid.parts[0].influences.of(7)[0].weight, .1 / .9, 1e-6);
  // A writer that is asked for less than it gets says so too.
  const auto files = openmaterial_to_files(read, "six", tables());
  EXPECT_THAT(files.diagnostics, test::Reports(codes::openmaterial_dropped_influences));
}

TEST(OpenMaterialCases, D14TheSkeletonPropertyIsNoMathematics) {
  const Humanoid asset = standard_asset();
  const auto check = [&](const Glb& file, const char* what) {
    const auto read = read_glb(file.bytes());
    ASSERT_TRUE(read) << what << testing::PrintToString(read.diagnostics);
    const test::Difference d = test::measure(asset, *read);
    EXPECT_EQ(d.missing, 0u) << what << d.worst;
    EXPECT_LE(d.place_m, 1e-5) << what;
    EXPECT_LE(d.mesh_m, 1e-5) << what;
    EXPECT_EQ(read->source.facing, "+X") << what;
  };
  Glb file(asset);
  file.document["skins"][0].erase("skeleton");
  check(file, "no skeleton");
  file.document["skins"][0]["skeleton"] = file.node_index("Grp_Root");
  check(file, "a grandparent");
  // Two joints without a joint above them.
  const std::size_t hip = file.node_index("Hip");
  Glb::premultiply(file.document["nodes"][hip], Glb::local_of(file.node("Root")));
  dropping(file, "Hip");
  file.node("Armature")["children"].push_back(hip);
  check(file, "two roots");
  // And one of them outside the scene.
  dropping(file, "Hip");
  check(file, "outside the scene");
  EXPECT_THAT(read_glb(file.bytes()).diagnostics, test::Reports(codes::openmaterial_outside_scene));
}

TEST(OpenMaterialCases, D17OtherBindsOfTheSameNodesAreUnified) {
  const Humanoid asset = standard_asset();
  Glb file(asset);
  // A second skin: the same joints in reverse, bound 0.1 m to the side, and the same mesh once more.
  auto& skins = file.document["skins"];
  json second = skins[0];
  std::reverse(second["joints"].begin(), second["joints"].end());
  const auto accessor = skins[0]["inverseBindMatrices"].get<std::size_t>();
  const std::size_t n = file.count(accessor);
  std::vector<float> inverse(16 * n);
  Eigen::Matrix4f aside = Eigen::Matrix4f::Identity();
  aside(0, 3) = -0.1f;
  for (std::size_t j = 0; j < n; ++j) {
    const Eigen::Matrix4f m = Eigen::Map<const Eigen::Matrix4f>(file.floats(accessor) + 16 * (n - 1 - j)) * aside;
    std::copy(m.data(), m.data() + 16, inverse.begin() + static_cast<std::ptrdiff_t>(16 * j));
  }
  second["inverseBindMatrices"] = file.add(inverse, 5126, "MAT4", 16);
  skins.push_back(second);
  json mesh = file.document["meshes"][0];
  auto& attributes = mesh["primitives"][0]["attributes"];
  const auto slots = attributes["JOINTS_0"].get<std::size_t>();
  std::vector<std::uint8_t> reversed(4 * file.count(slots));
  for (std::size_t i = 0; i < reversed.size(); ++i)
    reversed[i] = static_cast<std::uint8_t>(n - 1 - reinterpret_cast<const std::uint8_t*>(file.floats(slots))[i]);
  attributes["JOINTS_0"] = file.add(reversed, 5121, "VEC4", 4);
  mesh["name"] = "Clothing_Second";
  file.document["meshes"].push_back(mesh);
  file.document["nodes"].push_back({{"name", "Clothing_Second"}, {"mesh", 1}, {"skin", 1}});
  file.node("Armature")["children"].push_back(file.document["nodes"].size() - 1);
  const auto read = read_glb(file.bytes());
  ASSERT_TRUE(read) << testing::PrintToString(read.diagnostics);
  EXPECT_THAT(read.diagnostics, test::Reports(codes::openmaterial_bind_differs));
  ASSERT_EQ(read->parts.size(), 2u);
  EXPECT_EQ(read->skeleton.size(), 28u);
  for (std::size_t v = 0; v < read->parts[0].positions.size(); ++v) {
    // Storage x is canonical z: bound 0.1 m ahead of the first, so moved back by as much.
    EXPECT_THAT(read->parts[1].positions[v], test::Near(read->parts[0].positions[v] - Vec3(0, 0, 0.1), 1e-5));
    const auto a = read->parts[0].influences.of(v), b = read->parts[1].influences.of(v);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].joint, b[k].joint);
  }
}

TEST(OpenMaterialCases, D20LeafBonesSayWhereTheyPoint) {
  Humanoid figure = to(standard_asset(), "hanim-2", without_extras());
  const Vec3 skull = joint(figure, "skullbase").rest.place;
  figure.sites.push_back(
      {"skull_vertex", figure.skeleton.find("skullbase"), "", {skull + Vec3(0, .2, .02), Quat::Identity()}, Vec3::Ones()});
  ConvertOptions options;
  options.to = "openmaterial";
  const auto pointed_by = [&](const Humanoid& human, const std::string& bone) {
    const auto made = convert(human, tables(), options);
    for (const BoneReport& report : made->report.bones) {
      if (report.bone == bone) return report.pointed_by;
    }
    return std::string("no such bone");
  };
  EXPECT_EQ(pointed_by(figure, "Head"), "site");
  EXPECT_EQ(pointed_by(figure, "Upper_Leg_Left"), "child");
  figure.sites.clear();
  EXPECT_EQ(pointed_by(figure, "Head"), "vertices");
  figure.parts.clear();
  EXPECT_EQ(pointed_by(figure, "Head"), "parent");
  // "_end" joints of exporters end a bone and are no bones.
  Humanoid asset = standard_asset();
  std::vector<Joint> joints(asset.skeleton.joints().begin(), asset.skeleton.joints().end());
  joints.push_back(
      test::joint_at("Head_end", static_cast<int>(index(asset.skeleton.find("Head"))), joint(asset, "Head").rest.place + Vec3(0, .2, 0)));
  asset.skeleton = *Skeleton::create(std::move(joints));
  const Humanoid read = must(read_glb(Glb(asset).bytes()));
  EXPECT_EQ(read.skeleton.find("Head_end"), JointIndex::none);
  ASSERT_EQ(read.sites.size(), 1u);
  EXPECT_EQ(read.sites[0].name, "Head_end");
  EXPECT_EQ(read.skeleton[read.sites[0].joint].name, "Head");
  EXPECT_THAT(read.sites[0].rest.place, test::Near(joint(read, "Head").rest.place + Vec3(0, .2, 0), 1e-6));
}

TEST(OpenMaterialCases, D21OtherFramesAreTheSameFigure) {
  // As a modelling program gives the asset back: every bone has other axes at the same place and makes the same motion. Rolled about its
  // own line a bone is the same bone; with any axes it still is, but where a leaf points has to be measured.
  const Humanoid asset = standard_asset();
  for (const bool any_axes : {false, true}) {
    test::Random random(21);
    std::vector<Quat> by;
    for (std::size_t j = 0; j < asset.skeleton.size(); ++j)
      by.push_back(any_axes ? random.turn() : Quat(Eigen::AngleAxisd(random.between(-3, 3), Vec3::UnitY())));
    Humanoid other = asset;
    std::vector<Joint> joints(asset.skeleton.joints().begin(), asset.skeleton.joints().end());
    for (std::size_t j = 0; j < joints.size(); ++j) joints[j].rest.turn = (joints[j].rest.turn * by[j]).normalized();
    other.skeleton = *Skeleton::create(std::move(joints));
    for (JointTracks& tracks : other.clips[0].joints) {
      const std::size_t j = index(tracks.joint), p = index(asset.skeleton.joints()[j].parent);
      for (Quat& q : tracks.rotation.values) q = (by[p].conjugate() * q * by[j]).normalized();
      for (Vec3& t : tracks.translation.values) t = by[p].conjugate() * t;
    }
    const Humanoid a = to(must(read_glb(Glb(asset).bytes())), "hanim-2", without_extras());
    Humanoid b = to(must(read_glb(Glb(other).bytes())), "hanim-2", without_extras());
    if (any_axes) {
      // Joints within fingers and toes lie on the leaf's direction; all that bones themselves place are compared.
      for (const BoneGroup& group : tables().mapping("hanim-2", "openmaterial")->groups) {
        if (group.chains.empty() || group.chains.front().empty()) continue;
        const JointIndex first = a.skeleton.find(group.chains.front().front());
        if (first == JointIndex::none) continue;
        const JointIndex same = b.skeleton.find(a.skeleton[first].name);
        ASSERT_NE(same, JointIndex::none);
        EXPECT_THAT(b.skeleton[same].rest.place, test::Near(a.skeleton[first].rest.place, 1e-5)) << group.bone;
        for (const double t : {0.0, 1.0, 2.0})
          EXPECT_THAT(change(b, a.skeleton[first].name, t), test::SameTurn(change(a, a.skeleton[first].name, t), 1e-5)) << group.bone;
      }
      continue;
    }
    const test::Difference d = test::measure(a, b);
    EXPECT_EQ(d.missing, 0u) << d.worst;
    EXPECT_LE(d.place_m, 1e-5);
    EXPECT_LE(d.mesh_m, 1e-5);
    const test::MotionDifference m = test::measure_motion(a, b, {0, 1, 2});
    EXPECT_LE(m.turn_rad, 1e-5);
    EXPECT_LE(m.place_m, 1e-5);
  }
}

TEST(OpenMaterialCases, D23MorphNamesComeFromWhereverTheyAre) {
  Humanoid asset = standard_asset();
  for (const char* name : {"smile", "frown"}) {
    Morph morph;
    morph.name = name;
    morph.vertices = {3};
    morph.displacements = {Vec3(0, 0, .01)};
    asset.parts[0].morphs.push_back(morph);
  }
  const auto names = [](const Glb& file) {
    std::vector<std::string> result;
    const Humanoid read = must(read_glb(file.bytes()));
    for (const Morph& morph : read.parts.at(0).morphs) result.push_back(morph.name);
    return result;
  };
  const auto list = [](const char* first, const char* second) { return std::vector<std::string>{std::string(first), std::string(second)}; };
  Glb file(asset);
  json& mesh = file.document["meshes"][0];
  EXPECT_EQ(mesh["extras"]["targetNames"], json({"smile", "frown"})) << "as it is written";
  EXPECT_EQ(names(file), list("smile", "frown"));
  mesh["primitives"][0]["extras"] = {{"targetNames", {"other", "names"}}};
  EXPECT_EQ(names(file), list("smile", "frown")) << "those of the mesh come first";
  mesh["extras"].erase("targetNames");
  EXPECT_EQ(names(file), list("other", "names"));
  mesh["primitives"][0]["extras"] = {{"targetNames", {"only"}}};
  EXPECT_EQ(names(file), list("only", "Displacer_2"));
  mesh["primitives"][0].erase("extras");
  EXPECT_EQ(names(file), list("Displacer_1", "Displacer_2"));
}

}  // namespace
}  // namespace vesalius
