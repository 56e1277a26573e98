// Buffers and documents on their way out.
#include "formats/gltf/write_document.hpp"

#include <gtest/gtest.h>

#include "formats/gltf/accessors.hpp"
#include "formats/gltf/read_document.hpp"
#include "support/matchers.hpp"

namespace vesalius::gltf {
namespace {

TEST(WriteDocument, D31EveryViewStartsAtAMultipleOfFourBytes) {
  Document d;
  BufferBuilder builder(d);
  builder.add_view(std::as_bytes(std::span("abc", 3)));
  builder.add_indices(std::vector<std::uint32_t>{0, 1, 2}, 3);
  builder.add_joints(std::vector<std::uint16_t>{1, 2, 3, 4});
  for (const BufferView& view : d.views) EXPECT_EQ(view.offset % 4, 0U);
  Diagnostics sink;
  const auto bytes = to_glb(d, sink);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size() % 4, 0U);
  const auto back = read_document({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, {}, sink);
  ASSERT_TRUE(back) << testing::PrintToString(sink);
  EXPECT_EQ(read_unsigned(*back, 0, 1, sink), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(read_unsigned(*back, 1, 4, sink), (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST(WriteDocument, D32BoundsComeFromTheStoredFloats) {
  Document d;
  const std::vector<float> values{0.1F, -2.5F, 0.3F, 0.7F};
  BufferBuilder(d).add_floats(values, 2, Target::none, true);
  EXPECT_EQ(d.accessors[0].min, (std::vector<double>{static_cast<double>(0.1F), -2.5}));
  EXPECT_EQ(d.accessors[0].max, (std::vector<double>{static_cast<double>(0.3F), static_cast<double>(0.7F)}));
}

TEST(WriteDocument, MostlyZeroDataBecomeSparse) {
  Document d;
  BufferBuilder builder(d);
  std::vector<float> values(300, 0.0F);
  builder.add_mostly_zero(values, 3);
  values[150] = 1.5F;
  builder.add_mostly_zero(values, 3);
  EXPECT_FALSE(d.accessors[0].sparse);
  EXPECT_TRUE(d.accessors[1].sparse);
  EXPECT_LT(d.buffers[0].size(), 100U) << "1200 bytes when dense";
  Diagnostics sink;
  const auto bytes = to_glb(d, sink);
  ASSERT_TRUE(bytes);
  const auto back = read_document({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, {}, sink);
  ASSERT_TRUE(back) << testing::PrintToString(sink);
  const auto read = read_values(*back, 1, 3, sink);
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)[150], 1.5);
  EXPECT_EQ(std::count(read->begin(), read->end(), 0.0), 299);
}

TEST(WriteDocument, SameDocumentGivesSameBytes) {
  const auto made = [] {
    Document d;
    BufferBuilder(d).add_floats(std::vector<float>{1, 2, 3}, 3, Target::none, true);
    d.nodes.resize(2);
    d.nodes[0] = {};
    d.nodes[0].name = "A";
    d.nodes[0].children = {1};
    d.nodes[0].extras = R"({"vesalius":{"b":0.1,"a":[1,2]}})";
    d.scenes = {{0}};
    Diagnostics sink;
    return to_gltf(d, "a.bin");
  };
  EXPECT_EQ(made(), made());
  const auto text = made();
  EXPECT_NE(std::string_view(reinterpret_cast<const char*>(text.data()), text.size()).find("\"uri\": \"a.bin\""), std::string_view::npos);
}

}  // namespace
}  // namespace vesalius::gltf
