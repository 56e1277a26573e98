#include "foundation/xerces.hpp"

#include <mutex>
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/XMLString.hpp>

#include "foundation/utf8.hpp"

namespace vesalius {

void start_xerces() {
  static std::once_flag once;
  std::call_once(once, [] { xercesc::XMLPlatformUtils::Initialize(); });
}

void append_utf8(std::string& out, const XMLCh* text, std::size_t length) {
  // Nearly everything is ASCII: narrow as far as it goes in one loop that compilers vectorise, then the general way.
  const std::size_t start = out.size();
  out.resize(start + length);
  char* to = out.data() + start;
  unsigned all = 0;
  for (std::size_t i = 0; i < length; ++i) {
    all |= text[i];
    to[i] = static_cast<char>(text[i]);
  }
  if (all < 0x80) return;
  out.resize(start);
  for (std::size_t i = 0; i < length; ++i) {
    char32_t c = text[i];
    if (c >= 0xD800 && c < 0xDC00 && i + 1 < length && text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (text[i + 1] - 0xDC00);
      ++i;
    } else if (c >= 0xD800 && c < 0xE000) {
      c = 0xFFFD;
    }
    append_code_point(out, c);
  }
}

std::string utf8(const XMLCh* text) {
  std::string out;
  if (text != nullptr) append_utf8(out, text, xercesc::XMLString::stringLen(text));
  return out;
}

}  // namespace vesalius
