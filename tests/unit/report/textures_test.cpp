#include "report/textures.hpp"

#include <gtest/gtest.h>

namespace vesalius::report_detail {
namespace {

Humanoid with_images() {
  Humanoid human;
  human.textures.resize(4);
  for (Texture& texture : human.textures) texture.bytes.resize(4);
  human.textures[0].name = "../../etc/skin.png";
  human.textures[1].name = "skin";
  human.textures[1].mime_type = "image/jpeg";
  human.textures[2].name = "skin.jpg";
  human.textures[2].mime_type = "image/jpeg";
  human.textures[3].uri = "images/my%20face.png";
  return human;
}

TEST(PutTexturesBeside, GivesEveryImageItsOwnPlainName) {
  Humanoid human = with_images();
  AssetFiles files;
  put_textures_beside(human, "out", false, files);
  ASSERT_EQ(files.files.size(), 4U);
  EXPECT_EQ(files.files[1].first, "out_skin.jpg");
  EXPECT_EQ(files.files[2].first, "out_skin_3.jpg");
  EXPECT_EQ(files.files[3].first, "out_my_face.png") << "named after its reference when it has no name";
  for (const auto& [name, bytes] : files.files) {
    EXPECT_EQ(name.find('/'), std::string::npos);
    EXPECT_EQ(bytes.size(), 4U);
  }
  for (const Texture& texture : human.textures) EXPECT_TRUE(texture.bytes.empty());
  EXPECT_EQ(human.textures[1].uri, "out_skin.jpg");
}

TEST(PutTexturesBeside, ReferencesStayBesideTheInput) {
  Humanoid human = with_images();
  AssetFiles files;
  put_textures_beside(human, "out", true, files);
  EXPECT_EQ(files.files.size(), 3U);
  EXPECT_EQ(human.textures[3].uri, "images/my%20face.png");
}

TEST(PutTexturesBeside, WithoutImageNothingIsWritten) {
  Humanoid human;
  human.textures.resize(1);
  human.textures[0].uri = "absent.png";
  AssetFiles files;
  put_textures_beside(human, "out", false, files);
  EXPECT_TRUE(files.files.empty());
  EXPECT_EQ(human.textures[0].uri, "absent.png");
}

}  // namespace
}  // namespace vesalius::report_detail
