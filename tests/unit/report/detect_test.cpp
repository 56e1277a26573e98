#include <gtest/gtest.h>

#include "foundation/files.hpp"
#include "report/codes.hpp"
#include "support/matchers.hpp"
#include "support/temp_dir.hpp"
#include "vesalius/translate.hpp"

namespace vesalius {
namespace {

using test::Reports;
using test::TempDir;

FileFormat detect(std::string_view text) {
  return detect_format(bytes_of(text));
}

TEST(DetectFormat, TellsFormatsApartByContent) {
  EXPECT_EQ(detect("<?xml version=\"1.0\"?><X3D/>"), FileFormat::x3d_xml);
  EXPECT_EQ(detect("\xEF\xBB\xBF  \r\n<X3D/>"), FileFormat::x3d_xml) << "byte order mark and white space";
  EXPECT_EQ(detect("#VRML V2.0 utf8\n"), FileFormat::vrml);
  EXPECT_EQ(detect("#X3D V3.3 utf8\n"), FileFormat::vrml);
  EXPECT_EQ(detect("#VRML V1.0 ascii\n"), FileFormat::vrml) << "the reader says that this version is too old";
  EXPECT_EQ(detect("glTF\x02"), FileFormat::glb);
  EXPECT_EQ(detect("\x1f\x8b\x08"), FileFormat::gzip);
  EXPECT_EQ(detect(""), FileFormat::unknown);
  EXPECT_EQ(detect("solid cube"), FileFormat::unknown);
}

TEST(DetectFormat, JsonIsToldByItsOutermostKeys) {
  EXPECT_EQ(detect(R"({"X3D": {"Scene": {}}})"), FileFormat::x3d_json);
  EXPECT_EQ(detect(R"({"asset": {"version": "2.0"}})"), FileFormat::gltf);
  EXPECT_EQ(detect(R"({"extras": {"X3D": "inside"}, "nodes": []})"), FileFormat::gltf) << "keys inside other objects do not count";
  EXPECT_EQ(detect(R"({"a": "quoted \" X3D", "b\"": ["X3D"], "X3D": 1})"), FileFormat::x3d_json);
  EXPECT_EQ(detect(R"({"metadata": {"asset": 1}})"), FileFormat::unknown);
  EXPECT_EQ(detect("{\"cut"), FileFormat::unknown);
  EXPECT_EQ(detect("{\"cut\\"), FileFormat::unknown);
  EXPECT_EQ(detect(std::string(200000, '[')), FileFormat::unknown);
}

TEST(ReadAny, B28BinaryX3dIsAClearError) {
  const TempDir dir;
  const auto file = dir.put("figure.x3db", std::string_view("\xE0\x00\x00\x01\x00\x00", 6));
  const auto read = read_any(file, MappingTables::built_in());
  EXPECT_FALSE(read);
  EXPECT_THAT(read.diagnostics, Reports(codes::translate_unsupported_format));
}

TEST(ReadAny, B28SceneWithoutHumanoidIsAClearError) {
  const TempDir dir;
  const auto file = dir.put("empty.x3d", "<?xml version='1.0'?><X3D version='4.0'><Scene><Shape/></Scene></X3D>");
  const auto read = read_any(file, MappingTables::built_in());
  EXPECT_FALSE(read);
  EXPECT_TRUE(read.diagnostics.has_errors());
}

TEST(ReadAny, UnknownContentSaysWhatWasFound) {
  const TempDir dir;
  const auto file = dir.put("mesh.x3d", "solid cube\nfacet");
  const auto read = read_any(file, MappingTables::built_in());
  EXPECT_FALSE(read);
  ASSERT_THAT(read.diagnostics, Reports(codes::translate_unknown_format));
  EXPECT_NE(read.diagnostics.items()[0].message.find("solid cube"), std::string::npos);
}

TEST(ReadAny, AMissingFileIsAnAccessError) {
  const TempDir dir;
  const auto read = read_any(dir / "absent.x3d", MappingTables::built_in());
  EXPECT_FALSE(read);
  ASSERT_EQ(read.diagnostics.items().size(), 1U);
  EXPECT_EQ(read.diagnostics.items()[0].code.id, "io.not_found");
}

TEST(OutputFormat, ComesFromTheExtensionInAnyCase) {
  EXPECT_EQ(output_format_of("a/b.GLB"), OutputFormat::glb);
  EXPECT_EQ(output_format_of("b.gltf"), OutputFormat::gltf);
  EXPECT_EQ(output_format_of("b.x3d"), OutputFormat::x3d);
  EXPECT_EQ(output_format_of("glb"), std::nullopt);
  EXPECT_EQ(output_format_of("b.x3dv"), OutputFormat::x3dv);
  EXPECT_EQ(output_format_of("b.X3DJ"), OutputFormat::x3dj);
  EXPECT_EQ(output_format_of("b.json"), OutputFormat::x3dj);
  EXPECT_EQ(output_format_of("b.wrl"), OutputFormat::wrl);
  EXPECT_EQ(output_format_of("b.wrl.gz"), OutputFormat::wrl);
  EXPECT_EQ(output_format_of("b.x3dz"), OutputFormat::x3d);
  EXPECT_EQ(output_format_of("b.glb.gz"), std::nullopt);
  EXPECT_EQ(output_format_of("b.x3db"), std::nullopt);
  EXPECT_TRUE(is_gzip_name("b.wrz"));
  EXPECT_TRUE(is_gzip_name("b.x3dv.gz"));
  EXPECT_FALSE(is_gzip_name("b.wrl"));
}

}  // namespace
}  // namespace vesalius
