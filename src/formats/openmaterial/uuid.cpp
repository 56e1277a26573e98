// Names made from content.
#include <array>
#include <bit>
#include <cstdint>

#include "formats/openmaterial/xoma.hpp"

namespace vesalius::openmaterial {
namespace {

/// SHA-1 (FIPS 180-4): no library at hand has it without OpenSSL, and nothing here depends on its strength.
class Sha1 {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      block_[used_++] = static_cast<std::uint8_t>(c);
      ++length_;
      if (used_ == 64) flush();
    }
  }
  std::array<std::uint8_t, 20> finish() {
    const std::uint64_t bits = 8 * length_;
    block_[used_++] = 0x80;
    if (used_ > 56) {
      while (used_ < 64) block_[used_++] = 0;
      flush();
    }
    while (used_ < 56) block_[used_++] = 0;
    for (int i = 7; i >= 0; --i) block_[used_++] = static_cast<std::uint8_t>(bits >> (8 * i));
    flush();
    std::array<std::uint8_t, 20> result;
    for (std::size_t i = 0; i < 20; ++i) result[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
    return result;
  }

 private:
  void flush() {
    std::array<std::uint32_t, 80> w;
    for (std::size_t i = 0; i < 16; ++i) {
      w[i] = static_cast<std::uint32_t>(block_[4 * i]) << 24 | static_cast<std::uint32_t>(block_[4 * i + 1]) << 16 |
             static_cast<std::uint32_t>(block_[4 * i + 2]) << 8 | block_[4 * i + 3];
    }
    for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = state_;
    for (std::size_t i = 0; i < 80; ++i) {
      const std::uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
      const std::uint32_t k = i < 20 ? 0x5A827999u : i < 40 ? 0x6ED9EBA1u : i < 60 ? 0x8F1BBCDCu : 0xCA62C1D6u;
      const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state_[0] += a;
    state_[1] += b;
    state_[2] += c;
    state_[3] += d;
    state_[4] += e;
    used_ = 0;
  }
  std::array<std::uint32_t, 5> state_{0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
  std::array<std::uint8_t, 64> block_{};
  std::size_t used_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace

std::string uuid_of(std::string_view content) {
  Sha1 hash;
  hash.add(std::string_view("\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16));  // the URL namespace of RFC 4122
  hash.add("vesalius:");
  hash.add(content);
  auto bytes = hash.finish();
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0F) | 0x50);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3F) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

std::string resolution_of(std::span<const std::byte> image) {
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(image[i]); };
  std::uint32_t size = 0;
  if (image.size() > 24 && at(1) == 'P' && at(2) == 'N' && at(3) == 'G') {
    size = std::max(at(16) << 24 | at(17) << 16 | at(18) << 8 | at(19), at(20) << 24 | at(21) << 16 | at(22) << 8 | at(23));
  } else if (image.size() > 4 && at(0) == 0xFF && at(1) == 0xD8) {
    for (std::size_t i = 2; i + 9 < image.size() && at(i) == 0xFF;) {
      const std::uint32_t marker = at(i + 1);
      if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
        size = std::max(at(i + 5) << 8 | at(i + 6), at(i + 7) << 8 | at(i + 8));
        break;
      }
      i += 2 + (at(i + 2) << 8 | at(i + 3));
    }
  }
  if (size == 0) return {};
  std::uint32_t k = 1;
  while (k < 64 && size > 1024 * k) k *= 2;
  return std::to_string(k) + "K";
}

}  // namespace vesalius::openmaterial
