#pragma once
// What the fuzzers feed. Each takes any bytes and must return: an input is rejected with findings or read, and what was read is sound and
// can be written again. A broken promise ends the program.
#include <cstddef>
#include <span>
#include <string_view>

namespace vesalius::fuzz {

using Target = void (*)(std::span<const std::byte> input);

void x3d_xml(std::span<const std::byte> input);
void vrml(std::span<const std::byte> input);
void x3d_json(std::span<const std::byte> input);
void gzip(std::span<const std::byte> input);
void mapping(std::span<const std::byte> input);

struct NamedTarget {
  std::string_view name;
  Target run;
};
inline constexpr NamedTarget targets[] = {
    {"x3d_xml", x3d_xml}, {"vrml", vrml}, {"x3d_json", x3d_json}, {"gzip", gzip}, {"mapping", mapping}};

}  // namespace vesalius::fuzz
