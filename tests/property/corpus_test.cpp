// Real files there and back, through the bytes of written files. Set VESALIUS_CORPUS to the folder that holds them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "property/measure.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "vesalius/convert.hpp"
#include "vesalius/hanim_io.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius {
namespace {

namespace fs = std::filesystem;

const MappingTables& tables() {
  return MappingTables::built_in();
}

std::optional<fs::path> corpus() {
  const char* folder = std::getenv("VESALIUS_CORPUS");
  if (folder == nullptr || !fs::exists(folder)) return std::nullopt;
  return fs::path(folder);
}

Humanoid must(Result<Humanoid> read) {
  EXPECT_TRUE(read) << testing::PrintToString(read.diagnostics);
  return read ? std::move(*read.value) : Humanoid();
}
Humanoid to(const Humanoid& source, const std::string& profile, bool extras = true) {
  ConvertOptions options;
  options.to = profile;
  options.extras = extras;
  auto made = convert(source, tables(), options);
  EXPECT_TRUE(made) << testing::PrintToString(made.diagnostics);
  if (!made) return {};
  test::expect_sound(made->humanoid);
  return std::move(made->humanoid);
}
/// Through the bytes of a GLB.
Humanoid through_glb(const Humanoid& humanoid, bool extras = true) {
  GltfWriteOptions options;
  options.extras = extras;
  const auto files = openmaterial_to_files(humanoid, "asset", tables(), options);
  EXPECT_TRUE(files) << testing::PrintToString(files.diagnostics);
  if (!files) return {};
  Humanoid read = must(read_openmaterial(files->files.front().second, tables()));
  test::expect_sound(read);
  return read;
}
/// Through the text of an X3D file.
Humanoid through_x3d(const Humanoid& humanoid, bool extras = true) {
  HanimWriteOptions options;
  options.extras = extras;
  const auto text = hanim_to_x3d(humanoid, tables(), options);
  EXPECT_TRUE(text);
  if (!text) return {};
  Humanoid read = must(read_hanim(std::as_bytes(std::span(*text.value)), tables()));
  test::expect_sound(read);
  return read;
}
std::pair<std::size_t, std::size_t> counts(const Humanoid& humanoid) {
  std::size_t vertices = 0, triangles = 0;
  for (const Part& part : humanoid.parts) {
    vertices += part.positions.size();
    for (const Surface& surface : part.surfaces) triangles += surface.triangles.size();
  }
  return {vertices, triangles};
}

struct HanimFile {
  const char* name;
  std::size_t joints, sites;
};
class HanimCorpus : public testing::TestWithParam<HanimFile> {};

// H-Anim -> OpenMATERIAL -> H-Anim with extras: every centre, weight, site, displacer and limit within 1e-5, through both files.
TEST_P(HanimCorpus, ComesBack) {
  if (!corpus()) GTEST_SKIP() << "VESALIUS_CORPUS names no folder; 0 files used";
  const Humanoid source = must(read_hanim(*corpus() / "hanim" / GetParam().name, tables()));
  ASSERT_EQ(source.skeleton.size(), GetParam().joints);
  EXPECT_EQ(source.sites.size(), GetParam().sites);
  const Humanoid asset = through_glb(to(source, "openmaterial"));
  EXPECT_EQ(asset.skeleton.size(), 28u);
  EXPECT_EQ(asset.source.facing, "+X");
  EXPECT_EQ(counts(asset).second, counts(source).second);
  for (const Part& part : asset.parts) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      ASSERT_LE(part.influences.of(v).size(), 4u);
      ASSERT_NEAR(weight_sum(part.influences.of(v)), 1, 1e-6);
    }
  }
  const Humanoid back = through_x3d(to(asset, "hanim-2"));
  EXPECT_EQ(back.skeleton.size(), source.skeleton.size());
  EXPECT_EQ(counts(back).second, counts(source).second);
  const test::Difference d = test::measure(source, back);
  std::cout << GetParam().name << ": centres " << d.place_m << " m, mesh " << d.mesh_m << " m, weights " << d.weight << ", sites "
            << d.site_m << " m, displacers " << d.displacer_m << " m, limits " << d.limit_rad << " rad\n";
  EXPECT_EQ(d.missing, 0u) << d.worst;
  EXPECT_LE(d.place_m, 1e-5);
  EXPECT_LE(d.mesh_m, 1e-5);
  EXPECT_LE(d.weight, 1e-5);
  EXPECT_LE(d.site_m, 1e-5);
  EXPECT_LE(d.displacer_m, 1e-5);
  EXPECT_LE(d.limit_rad, 1e-5);
}

// Joint and site counts as the corpus' own index has them.
INSTANTIATE_TEST_SUITE_P(Files, HanimCorpus,
                         testing::Values(HanimFile{"BoxManC.x3d", 17, 5}, HanimFile{"HAnim1SpecificationLOA3Illustrated.x3d", 94, 109},
                                         HanimFile{"JinLOA3.x3d", 94, 0}, HanimFile{"Humanoid4_1.x3d", 146, 118},
                                         HanimFile{"KoreanCharacter01Jin.x3d", 18, 0}, HanimFile{"JoeKick.x3d", 94, 1}),
                         [](const auto& file) {
                           std::string name = file.param.name;
                           name.resize(name.find('.'));
                           return name;
                         });

class OfficialHuman : public testing::Test {
 protected:
  void SetUp() override {
    if (!corpus()) GTEST_SKIP() << "VESALIUS_CORPUS names no folder; 0 files used";
    human = must(read_openmaterial(*corpus() / "openmaterial" / "human_example.gltf", tables()));
  }
  std::vector<double> times() const {
    std::vector<double> result = key_times_s(human.clips.front());
    const std::size_t keys = result.size();
    for (std::size_t k = 1; k < keys; ++k) {
      for (const double q : {0.25, 0.5, 0.75}) result.push_back(result[k - 1] + q * (result[k] - result[k - 1]));
    }
    return result;
  }
  Humanoid human;
};

TEST_F(OfficialHuman, ReadsAsItsFactsSay) {
  EXPECT_EQ(human.skeleton.size(), 28u);
  EXPECT_EQ(human.parts.size(), 4u);
  EXPECT_EQ(human.source.facing, "+X");
  EXPECT_EQ(counts(human).second, 46496u);  // triangleCount of its .xoma
  ASSERT_EQ(human.clips.size(), 1u);
  EXPECT_EQ(human.clips.front().name, "Walk");
  // Places as printed in the bone table, four digits.
  EXPECT_THAT(human.skeleton[human.skeleton.find("Hip")].rest.place, test::Near(Vec3(0, 0.8424, -0.0168), 1e-4));
  EXPECT_THAT(human.skeleton[human.skeleton.find("Foot_Left")].rest.place, test::Near(Vec3(0.0771, 0.0716, -0.0643), 1e-4));
  // Its left foot has x down, its right one up: the file's own frames are taken.
  EXPECT_LT((human.skeleton[human.skeleton.find("Foot_Left")].rest.turn * Vec3::UnitX()).y(), -0.9);
  EXPECT_GT((human.skeleton[human.skeleton.find("Foot_Right")].rest.turn * Vec3::UnitX()).y(), 0.9);
}

// OM -> H-Anim (LOA 3) -> OM with extras, through both files.
TEST_F(OfficialHuman, ComesBackWithExtras) {
  const Humanoid figure = through_x3d(to(human, "hanim-2"));
  EXPECT_EQ(figure.skeleton.size(), 94u);  // all joints of level 3: every bone is there
  const Humanoid back = through_glb(to(figure, "openmaterial"));
  const test::Difference d = test::measure(human, back);
  const test::MotionDifference m = test::measure_motion(human, back, times());
  std::cout << "official human with extras: origins " << d.place_m << " m, frames " << d.turn_rad << " rad, mesh " << d.mesh_m
            << " m, weights " << d.weight << ", motion " << m.turn_rad << " rad " << m.place_m << " m\n";
  EXPECT_EQ(d.missing, 0u) << d.worst;
  EXPECT_LE(d.place_m, 1e-5);
  EXPECT_LE(d.turn_rad, 1e-5);
  EXPECT_LE(d.mesh_m, 1e-5);
  EXPECT_LE(d.weight, 1e-6);
  EXPECT_LE(m.turn_rad, 1e-5);
  EXPECT_LE(m.place_m, 1e-5);
}

// The same without extras: frames come from the profile; places, weights and the mesh are the file's.
TEST_F(OfficialHuman, ComesBackWithoutExtras) {
  const Humanoid figure = through_x3d(to(human, "hanim-2", false), false);
  const Humanoid back = through_glb(to(figure, "openmaterial", false), false);
  const test::Difference d = test::measure(human, back);
  std::cout << "official human without extras: origins " << d.place_m << " m, mesh " << d.mesh_m << " m, weights " << d.weight << "\n";
  EXPECT_EQ(d.missing, 0u) << d.worst;
  EXPECT_LE(d.place_m, 1e-5);
  EXPECT_LE(d.mesh_m, 1e-5);
  EXPECT_LE(d.weight, 1e-6);
}

}  // namespace
}  // namespace vesalius
