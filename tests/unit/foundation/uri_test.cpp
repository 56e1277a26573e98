#include "foundation/uri.hpp"

#include <gtest/gtest.h>

#include "foundation/codes.hpp"
#include "support/matchers.hpp"
#include "support/temp_dir.hpp"

namespace vesalius {
namespace {

namespace fs = std::filesystem;
using test::IsEmpty;
using test::Reports;
using test::TempDir;

TEST(PercentDecoded, TurnsEscapesIntoBytes) {
  EXPECT_EQ(percent_decoded("a%20b%2Ebin"), "a b.bin");
  EXPECT_EQ(percent_decoded("%c3%A9"), "\xc3\xa9");
  EXPECT_EQ(percent_decoded(""), "");
}

TEST(PercentDecoded, RefusesBrokenEscapesAndZeroBytes) {
  for (const char* uri : {"%", "%4", "a%4", "%zz", "%00"}) EXPECT_FALSE(percent_decoded(uri)) << uri;
}

TEST(PercentEncoded, IsUndoneByDecoding) {
  const std::string name = "a b%c#d?e\"\xc3\xa9.bin";
  EXPECT_EQ(percent_decoded(percent_encoded(name)), name);
  EXPECT_EQ(percent_encoded("plain-name_1.bin"), "plain-name_1.bin");
  EXPECT_EQ(percent_encoded("a b"), "a%20b");
}

TEST(ResolveUri, G04RefusesWhatLeavesTheFolder) {
  const TempDir dir;
  for (const char* uri : {"../x.bin", "a/../../x.bin", "/etc/passwd", "%2e%2e/x.bin", "..%2Fx.bin", "%2Fetc/passwd"}) {
    Diagnostics sink;
    EXPECT_FALSE(resolve_uri(uri, dir.path(), false, sink, {})) << uri;
    EXPECT_THAT(sink, Reports(codes::io_outside_folder)) << uri;
  }
}

TEST(ResolveUri, G04TakesLegalNamesThatLookDangerous) {
  const TempDir dir;
  for (const char* uri : {"A..B.bin", "..bin", "a/../b.bin", "./b.bin", "textures/skin.png"}) {
    Diagnostics sink;
    const auto file = resolve_uri(uri, dir.path(), false, sink, {});
    ASSERT_TRUE(file) << uri;
    EXPECT_EQ(*file, (fs::canonical(dir.path()) / uri).lexically_normal()) << uri;
    EXPECT_THAT(sink, IsEmpty());
  }
}

TEST(ResolveUri, G04SymbolicLinksDoNotLeadOut) {
  const TempDir dir, elsewhere;
  elsewhere.put("secret", "s");
  fs::create_directory_symlink(elsewhere.path(), dir / "link");
  Diagnostics sink;
  EXPECT_FALSE(resolve_uri("link/secret", dir.path(), false, sink, {}));
  EXPECT_THAT(sink, Reports(codes::io_outside_folder));
}

TEST(ResolveUri, OutsideOnRequest) {
  const TempDir dir;
  fs::create_directory(dir / "inner");
  Diagnostics sink;
  EXPECT_EQ(resolve_uri("../x.bin", dir / "inner", true, sink, {}), fs::canonical(dir.path()) / "x.bin");
  EXPECT_THAT(sink, IsEmpty());
}

TEST(ResolveUri, G10NothingIsFetched) {
  const TempDir dir;
  for (const char* uri : {"http://example.org/a.bin", "https://example.org/a", "ftp://h/a", "file:///etc/passwd", "file:a.bin", "urn:x:y",
                          "//host/share", "\\\\host\\share"}) {
    for (const bool outside : {false, true}) {
      Diagnostics sink;
      EXPECT_FALSE(resolve_uri(uri, dir.path(), outside, sink, {"a.gltf", 0, 0, "/buffers/0/uri"})) << uri;
      EXPECT_THAT(sink, test::ReportsAtPath(codes::io_remote_uri, "/buffers/0/uri")) << uri;
    }
  }
}

TEST(ResolveUri, EmptyFolderIsTheCurrentOne) {
  Diagnostics sink;
  EXPECT_EQ(resolve_uri("x.bin", {}, false, sink, {}), fs::canonical(".") / "x.bin");
}

TEST(IsDataUri, ByItsScheme) {
  EXPECT_TRUE(is_data_uri("data:application/octet-stream;base64,AA=="));
  EXPECT_FALSE(is_data_uri("data.bin"));
}

}  // namespace
}  // namespace vesalius
