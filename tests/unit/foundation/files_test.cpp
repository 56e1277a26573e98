#include "foundation/files.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <sstream>

#include "foundation/codes.hpp"
#include "support/matchers.hpp"
#include "support/temp_dir.hpp"

namespace vesalius {
namespace {

using test::bytes_in;
using test::IsEmpty;
using test::Reports;
using test::TempDir;

std::string gzipped(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(ReadFile, GivesEveryByte) {
  const TempDir dir;
  const std::string bytes("a\0b\r\n\xff", 6);
  Diagnostics sink;
  EXPECT_EQ(read_file(dir.put("x", bytes), sink), bytes);
  EXPECT_THAT(sink, IsEmpty());
}

TEST(ReadFile, MissingFileAndFolderAreToldApart) {
  const TempDir dir;
  Diagnostics missing, folder;
  EXPECT_FALSE(read_file(dir / "none.x3d", missing));
  EXPECT_THAT(missing, Reports(codes::io_not_found));
  EXPECT_EQ(missing.items()[0].where.file, (dir / "none.x3d").string());
  EXPECT_FALSE(read_file(dir.path(), folder));
  EXPECT_THAT(folder, Reports(codes::io_cannot_read));
}

TEST(ReadFile, StopsAtTheLimit) {
  const TempDir dir;
  const auto file = dir.put("x", "12345678");
  Diagnostics sink;
  EXPECT_EQ(read_file(file, sink, 8), "12345678");
  EXPECT_FALSE(read_file(file, sink, 7));
  EXPECT_THAT(sink, Reports(codes::io_too_large));
}

TEST(ReadStream, ReadsToTheEnd) {
  const std::string text(300'000, 'x');  // more than one block
  std::istringstream in(text);
  Diagnostics sink;
  EXPECT_EQ(read_stream(in, "-", sink), text);
}

TEST(Gunzip, C01RecognisesGzipByItsFirstBytes) {
  EXPECT_TRUE(is_gzip(gzipped("#VRML V2.0 utf8")));
  EXPECT_FALSE(is_gzip("#VRML V2.0 utf8"));
  EXPECT_FALSE(is_gzip("\x1f\x8b")) << "two bytes are no file";
  EXPECT_FALSE(is_gzip(""));
}

TEST(Gunzip, GivesTheTextBackAlsoOfSeveralMembers) {
  const std::string text(700'000, 'y');
  Diagnostics sink;
  EXPECT_EQ(gunzip(gzipped(text), "x.wrz", sink), text);
  EXPECT_EQ(gunzip(gzipped("one ") + gzipped("two"), "x.wrz", sink), "one two");
  EXPECT_THAT(sink, IsEmpty());
}

TEST(Gunzip, EveryCutIsReported) {
  const std::string whole = gzipped("some text that is compressed");
  for (std::size_t length = 3; length < whole.size(); ++length) {
    Diagnostics sink;
    EXPECT_FALSE(gunzip(std::string_view(whole).substr(0, length), "x", sink)) << length;
    EXPECT_THAT(sink, Reports(codes::io_bad_gzip)) << length;
  }
}

TEST(Gunzip, DamageIsReported) {
  std::string damaged = gzipped(std::string(1000, 'a') + "b");
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);  // the checksum
  Diagnostics sink;
  EXPECT_FALSE(gunzip(damaged, "x", sink));
  EXPECT_THAT(sink, Reports(codes::io_bad_gzip));
}

TEST(Gunzip, C01ExpandedSizeIsCapped) {
  const std::string bomb = gzipped(std::string(10'000'000, '\0'));
  ASSERT_LT(bomb.size(), 20'000U);
  Diagnostics sink;
  EXPECT_FALSE(gunzip(bomb, "x", sink, 1'000'000));
  EXPECT_THAT(sink, Reports(codes::io_too_large));
}

TEST(WriteFiles, WritesAllAndLeavesNothingElse) {
  const TempDir dir;
  const std::string one = "one", two = "two";
  const std::array<FileContents, 2> files{FileContents{dir / "a.gltf", bytes_of(one)}, FileContents{dir / "a.bin", bytes_of(two)}};
  Diagnostics sink;
  EXPECT_TRUE(write_files(files, sink));
  EXPECT_EQ(bytes_in(dir / "a.gltf"), "one");
  EXPECT_EQ(bytes_in(dir / "a.bin"), "two");
  EXPECT_EQ(dir.files(), 2U);
}

TEST(WriteFiles, ReplacesAnExistingFile) {
  const TempDir dir;
  const auto file = dir.put("a", "old and longer");
  const std::string text = "new";
  const std::array<FileContents, 1> files{FileContents{file, bytes_of(text)}};
  Diagnostics sink;
  EXPECT_TRUE(write_files(files, sink));
  EXPECT_EQ(bytes_in(file), "new");
}

TEST(WriteFiles, FailureChangesNothing) {
  const TempDir dir;
  const auto existing = dir.put("a", "old");
  std::filesystem::create_directory(dir / "folder");
  const std::string text = "new";
  for (const auto& bad : {dir / "folder", dir / "absent" / "b"}) {
    const std::array<FileContents, 2> files{FileContents{existing, bytes_of(text)}, FileContents{bad, bytes_of(text)}};
    Diagnostics sink;
    EXPECT_FALSE(write_files(files, sink));
    EXPECT_THAT(sink, Reports(codes::io_cannot_write));
    EXPECT_EQ(sink.items()[0].where.file, bad.string());
    EXPECT_EQ(bytes_in(existing), "old");
    EXPECT_EQ(dir.files(), 2U) << "the existing file and the folder, no temporary file";
  }
}

}  // namespace
}  // namespace vesalius
