// The official human example and other people's skinned files, where VESALIUS_CORPUS says they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "support/matchers.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius {
namespace {

const std::filesystem::path& corpus() {
  static const std::filesystem::path folder = [] {
    const char* named = std::getenv("VESALIUS_CORPUS");
    return std::filesystem::path(named != nullptr ? named : "");
  }();
  return folder;
}

class OpenMaterialCorpus : public testing::Test {
 protected:
  void SetUp() override {
    if (corpus().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  }
  static Humanoid human() {
    auto read = read_openmaterial(corpus() / "openmaterial" / "human_example.gltf", MappingTables::built_in());
    EXPECT_TRUE(read) << testing::PrintToString(read.diagnostics);
    return read ? std::move(*read.value) : Humanoid{};
  }
  static const Joint& bone(const Humanoid& human, const char* name) { return human.skeleton[human.skeleton.find(name)]; }
};

TEST_F(OpenMaterialCorpus, OfficialHumanIsReadAsItIs) {
  const Humanoid human = OpenMaterialCorpus::human();
  std::cout << "1 corpus file used\n";
  ASSERT_EQ(human.skeleton.size(), 28U);
  ASSERT_EQ(human.parts.size(), 4U);
  EXPECT_TRUE(human.source.unknown_names.empty());
  EXPECT_EQ(human.source.facing, "+X");
  EXPECT_EQ(human.source.up, "+Y");
  EXPECT_NEAR(human.source.scale, 1, 1e-6);
  EXPECT_TRUE(human.poses.empty()) << "its nodes are in the bind pose";
  EXPECT_THAT(broken_invariants(human), test::IsEmpty());
  std::size_t triangles = 0;
  for (const Part& part : human.parts) {
    for (const Surface& surface : part.surfaces) triangles += surface.triangles.size();
  }
  EXPECT_EQ(triangles, 46496U) << "what its asset file says";
  // Places and axes measured in the file, canonical: x left, y up, z forward; four and three digits.
  EXPECT_THAT(bone(human, "Hip").rest.place, test::Near(Vec3(0, 0.8424, -0.0168), 1e-4));
  EXPECT_THAT(bone(human, "Head").rest.place, test::Near(Vec3(0, 1.5870, -0.0405), 1e-4));
  EXPECT_THAT(bone(human, "Hand_Left").rest.place, test::Near(Vec3(0.4758, 0.9558, -0.0421), 1e-4));
  EXPECT_THAT(bone(human, "Full_Toes_Right").rest.place, test::Near(Vec3(-0.0771, 0.0223, 0.1221), 1e-4));
  const Quat hand = bone(human, "Hand_Left").rest.turn, foot = bone(human, "Foot_Left").rest.turn;
  EXPECT_THAT(hand * Vec3::UnitX(), test::Near(Vec3(-0.571, -0.163, 0.804), 1.5e-3));
  EXPECT_THAT(hand * Vec3::UnitY(), test::Near(Vec3(0.570, -0.783, 0.247), 1.5e-3));
  EXPECT_THAT(foot * Vec3::UnitX(), test::Near(Vec3(0, -0.967, -0.256), 1.5e-3)) << "A03: x points down there";
  EXPECT_EQ(bone(human, "Shoulder_Left").parent, human.skeleton.find("Upper_Spine")) << "A02: the example's tree";
}

TEST_F(OpenMaterialCorpus, A14ConstantChannelsOfTheWalkAreLeftOutAndCounted) {
  const auto read = read_openmaterial(corpus() / "openmaterial" / "human_example.gltf", MappingTables::built_in());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->clips.size(), 1U);
  EXPECT_EQ(read->clips[0].name, "Walk");
  std::size_t kept = 0;
  for (const JointTracks& joint : read->clips[0].joints)
    kept += !joint.rotation.empty() + !joint.translation.empty() + !joint.scale.empty();
  EXPECT_GT(kept, 10U);
  EXPECT_LT(kept, 84U);
  bool told = false;
  for (const Diagnostic& item : read.diagnostics.items()) told = told || item.message.starts_with(std::to_string(84 - kept) + " channels");
  EXPECT_TRUE(told) << kept << testing::PrintToString(read.diagnostics);
}

TEST_F(OpenMaterialCorpus, OfficialHumanSurvivesWritingAndReading) {
  const Humanoid human = OpenMaterialCorpus::human();
  for (const GltfFront front : {GltfFront::plus_x, GltfFront::plus_z}) {
    GltfWriteOptions options;
    options.front = front;
    options.mass_kg = 75;
    const auto files = openmaterial_to_files(human, "again", MappingTables::built_in(), options);
    ASSERT_TRUE(files) << testing::PrintToString(files.diagnostics);
    const auto back = read_openmaterial(std::span<const std::byte>(files->files[0].second), MappingTables::built_in());
    ASSERT_TRUE(back) << testing::PrintToString(back.diagnostics);
    EXPECT_EQ(back->source.facing, front == GltfFront::plus_x ? "+X" : "+Z");
    ASSERT_EQ(back->skeleton.size(), human.skeleton.size());
    for (const Joint& joint : human.skeleton.joints()) {
      const Joint& again = bone(*back, joint.name.c_str());
      EXPECT_THAT(again.rest.place, test::Near(joint.rest.place, 1e-6)) << joint.name;
      EXPECT_THAT(again.rest.turn, test::SameTurn(joint.rest.turn, 1e-6)) << joint.name;
    }
    ASSERT_EQ(back->parts.size(), human.parts.size());
    for (std::size_t p = 0; p < human.parts.size(); ++p) {
      const Part &a = human.parts[p], &b = back->parts[p];
      EXPECT_EQ(a.name, b.name);
      ASSERT_EQ(a.surfaces.size(), b.surfaces.size());
      double worst_place = 0, worst_weight = 0;
      // Vertices may be in another order; triangles are not.
      for (std::size_t s = 0; s < a.surfaces.size(); ++s) {
        ASSERT_EQ(a.surfaces[s].triangles.size(), b.surfaces[s].triangles.size());
        for (std::size_t t = 0; t < a.surfaces[s].triangles.size(); ++t) {
          for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t v = a.surfaces[s].triangles[t][c], w = b.surfaces[s].triangles[t][c];
            worst_place = std::max(worst_place, (a.positions[v] - b.positions[w]).norm());
            for (const Influence& influence : a.influences.of(v)) {
              double found = 0;
              for (const Influence& other : b.influences.of(w)) {
                if (back->skeleton[other.joint].name == human.skeleton[influence.joint].name) found = other.weight;
              }
              worst_weight = std::max(worst_weight, std::abs(found - influence.weight));
            }
          }
        }
      }
      EXPECT_LT(worst_place, 1e-6) << a.name;
      EXPECT_LT(worst_weight, 1e-6) << a.name;
    }
    ASSERT_EQ(back->clips.size(), 1U);
    const Clip &clip = human.clips[0], &again = back->clips[0];
    EXPECT_NEAR(again.duration_s, clip.duration_s, 1e-6);
    double worst = 0;
    for (const double time_s : key_times_s(clip)) {
      const auto x = model_from_joints(human.skeleton, sample(human.skeleton, clip, time_s));
      const auto y = model_from_joints(back->skeleton, sample(back->skeleton, again, time_s));
      for (std::size_t j = 0; j < x.size(); ++j) {
        const JointIndex other = back->skeleton.find(human.skeleton.joints()[j].name);
        worst = std::max(worst, (x[j].matrix() - y[index(other)].matrix()).cwiseAbs().maxCoeff());
      }
    }
    EXPECT_LT(worst, 1e-5) << "every bone at every key";
  }
}

TEST_F(OpenMaterialCorpus, OtherPeoplesFilesAreReadOrRefusedClearly) {
  std::size_t used = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "gltf")) {
    if (!entry.path().extension().string().starts_with(".gl")) continue;
    ++used;
    const auto read = read_openmaterial(entry.path(), MappingTables::built_in());
    if (read) {
      EXPECT_THAT(broken_invariants(*read), test::IsEmpty()) << entry.path();
      EXPECT_FALSE(read->parts.empty()) << entry.path();
    } else {
      EXPECT_TRUE(read.diagnostics.has_errors()) << entry.path();
    }
    std::cout << entry.path().filename().string() << ": " << (read ? "read" : "refused") << " with " << read.diagnostics.items().size()
              << " findings\n";
  }
  std::cout << used << " corpus files used\n";
  EXPECT_GE(used, 5U);
}

}  // namespace
}  // namespace vesalius
