// Documents that are broken or hostile, and where the finding points.
#include "formats/gltf/read_document.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "formats/gltf/codes.hpp"
#include "formats/gltf/glb.hpp"
#include "foundation/codes.hpp"
#include "support/matchers.hpp"
#include "support/temp_dir.hpp"

namespace vesalius::gltf {
namespace {

using test::Reports;
using test::ReportsAtPath;

std::string number(std::uint32_t value) {
  return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16), static_cast<char>(value >> 24)};
}
std::string glb(std::uint32_t total, std::uint32_t chunk, const std::string& json) {
  return "glTF" + number(2) + number(total) + number(chunk) + "JSON" + json;
}

TEST(ReadDocument, G01LengthsThatDoNotFitAreErrors) {
  const std::string json = R"({"asset":{"version":"2.0"}} )";
  const auto size = static_cast<std::uint32_t>(json.size());
  Diagnostics good;
  EXPECT_TRUE(read_document(glb(20 + size, size, json), {}, good)) << testing::PrintToString(good);
  for (const std::string& bytes :
       {std::string("glTF"), glb(20, 0xFFFFFFFF, ""), glb(20 + size, 0xFFFFFFF8, json), glb(21 + size, size, json),
        glb(0xFFFFFFFF, size, json), glb(20 + size - 4, size, json), glb(12, 0, "")}) {
    Diagnostics sink;
    EXPECT_FALSE(read_document(bytes, {}, sink));
    EXPECT_THAT(sink, Reports(codes::gltf_bad_glb));
  }
}

TEST(ReadDocument, G08DeepNestingIsAnError) {
  Diagnostics sink;
  EXPECT_FALSE(read_document(std::string(100000, '['), {}, sink));
  EXPECT_THAT(sink, Reports(codes::gltf_too_deep));
}

TEST(ReadDocument, G11ByteOrderMarkIsAcceptedAndCounted) {
  Diagnostics good;
  EXPECT_TRUE(read_document("\xEF\xBB\xBF{\"asset\":{\"version\":\"2.0\"}}", {}, good)) << testing::PrintToString(good);
  Diagnostics sink;
  EXPECT_FALSE(read_document("\xEF\xBB\xBF{\n  \"asset\": oops}", {}, sink));
  EXPECT_THAT(sink, test::ReportsAtLine(codes::gltf_bad_json, 2));
}

TEST(ReadDocument, D13CompressionIsNamedWithTheWayOut) {
  Diagnostics sink;
  EXPECT_FALSE(read_document(R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_mesh_quantization","KHR_draco_mesh_compression"]})",
                             {}, sink));
  ASSERT_THAT(sink, ReportsAtPath(codes::gltf_unsupported_extension, "/extensionsRequired/1"));
  EXPECT_NE(sink.items()[0].message.find("gltf-transform"), std::string::npos);
}

TEST(ReadDocument, G02ViewsThatReachOutsideAreErrors) {
  const std::string head =
      R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"data:application/octet-stream;base64,AAAAAA=="}],"bufferViews":[)";
  Diagnostics good;
  EXPECT_TRUE(read_document(head + R"({"buffer":0,"byteLength":4}]})", {}, good)) << testing::PrintToString(good);
  for (const std::string view :
       {R"({"buffer":0,"byteLength":5})", R"({"buffer":0,"byteOffset":3,"byteLength":2})", R"({"buffer":0,"byteLength":-1})",
        R"({"buffer":0,"byteOffset":18446744073709551615,"byteLength":2})", R"({"buffer":0,"byteLength":1e300})"}) {
    Diagnostics sink;
    EXPECT_FALSE(read_document(head + view + "]}", {}, sink)) << view;
    EXPECT_THAT(sink, ReportsAtPath(codes::gltf_bad_buffer, "/bufferViews/0"));
  }
  Diagnostics sink;
  EXPECT_FALSE(read_document(head + R"({"buffer":1,"byteLength":1}]})", {}, sink));
  EXPECT_THAT(sink, Reports(codes::gltf_bad_index));
}

TEST(ReadDocument, IndicesAndTreesAreChecked) {
  for (const auto& [rest, code] : {std::pair{R"("nodes":[{"children":[7]}])", codes::gltf_bad_index},
                                   {R"("nodes":[{"mesh":0}])", codes::gltf_bad_index},
                                   {R"("nodes":[{"children":[-3]}])", codes::gltf_bad_index},
                                   {R"("nodes":[{}],"skins":[{"joints":[1]}])", codes::gltf_bad_index},
                                   {R"("nodes":[{"rotation":[0,0,0,0]}])", codes::gltf_bad_document},
                                   {R"("nodes":5,"buffers":[3])", codes::gltf_bad_buffer}}) {
    Diagnostics sink;
    EXPECT_FALSE(read_document(R"({"asset":{"version":"2.0"},)" + std::string(rest) + "}", {}, sink)) << rest;
    EXPECT_THAT(sink, Reports(code)) << rest;
  }
  for (const std::string nodes :
       {R"([{"children":[1]},{"children":[0]}])", R"([{"children":[2]},{"children":[2]},{}])", R"([{"children":[0]}])"}) {
    Diagnostics sink;
    const auto document = read_document(R"({"asset":{"version":"2.0"},"nodes":)" + nodes + "}", {}, sink);
    ASSERT_TRUE(document) << testing::PrintToString(sink);
    EXPECT_FALSE(node_tree(*document, sink)) << nodes;
    EXPECT_THAT(sink, Reports(codes::gltf_node_cycle));
  }
}

TEST(ReadDocument, G04FilesAreReadInsideTheFolderOnly) {
  const test::TempDir folder;
  const auto inner = folder.path() / "asset";
  std::filesystem::create_directory(inner);
  for (const auto& path : {folder.path() / "x", inner / "A..B.bin"}) std::ofstream(path, std::ios::binary) << "abcdefgh";
  const auto with = [](const std::string& uri) {
    return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":")" + uri + R"("}]})";
  };
  for (const std::string uri : {"../x", "%2e%2e/x", "/etc/hostname", "file:///etc/hostname", "http://example.org/x", "//host/x"}) {
    Diagnostics sink;
    EXPECT_FALSE(read_document(with(uri), {inner, true, false}, sink)) << uri;
    EXPECT_TRUE(testing::Value(sink, Reports(codes::io_outside_folder)) || testing::Value(sink, Reports(codes::io_remote_uri))) << uri;
  }
  Diagnostics sink;
  const auto good = read_document(with("A..B.bin"), {inner, true, false}, sink);
  ASSERT_TRUE(good) << testing::PrintToString(sink);
  EXPECT_EQ(good->buffers.at(0).size(), 4U) << "a longer file is cut to the declared length";
  EXPECT_TRUE(read_document(with("../x"), {inner, true, true}, sink)) << "on request";
  EXPECT_FALSE(read_document(with("A..B.bin"), {}, sink)) << "input from memory reads no files";
}

}  // namespace
}  // namespace vesalius::gltf
