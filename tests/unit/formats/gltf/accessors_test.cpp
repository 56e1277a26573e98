// Numbers behind accessors: layouts, quantities, and ranges that lie.
#include "formats/gltf/accessors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "formats/gltf/codes.hpp"
#include "formats/gltf/write_document.hpp"
#include "support/matchers.hpp"

namespace vesalius::gltf {
namespace {

using test::Reports;

/// A document with one buffer and one view over all of it.
template <class T>
Document holding(const std::vector<T>& values, std::uint64_t stride = 0) {
  Document d;
  BufferBuilder(d).add_view(std::as_bytes(std::span(values)));
  d.views[0].stride = stride;
  return d;
}

Accessor of(Component type, unsigned components, std::uint64_t count, bool normalised = false) {
  Accessor a;
  a.view = 0;
  a.type = type;
  a.components = components;
  a.count = count;
  a.normalised = normalised;
  return a;
}

TEST(Accessors, D12QuantisedNumbersAreScaledAndClamped) {
  auto d = holding<std::int8_t>({127, 0, -127, -128});
  d.accessors = {of(Component::i8, 4, 1, true)};
  Diagnostics sink;
  EXPECT_EQ(read_values(d, 0, 4, sink), (std::vector<double>{1, 0, -1, -1}));  // -128 is -1 too, as the standard says
  d = holding<std::uint16_t>({0, 65535});
  d.accessors = {of(Component::u16, 1, 2, true), of(Component::u16, 1, 2)};
  EXPECT_EQ(read_values(d, 0, 1, sink), (std::vector<double>{0, 1}));
  EXPECT_EQ(read_values(d, 1, 1, sink), (std::vector<double>{0, 65535}));
  EXPECT_THAT(sink, test::IsEmpty());
}

TEST(Accessors, D30InterleavedAndTightDataAreRead) {
  auto d = holding<float>({1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9}, 16);
  d.accessors = {of(Component::f32, 3, 3)};  // the last element has no whole stride left, which is allowed
  Diagnostics sink;
  EXPECT_EQ(read_values(d, 0, 3, sink), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  d.views[0].stride = 0;
  EXPECT_EQ(read_values(d, 0, 3, sink), (std::vector<double>{1, 2, 3, 9, 4, 5, 6, 9, 7}));
  d.views[0].stride = 8;
  EXPECT_FALSE(read_values(d, 0, 3, sink)) << "a stride shorter than the element";
  EXPECT_THAT(sink, Reports(codes::gltf_bad_accessor));
}

TEST(Accessors, D11SparseElementsReplaceDenseOnesAndZeros) {
  Document d;
  BufferBuilder builder(d);
  const std::vector<float> dense{1, 2, 3}, patch{20};
  const std::vector<std::uint16_t> where{1};
  builder.add_floats(dense, 1, Target::none);
  Sparse sparse;
  sparse.count = 1;
  sparse.index_type = Component::u16;
  sparse.index_view = builder.add_view(std::as_bytes(std::span(where)));
  sparse.value_view = builder.add_view(std::as_bytes(std::span(patch)));
  d.accessors[0].sparse = sparse;
  Diagnostics sink;
  EXPECT_EQ(read_values(d, 0, 1, sink), (std::vector<double>{1, 20, 3}));
  d.accessors[0].view.reset();
  EXPECT_EQ(read_values(d, 0, 1, sink), (std::vector<double>{0, 20, 0}));
  EXPECT_THAT(sink, test::IsEmpty());
  d.accessors[0].count = 1;
  EXPECT_FALSE(read_values(d, 0, 1, sink)) << "index 1 of 1 element";
}

TEST(Accessors, G02CountsAreCheckedBeforeMemoryIsAskedFor) {
  auto d = holding<float>({1, 2, 3});
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    d.accessors = {of(Component::f32, 1, count)};
    Diagnostics sink;
    EXPECT_FALSE(read_values(d, 0, 1, sink)) << count;
    EXPECT_THAT(sink, Reports(codes::gltf_bad_accessor));
    // Without a view nothing limits the count, not even a caller who took it from this accessor.
    d.accessors[0].view.reset();
    if (count > 4) {
      EXPECT_FALSE(read_values(d, 0, 1, sink, count)) << count;
    }
  }
  d.accessors = {of(Component::f32, 1, 1)};
  d.accessors[0].offset = ~std::uint64_t{0} - 2;
  Diagnostics sink;
  EXPECT_FALSE(read_values(d, 0, 1, sink)) << "an offset that wraps";
  EXPECT_FALSE(read_values(d, 0, 3, sink)) << "another number of components";
  EXPECT_FALSE(read_unsigned(d, 0, 1, sink)) << "floats are no indices";
}

TEST(Accessors, D32NotANumberIsRefusedWithItsElement) {
  auto d = holding<float>({0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN(), 0});
  d.accessors = {of(Component::f32, 3, 2)};
  Diagnostics sink;
  EXPECT_FALSE(read_values(d, 0, 3, sink));
  ASSERT_THAT(sink, test::ReportsAtPath(codes::gltf_not_finite, "/accessors/0"));
  EXPECT_NE(sink.items()[0].message.find("element 1"), std::string::npos);
}

}  // namespace
}  // namespace vesalius::gltf
