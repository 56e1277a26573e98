#pragma once
// Conversions that a test expects to succeed.
#include <gtest/gtest.h>

#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "vesalius/convert.hpp"

namespace vesalius::test {

inline Conversion converted_to(const Humanoid& source, const std::string& profile, ConvertOptions options = {}) {
  options.to = profile;
  auto made = convert(source, MappingTables::built_in(), options);
  EXPECT_TRUE(made) << testing::PrintToString(made.diagnostics);
  if (!made) return {};
  expect_sound(made->humanoid);
  return std::move(*made.value);
}
inline ConvertOptions plain_options() {
  ConvertOptions options;
  options.extras = false;
  return options;
}

}  // namespace vesalius::test
