#include "report/textures.hpp"

#include <gtest/gtest.h>

#include "report/codes.hpp"
#include "support/matchers.hpp"
#include "support/temp_dir.hpp"

namespace vesalius::report_detail {
namespace {

using test::Reports;
using test::TempDir;

constexpr std::string_view png("\x89PNG\r\n\x1a\n rest", 13);

Humanoid with_texture(const std::string& uri) {
  Humanoid human;
  human.textures.emplace_back().uri = uri;
  return human;
}

TEST(LoadTextures, ReadsAnImageBesideTheInput) {
  const TempDir dir;
  dir.put("my skin.png", png);
  Humanoid human = with_texture("my%20skin.png");
  Diagnostics findings;
  load_textures(human, dir.path(), false, findings);
  EXPECT_THAT(findings, test::IsEmpty());
  EXPECT_EQ(human.textures[0].bytes.size(), png.size());
  EXPECT_EQ(human.textures[0].mime_type, "image/png");
  EXPECT_EQ(human.textures[0].uri, "");
  EXPECT_EQ(human.textures[0].name, "my skin");
}

TEST(LoadTextures, WhatCannotBeHadStaysAReferenceAndIsReported) {
  const TempDir dir;
  dir.put("notes.png", "text");
  for (const char* uri : {"absent.png", "../outside.png", "http://example.org/a.png", "notes.png"}) {
    Humanoid human = with_texture(uri);
    Diagnostics findings;
    load_textures(human, dir.path(), false, findings);
    EXPECT_THAT(findings, Reports(codes::translate_texture)) << uri;
    EXPECT_EQ(human.textures[0].uri, uri);
    EXPECT_TRUE(human.textures[0].bytes.empty());
  }
}

TEST(PutTexturesBeside, GivesEveryImageItsOwnPlainName) {
  Humanoid human;
  human.textures.resize(3);
  for (Texture& texture : human.textures) texture.bytes.resize(4);
  human.textures[0].name = "../../etc/skin.png";
  human.textures[1].name = "skin";
  human.textures[1].mime_type = "image/jpeg";
  human.textures[2].name = "skin.jpg";
  human.textures[2].mime_type = "image/jpeg";
  AssetFiles files;
  put_textures_beside(human, "out", files);
  ASSERT_EQ(files.files.size(), 3U);
  EXPECT_EQ(files.files[1].first, "out_skin.jpg");
  EXPECT_EQ(files.files[2].first, "out_skin_3.jpg");
  for (const auto& [name, bytes] : files.files) {
    EXPECT_EQ(name.find('/'), std::string::npos);
    EXPECT_EQ(bytes.size(), 4U);
  }
  for (const Texture& texture : human.textures) EXPECT_TRUE(texture.bytes.empty());
  EXPECT_EQ(human.textures[1].uri, "out_skin.jpg");
}

}  // namespace
}  // namespace vesalius::report_detail
