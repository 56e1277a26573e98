// A wrong table is refused with its place; one small file per fault.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "foundation/codes.hpp"
#include "mapping/codes.hpp"
#include "support/matchers.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius {
namespace {

struct Expected {
  Code code;
  std::uint32_t line;
};

const std::map<std::string, Expected>& expectations() {
  static const std::map<std::string, Expected> all{{"unknown_profile", {codes::mapping_unknown_profile, 2}},
                                                   {"unknown_joint", {codes::mapping_unknown_joint, 3}},
                                                   {"unknown_bone", {codes::mapping_unknown_bone, 3}},
                                                   {"joint_used_twice", {codes::mapping_duplicate, 4}},
                                                   {"bone_with_two_groups", {codes::mapping_duplicate, 4}},
                                                   {"chain_out_of_order", {codes::mapping_chain_order, 3}},
                                                   {"shares_do_not_sum_to_one", {codes::mapping_share_sum, 3}},
                                                   {"missing_share", {codes::mapping_share_sum, 3}},
                                                   {"share_of_foreign_joint", {codes::mapping_unknown_joint, 4}},
                                                   {"wrong_side", {codes::mapping_look_alike, 3}},
                                                   {"share_above_one", {codes::mapping_schema, 4}},
                                                   {"unknown_attribute", {codes::mapping_schema, 3}},
                                                   {"not_a_table", {codes::mapping_unknown_kind, 1}},
                                                   {"not_well_formed", {codes::mapping_not_xml, 4}},
                                                   {"doctype", {codes::mapping_not_xml, 2}},
                                                   {"parent_comes_later", {codes::mapping_parent, 3}},
                                                   {"mirror_without_partner", {codes::mapping_mirror, 3}},
                                                   {"duplicate_alias", {codes::mapping_duplicate, 4}},
                                                   {"frame_not_unit", {codes::mapping_bad_frame, 3}}};
  return all;
}

TEST(BadTables, EveryFaultHasItsCodeAndLine) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VESALIUS_SOURCE_DIR "/tests/corpus/mapping")) {
    const std::string name = entry.path().stem().string();
    ASSERT_TRUE(expectations().contains(name)) << name;
    const auto read = MappingTables::built_in().with_file(entry.path());
    EXPECT_FALSE(read) << name;
    bool found = false;
    for (const Diagnostic& finding : read.diagnostics.items()) {
      found = found || (finding.code == expectations().at(name).code && finding.where.line == expectations().at(name).line &&
                        finding.where.column > 0);
    }
    EXPECT_TRUE(found) << name << testing::PrintToString(read.diagnostics);
    ++files;
  }
  EXPECT_EQ(files, expectations().size());
}

TEST(BadTables, G11ByteOrderMarkIsAccepted) {
  const auto read = MappingTables::built_in().with_text(
      "\xEF\xBB\xBF<mapping from=\"hanim-2\" to=\"openmaterial\" source=\"test\"><group bone=\"Hip\" joints=\"humanoid_root\"/></mapping>",
      "memory");
  EXPECT_TRUE(read) << testing::PrintToString(read.diagnostics);
}

TEST(BadTables, AMissingFileIsNamed) {
  EXPECT_THAT(MappingTables::built_in().with_file("/nowhere/table.xml").diagnostics, test::Reports(codes::io_not_found));
}

}  // namespace
}  // namespace vesalius
