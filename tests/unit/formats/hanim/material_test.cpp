// Appearances as metallic-roughness materials.
#include "reading.hpp"
#include "support/temp_dir.hpp"

namespace vesalius {
namespace {

const std::string square =
    "<IndexedFaceSet solid='false' coordIndex='0 1 2 3'><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/></IndexedFaceSet>";

TEST(HanimMaterial, ClassicColoursAreDisplayCodedPhysicalOnesLinear) {
  const auto classic = test::read_shape(square, "<Appearance><Material diffuseColor='.5 1 0' transparency='.25'/></Appearance>");
  ASSERT_TRUE(classic);
  const Material& made = classic->materials.at(classic->parts.at(0).surfaces.at(0).material.value());
  EXPECT_NEAR(made.base_colour[0], 0.21404, 1e-5);  // sRGB 0.5
  EXPECT_DOUBLE_EQ(made.base_colour[1], 1);
  EXPECT_DOUBLE_EQ(made.base_colour[3], 0.75);
  EXPECT_EQ(made.alpha_mode, AlphaMode::blend);
  EXPECT_TRUE(made.double_sided);
  EXPECT_EQ(made.metallic, 0);
  const auto physical =
      test::read_shape(square, "<Appearance><PhysicalMaterial baseColor='.5 1 0' metallic='.1' roughness='.2'/></Appearance>");
  ASSERT_TRUE(physical);
  EXPECT_DOUBLE_EQ(physical->materials.at(0).base_colour[0], 0.5);
  EXPECT_DOUBLE_EQ(physical->materials[0].metallic, 0.1);
  EXPECT_DOUBLE_EQ(physical->materials[0].roughness, 0.2);
}

TEST(HanimMaterial, SharedAppearanceIsOneMaterial) {
  const auto made = test::read_text(test::document(test::two_joints(
      "", "<HAnimSegment name='sacrum'><Shape><Appearance DEF='a'><Material/></Appearance>" + square + "</Shape></HAnimSegment>", "",
      "<HAnimSegment name='l_thigh'><Shape><Appearance USE='a'/>" + square + "</Shape></HAnimSegment>")));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->parts.size(), 2u);
  EXPECT_EQ(made->materials.size(), 1u);
  EXPECT_EQ(made->materials[0].name, "a");
}

TEST(HanimMaterial, G04ImagesComeFromTheFilesFolderOnly) {
  const test::TempDir folder;
  const std::string png = std::string("\x89PNG\r\n\x1a\n", 8) + "not a picture, but its first bytes say so";
  folder.put("skin.png", png);
  const auto with = [&](const std::string& url) {
    const auto file = folder.put(
        "figure.x3d", test::document(test::two_joints("", "<HAnimSegment name='sacrum'><Shape><Appearance><Material/><ImageTexture url='" +
                                                              url + "'/></Appearance>" + square + "</Shape></HAnimSegment>")));
    return read_hanim(file, test::tables());
  };
  const auto found = with("\"http://example.org/skin.png\" \"skin.png\"");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->textures.size(), 1u);
  EXPECT_EQ(found->textures[0].uri, "skin.png");
  EXPECT_EQ(found->textures[0].mime_type, "image/png");
  EXPECT_EQ(found->textures[0].bytes.size(), png.size());
  for (const char* url :
       {"\"http://example.org/skin.png\"", "\"../../etc/passwd\"", "\"/etc/passwd\"", "\"file:///etc/passwd\"", "\"absent.png\""}) {
    const auto refused = with(url);
    ASSERT_TRUE(refused) << url;
    EXPECT_THAT(refused.diagnostics, test::Reports(codes::hanim_missing_image)) << url;
    for (const Texture& texture : refused->textures) EXPECT_TRUE(texture.bytes.empty()) << url;
  }
}

}  // namespace
}  // namespace vesalius
