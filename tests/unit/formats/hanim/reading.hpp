#pragma once
// Small H-Anim files in memory.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "formats/hanim/codes.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "vesalius/hanim_io.hpp"

namespace vesalius::test {

inline const MappingTables& tables() {
  return MappingTables::built_in();
}

/// Reads a text; what was read keeps every invariant.
inline Result<Humanoid> read_text(const std::string& text, const HanimReadOptions& options = {}) {
  auto result = read_hanim(std::as_bytes(std::span(text)), tables(), options);
  if (result) expect_sound(*result);
  return result;
}

/// A document with one humanoid.
inline std::string document(const std::string& in_humanoid, const std::string& attributes = "name='Ann'", const std::string& beside = "") {
  return "<?xml version='1.0'?>\n<X3D version='4.0'><Scene><HAnimHumanoid DEF='ann' " + attributes + ">" + in_humanoid +
         "</HAnimHumanoid>" + beside + "</Scene></X3D>";
}

/// A root and a thigh below it; each can carry attributes and children.
inline std::string two_joints(const std::string& root_attributes = "", const std::string& in_root = "",
                              const std::string& hip_attributes = "", const std::string& in_hip = "") {
  return "<HAnimJoint DEF='root' name='humanoid_root' center='0 .9 0' containerField='skeleton' " + root_attributes + ">" + in_root +
         "<HAnimJoint DEF='hip' name='l_hip' center='.1 .85 0' " + hip_attributes + ">" + in_hip + "</HAnimJoint></HAnimJoint>";
}

/// The one part of a humanoid whose thigh segment holds a shape.
inline Result<Humanoid> read_shape(const std::string& geometry, const std::string& appearance = "<Appearance><Material/></Appearance>") {
  return read_text(
      document(two_joints("", "", "", "<HAnimSegment name='l_thigh'><Shape>" + appearance + geometry + "</Shape></HAnimSegment>")));
}

inline std::size_t triangle_count(const Part& part) {
  std::size_t count = 0;
  for (const Surface& surface : part.surfaces) count += surface.triangles.size();
  return count;
}

/// Sum of the triangles' areas.
inline double area(const Part& part) {
  double sum = 0;
  for (const Surface& surface : part.surfaces) {
    for (const auto& [a, b, c] : surface.triangles) {
      sum += (part.positions[b] - part.positions[a]).cross(part.positions[c] - part.positions[a]).norm() / 2;
    }
  }
  return sum;
}

/// Volume that the triangles enclose; negative when they are inside out.
inline double volume(const Part& part) {
  double sum = 0;
  for (const Surface& surface : part.surfaces) {
    for (const auto& [a, b, c] : surface.triangles) sum += part.positions[a].dot(part.positions[b].cross(part.positions[c])) / 6;
  }
  return sum;
}

}  // namespace vesalius::test
