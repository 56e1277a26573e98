#include "vesalius/diagnostics.hpp"

#include <gtest/gtest.h>

#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::ReportsAtLine;

constexpr Code duplicate{"hanim.duplicate_joint"};
constexpr Code number{"x3d.bad_number"};

TEST(DiagnosticText, NamesFileLineColumnSeverityCodeAndPath) {
  const Diagnostic finding{Severity::error, duplicate, "joint name 'k' occurs twice", {"ann.x3d", 41, 9, "/X3D/Scene/HAnimHumanoid[1]"}, 1};
  EXPECT_EQ(to_text(finding), "ann.x3d:41:9: error [hanim.duplicate_joint] /X3D/Scene/HAnimHumanoid[1]: joint name 'k' occurs twice");
}

TEST(DiagnosticText, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_text(Diagnostic{Severity::note, number, "m", {}, 1}), "note [x3d.bad_number]: m");
  EXPECT_EQ(to_text(Diagnostic{Severity::warning, number, "m", {"a.glb", 0, 0, "/nodes/3"}, 1}),
            "a.glb: warning [x3d.bad_number] /nodes/3: m");
  // A column without a line says nothing.
  EXPECT_EQ(to_text(Diagnostic{Severity::warning, number, "m", {"a.glb", 0, 7, ""}, 1}), "a.glb: warning [x3d.bad_number]: m");
}

TEST(DiagnosticText, CountsRepetitions) {
  EXPECT_EQ(to_text(Diagnostic{Severity::warning, number, "m", {"a", 2, 0, ""}, 3}), "a:2: warning [x3d.bad_number]: m (3 times)");
}

TEST(Diagnostics, FoldsIdenticalFindingsAndKeepsTheFirstPlace) {
  Diagnostics sink;
  sink.warning(number, "m", {"a", 2, 1, "/first"});
  sink.warning(number, "m", {"a", 9, 1, "/second"});
  ASSERT_EQ(sink.items().size(), 1U);
  EXPECT_EQ(sink.items()[0].count, 2U);
  EXPECT_EQ(sink.items()[0].where.line, 2U);
  EXPECT_EQ(sink.count(Severity::warning), 2U);
}

TEST(Diagnostics, KeepsApartWhatDiffersInSeverityCodeMessageOrFile) {
  Diagnostics sink;
  sink.warning(number, "m", {"a", 1, 1, ""});
  sink.error(number, "m", {"a", 1, 1, ""});
  sink.warning(duplicate, "m", {"a", 1, 1, ""});
  sink.warning(number, "n", {"a", 1, 1, ""});
  sink.warning(number, "m", {"b", 1, 1, ""});
  EXPECT_EQ(sink.items().size(), 5U);
}

TEST(Diagnostics, KeepsTheOrderOfFinding) {
  Diagnostics sink;
  sink.note(number, "z");
  sink.note(number, "a");
  sink.note(number, "z");
  ASSERT_EQ(sink.items().size(), 2U);
  EXPECT_EQ(sink.items()[0].message, "z");
  EXPECT_EQ(sink.items()[1].message, "a");
}

TEST(Diagnostics, OnlyErrorsAreErrors) {
  Diagnostics sink;
  EXPECT_FALSE(sink.has_errors());
  sink.note(number, "m");
  sink.warning(number, "m");
  EXPECT_FALSE(sink.has_errors());
  sink.error(number, "m");
  EXPECT_TRUE(sink.has_errors());
}

TEST(Diagnostics, AppendAddsTheCounts) {
  Diagnostics one, two;
  one.warning(number, "m");
  two.warning(number, "m");
  two.warning(number, "m");
  two.note(duplicate, "d");
  one.append(two);
  ASSERT_EQ(one.items().size(), 2U);
  EXPECT_EQ(one.items()[0].count, 3U);
}

TEST(Diagnostics, FileNameIsGivenToThoseWithoutOne) {
  Diagnostics sink;
  sink.warning(number, "m", {"", 4, 1, ""});
  sink.warning(number, "m", {"b", 5, 1, ""});
  sink.set_file("b");
  // They are the same finding once both are about the same file.
  ASSERT_EQ(sink.items().size(), 1U);
  EXPECT_EQ(sink.items()[0].count, 2U);
  EXPECT_THAT(sink, ReportsAtLine(number, 4));
  EXPECT_EQ(sink.items()[0].where.file, "b");
}

}  // namespace
}  // namespace vesalius
