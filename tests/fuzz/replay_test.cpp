// Every seed, and everything that a fuzzer once broke something with, in a normal build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "foundation/files.hpp"
#include "fuzz/targets.hpp"

namespace vesalius::fuzz {
namespace {

std::size_t replay(const NamedTarget& target, const std::filesystem::path& folder) {
  std::size_t used = 0;
  if (!std::filesystem::exists(folder)) return used;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    SCOPED_TRACE(entry.path().string());
    target.run(bytes_of(text));
    ++used;
  }
  return used;
}

class Replay : public testing::TestWithParam<NamedTarget> {};

TEST_P(Replay, SeedsAndOldFindsAreHandled) {
  const std::filesystem::path here = std::filesystem::path(VESALIUS_SOURCE_DIR) / "tests";
  const NamedTarget target = GetParam();
  const bool tables = target.name == "mapping";
  EXPECT_GT(replay(target, tables ? here / "corpus" / "mapping" : here / "fuzz" / "seeds" / target.name), 0u);
  replay(target, here / "fuzz" / "found" / target.name);
}

INSTANTIATE_TEST_SUITE_P(All, Replay, testing::ValuesIn(targets),
                         [](const testing::TestParamInfo<NamedTarget>& entry) { return std::string(entry.param.name); });

}  // namespace
}  // namespace vesalius::fuzz
