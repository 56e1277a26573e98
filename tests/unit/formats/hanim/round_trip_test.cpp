// What is written reads back as the same model.
#include <algorithm>

#include "reading.hpp"

namespace vesalius {
namespace {

using test::joint_at;

/// All triangles of a humanoid as corner data, sorted, so that the order of vertices and surfaces does not matter.
std::vector<std::vector<double>> corners(const Humanoid& humanoid) {
  std::vector<std::vector<double>> result;
  const auto round = [](double v) { return std::round(v * 1e5) / 1e5 + 0.0; };
  for (const Part& part : humanoid.parts) {
    for (const Surface& surface : part.surfaces) {
      for (const auto& triangle : surface.triangles) {
        std::vector<double> row;
        for (const std::uint32_t v : triangle) {
          for (int k = 0; k < 3; ++k) row.push_back(round(part.positions[v][k]));
          for (int k = 0; k < 3 && !part.normals.empty(); ++k) row.push_back(round(part.normals[v][k]));
          for (int k = 0; k < 2 && !part.uvs.empty(); ++k) row.push_back(round(part.uvs[v][static_cast<std::size_t>(k)]));
          for (const Influence& influence : part.influences.of(v)) {
            row.push_back(static_cast<double>(index(influence.joint)));
            row.push_back(round(influence.weight));
          }
        }
        result.push_back(std::move(row));
      }
    }
  }
  std::ranges::sort(result);
  return result;
}

/// A skinned part of a strip of squares along x, with a seam in the texture, and a morph.
Part strip(const std::string& name, const Vec3& from, std::size_t material) {
  Part part;
  part.name = name;
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (const double y : {0.0, 1.0}) {
      part.positions.push_back(from + Vec3(.25 * i, y * .5, 0));
      part.normals.push_back(Vec3::UnitZ());
      part.uvs.push_back({.25 * i, y});
      part.points.push_back(static_cast<std::uint32_t>(part.points.size()));
      part.influences.items.push_back({joint_index(0), 1 - .25 * i});
      if (i > 0) part.influences.items.push_back({joint_index(1), .25 * i});
      part.influences.end_vertex();
    }
  }
  Surface surface{material, {}};
  for (std::uint32_t i = 0; i + 3 < 8; i += 2) {
    surface.triangles.push_back({i, i + 2, i + 3});
    surface.triangles.push_back({i, i + 3, i + 1});
  }
  part.surfaces.push_back(surface);
  return part;
}

Humanoid figure() {
  Humanoid human;
  human.name = "Ann";
  human.profile = "hanim-2";
  Joint root = joint_at("humanoid_root", -1, Vec3(0, .9, .01));
  Joint hip = joint_at("l_hip", 0, Vec3(.1, .85, 0));
  hip.limits = JointLimits{Vec3(-1, -.5, 0), Vec3(2, .5, 0), Quat(Eigen::AngleAxisd(.3, Vec3::UnitZ()))};
  hip.stiffness = Vec3(.1, .2, .3);
  human.skeleton = *Skeleton::create({root, hip, joint_at("l_knee", 1, Vec3(.1, .45, .01)), joint_at("skullbase", 0, Vec3(0, 1.6, 0))});
  human.materials.resize(2);
  human.materials[0].name = "Cloth";
  human.materials[0].base_colour = {.2, .4, .6, 1};
  human.materials[0].metallic = .25;
  human.materials[1].name = "Hair";
  human.materials[1].base_colour = {.1, .1, .1, .5};
  human.materials[1].alpha_mode = AlphaMode::blend;
  human.materials[1].double_sided = true;
  human.parts.push_back(strip("Body_Human", Vec3(0, 0, 0), 0));
  human.parts.push_back(strip("Hair_Short", Vec3(0, 1, 0), 1));
  Morph smile;
  smile.name = "smile";
  smile.kind = MorphKind::joint_displacer;
  smile.joint = joint_index(3);
  smile.weight = .5;
  smile.vertices = {2, 5};
  smile.displacements = {Vec3(0, .1, 0), Vec3(.2, 0, 0)};
  human.parts[1].morphs.push_back(smile);
  Part shoe = strip("l_calf", Vec3(.1, .2, 0), 0);
  shoe.segment = "l_calf";
  shoe.influences = {};
  for (int v = 0; v < 8; ++v) {
    shoe.influences.items.push_back({joint_index(2), 1});
    shoe.influences.end_vertex();
  }
  human.parts.push_back(shoe);
  Segment calf;
  calf.name = "l_calf";
  calf.joint = joint_index(2);
  calf.mass_kg = 3.5;
  calf.centre_of_mass = Vec3(.1, .3, .02);
  calf.moments_of_inertia = Eigen::Matrix3d::Identity() * .25;
  human.segments.push_back(calf);
  human.sites.push_back(
      {"l_knee_pt", joint_index(2), "l_calf", {Vec3(.1, .45, .05), Quat(Eigen::AngleAxisd(.5, Vec3::UnitY()))}, Vec3::Ones()});
  human.sites.push_back({"skull_tip", joint_index(3), "", {Vec3(0, 1.75, 0), Quat::Identity()}, Vec3::Ones()});
  Clip clip;
  clip.name = "walk";
  clip.duration_s = 2;
  clip.loops = true;
  JointTracks bob;
  bob.joint = joint_index(0);
  bob.translation = {{0, 1, 2}, {Vec3(0, .9, .01), Vec3(0, .95, .3), Vec3(0, .9, .6)}, Interpolation::linear};
  JointTracks swing;
  swing.joint = joint_index(1);
  swing.rotation.times_s = {0, .5, 2};
  for (const double angle : {0.0, 1.0, -.5}) swing.rotation.values.push_back(Quat(Eigen::AngleAxisd(angle, Vec3(1, .1, 0).normalized())));
  clip.joints = {bob, swing};
  clip.morphs.push_back({1, 0, {{0, 2}, {0, 1}, Interpolation::linear}});
  human.clips.push_back(clip);
  human.metadata["author"] = {"Somebody \"quoted\" \\ else"};
  human.metadata["height"] = {"1.75"};
  return human;
}

TEST(HanimRoundTrip, SkeletonSitesSegmentsAndMotion) {
  const Humanoid before = figure();
  test::expect_sound(before);
  const auto text = hanim_to_x3d(before, test::tables());
  ASSERT_TRUE(text) << testing::PrintToString(text.diagnostics);
  const auto after = test::read_text(*text);
  ASSERT_TRUE(after) << testing::PrintToString(after.diagnostics);
  EXPECT_EQ(after.diagnostics.count(Severity::warning), 0u) << testing::PrintToString(after.diagnostics);
  EXPECT_EQ(after->name, "Ann");
  ASSERT_EQ(after->skeleton.size(), before.skeleton.size());
  for (const Joint& joint : before.skeleton.joints()) {
    const JointIndex at = after->skeleton.find(joint.name);
    ASSERT_NE(at, JointIndex::none) << joint.name;
    EXPECT_THAT(after->skeleton[at].rest.place, test::Near(joint.rest.place, 1e-7));
    EXPECT_EQ(after->skeleton[at].limits.has_value(), joint.limits.has_value());
    EXPECT_EQ(after->skeleton[at].stiffness.has_value(), joint.stiffness.has_value());
  }
  const Joint& hip = after->skeleton[after->skeleton.find("l_hip")];
  EXPECT_THAT(hip.limits->lower_rad, test::Near(Vec3(-1, -.5, 0), 1e-7));
  EXPECT_NEAR(angle_between_rad(hip.limits->frame, Quat(Eigen::AngleAxisd(.3, Vec3::UnitZ()))), 0, 1e-6);
  EXPECT_THAT(*hip.stiffness, test::Near(Vec3(.1, .2, .3), 1e-7));
  ASSERT_EQ(after->segments.size(), 1u);
  EXPECT_NEAR(after->segments[0].mass_kg, 3.5, 1e-6);
  EXPECT_THAT(after->segments[0].centre_of_mass.value(), test::Near(Vec3(.1, .3, .02), 1e-7));
  EXPECT_NEAR(after->segments[0].moments_of_inertia.value()(2, 2), .25, 1e-7);
  ASSERT_EQ(after->sites.size(), 2u);
  for (const Site& site : before.sites) {
    const auto found = std::ranges::find(after->sites, site.name, &Site::name);
    ASSERT_NE(found, after->sites.end()) << site.name;
    EXPECT_THAT(found->rest.place, test::Near(site.rest.place, 1e-7));
    EXPECT_NEAR(angle_between_rad(found->rest.turn, site.rest.turn), 0, 1e-6);
    EXPECT_EQ(after->skeleton[found->joint].name, before.skeleton[site.joint].name);
    EXPECT_EQ(found->segment, site.segment);
  }
  ASSERT_EQ(after->clips.size(), 1u);
  EXPECT_EQ(after->clips[0].name, "walk");
  EXPECT_TRUE(after->clips[0].loops);
  for (double t = 0; t <= 2; t += .125) {
    const LocalPose a = sample(before.skeleton, before.clips[0], t), b = sample(after->skeleton, after->clips[0], t);
    for (const Joint& joint : before.skeleton.joints()) {
      const auto i = index(before.skeleton.find(joint.name)), j = index(after->skeleton.find(joint.name));
      EXPECT_THAT(b.parent_from_joint[j].translation, test::Near(a.parent_from_joint[i].translation, 1e-6)) << joint.name << " at " << t;
      EXPECT_NEAR(angle_between_rad(b.parent_from_joint[j].rotation, a.parent_from_joint[i].rotation), 0, 1e-6)
          << joint.name << " at " << t;
    }
  }
  EXPECT_EQ(after->metadata.at("author"), before.metadata.at("author"));
  EXPECT_EQ(after->metadata.at("height"), before.metadata.at("height"));
}

TEST(HanimRoundTrip, A13PartsMaterialsWeightsAndMorphs) {
  const Humanoid before = figure();
  const auto text = hanim_to_x3d(before, test::tables());
  ASSERT_TRUE(text);
  const auto after = test::read_text(*text);
  ASSERT_TRUE(after);
  ASSERT_EQ(after->parts.size(), 3u);
  for (const Part& part : before.parts) {
    const auto found = std::ranges::find(after->parts, part.name, &Part::name);
    ASSERT_NE(found, after->parts.end()) << part.name;
    EXPECT_EQ(found->segment, part.segment);
    EXPECT_EQ(found->positions.size(), part.positions.size()) << part.name;
    ASSERT_EQ(found->surfaces.size(), 1u);
    const Material &a = before.materials[*part.surfaces[0].material], &b = after->materials[*found->surfaces[0].material];
    EXPECT_EQ(b.double_sided, a.double_sided);
    EXPECT_EQ(b.alpha_mode, a.alpha_mode);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(b.base_colour[k], a.base_colour[k], 1e-6);
    EXPECT_NEAR(b.metallic, a.metallic, 1e-6);
    EXPECT_NEAR(b.roughness, a.roughness, 1e-6);
  }
  EXPECT_EQ(corners(*after), corners(before));
  const auto hair = std::ranges::find(after->parts, "Hair_Short", &Part::name);
  ASSERT_EQ(hair->morphs.size(), 1u);
  EXPECT_EQ(hair->morphs[0].name, "smile");
  EXPECT_EQ(after->skeleton[hair->morphs[0].joint].name, "skullbase");
  EXPECT_NEAR(hair->morphs[0].weight, .5, 1e-7);
  ASSERT_EQ(hair->morphs[0].vertices.size(), 2u);
  ASSERT_EQ(after->clips.size(), 1u);
  ASSERT_EQ(after->clips[0].morphs.size(), 1u);
  EXPECT_NEAR(sample(after->clips[0].morphs[0].weight, 1), .5, 1e-6);
}

TEST(HanimRoundTrip, WritingTwiceGivesTheSameBytes) {
  const auto once = hanim_to_x3d(figure(), test::tables());
  const auto again = hanim_to_x3d(figure(), test::tables());
  ASSERT_TRUE(once);
  EXPECT_EQ(*once, *again);
  const auto read = test::read_text(*once);
  ASSERT_TRUE(read);
  const auto third = hanim_to_x3d(*read, test::tables());
  ASSERT_TRUE(third);
  const auto reread = test::read_text(*third);
  ASSERT_TRUE(reread);
  EXPECT_EQ(corners(*reread), corners(*read));
}

TEST(HanimRoundTrip, D22SeamsAreWeldedInTheFile) {
  Humanoid human = figure();
  human.clips.clear();
  human.parts.resize(1);
  // Both ends of the strip get a second set of vertices at the same places with other texture coordinates.
  Part& part = human.parts[0];
  for (const std::uint32_t v : {2u, 3u}) {
    part.positions.push_back(part.positions[v]);
    part.normals.push_back(part.normals[v]);
    part.uvs.push_back({.9, .9});
    part.points.push_back(part.points[v]);
    const auto items = part.influences.of(v);
    const std::vector<Influence> copy(items.begin(), items.end());
    part.influences.items.insert(part.influences.items.end(), copy.begin(), copy.end());
    part.influences.end_vertex();
  }
  part.surfaces[0].triangles[2] = {8, 4, 5};
  part.surfaces[0].triangles[3] = {8, 5, 9};
  test::expect_sound(human);
  const auto text = hanim_to_x3d(human, test::tables());
  ASSERT_TRUE(text);
  const std::size_t at = text->find("containerField=\"skinCoord\"");
  ASSERT_NE(at, std::string::npos);
  const std::size_t begin = text->find("point=\"", at) + 7, end = text->find('"', begin);
  const std::string points = text->substr(begin, end - begin);
  EXPECT_EQ(std::ranges::count(points, ' '), 3 * 8 - 1) << points;  // 8 points, not 10
  const auto after = test::read_text(*text);
  ASSERT_TRUE(after);
  EXPECT_EQ(corners(*after), corners(human));
}

TEST(HanimRoundTrip, NamesOfVersionOne) {
  HanimWriteOptions options;
  options.names = "1";
  const auto text = hanim_to_x3d(figure(), test::tables(), options);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("name=\"HumanoidRoot\""), std::string::npos);
  const auto after = test::read_text(*text);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->source.hanim_version, "1");
  EXPECT_NE(after->skeleton.find("humanoid_root"), JointIndex::none);
}

TEST(HanimRoundTrip, KeptDataComesBack) {
  Humanoid human = figure();
  Kept kept;
  kept.profile = "openmaterial";
  KeptJoint joint;
  joint.name = "Hip";
  joint.bone = "humanoid_root";
  joint.place_in_bone = Vec3(.1, .2, .3);
  kept.joints.push_back(joint);
  human.kept = kept;
  human.asset_blocks["materials"] = "{\"a\":\"b\\\\c\"}";
  const auto text = hanim_to_x3d(human, test::tables());
  ASSERT_TRUE(text);
  const auto after = test::read_text(*text);
  ASSERT_TRUE(after);
  ASSERT_TRUE(after->kept);
  EXPECT_EQ(to_json(*after->kept), to_json(kept));
  EXPECT_EQ(after->asset_blocks, human.asset_blocks);
  HanimWriteOptions options;
  options.extras = false;
  const auto bare = test::read_text(*hanim_to_x3d(human, test::tables(), options));
  ASSERT_TRUE(bare);
  EXPECT_FALSE(bare->kept);
}

TEST(HanimRoundTrip, TurnedRestFramesAreRefused) {
  Humanoid human = figure();
  human.skeleton = *Skeleton::create(
      {joint_at("humanoid_root", -1, Vec3(0, .9, 0)), joint_at("l_hip", 0, Vec3(.1, .85, 0), Quat(Eigen::AngleAxisd(.5, Vec3::UnitX())))});
  human.profile = "openmaterial";
  human.parts.clear();
  human.sites.clear();
  human.segments.clear();
  human.clips.clear();
  EXPECT_FALSE(hanim_to_x3d(human, test::tables()));
}

}  // namespace
}  // namespace vesalius
