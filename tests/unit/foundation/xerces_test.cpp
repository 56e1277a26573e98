#include "foundation/xerces.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace vesalius {
namespace {

std::string narrowed(std::u16string_view text) {
  std::string out = "<";
  append_utf8(out, reinterpret_cast<const XMLCh*>(text.data()), text.size());
  return out;
}

TEST(Utf8, KeepsAsciiAndWhatWasThere) {
  EXPECT_EQ(narrowed(u"l_knee 0.5"), "<l_knee 0.5");
  EXPECT_EQ(narrowed(u""), "<");
  EXPECT_EQ(narrowed(std::u16string_view(u"a\0b", 3)), std::string("<a\0b", 4));
}

TEST(Utf8, EncodesEveryLength) {
  EXPECT_EQ(narrowed(u"\u00e9"), "<\xc3\xa9");
  EXPECT_EQ(narrowed(u"\u20ac"), "<\xe2\x82\xac");
  EXPECT_EQ(narrowed(u"\U0001F600!"), "<\xf0\x9f\x98\x80!");
  // ASCII before the first other character is not written twice.
  EXPECT_EQ(narrowed(u"Ren\u00e9"), "<Ren\xc3\xa9");
}

TEST(Utf8, LoneSurrogatesBecomeTheReplacementCharacter) {
  const std::u16string high(1, char16_t{0xD83D}), low(1, char16_t{0xDE00});
  EXPECT_EQ(narrowed(high), "<\xef\xbf\xbd");
  EXPECT_EQ(narrowed(low + u"a"),
            "<\xef\xbf\xbd"
            "a");
  EXPECT_EQ(narrowed(high + u"a"),
            "<\xef\xbf\xbd"
            "a");
}

TEST(Utf8, OfNothingIsNothing) {
  EXPECT_EQ(utf8(nullptr), "");
}

TEST(StartXerces, AnyThreadMayAskFirst) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(start_xerces);
  for (std::thread& thread : threads) thread.join();
  start_xerces();
}

}  // namespace
}  // namespace vesalius
