#include "figure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

namespace vesalius::bench {
namespace {

constexpr int level = 3;
constexpr double radius_m = 0.03;

/// With six digits after the point, as exporters write.
void append(std::string& out, double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 6);
  out.append(buffer.data(), end.ptr);
  out += ' ';
}
void append(std::string& out, std::size_t value) {
  out += std::to_string(value);
  out += ' ';
}

struct Bone {
  const ProfileJoint* joint = nullptr;
  std::size_t parent = 0;  ///< index of its own when it has none
  std::vector<std::size_t> children;
  std::string indices, weights;  ///< skinCoordIndex and skinCoordWeight
};

class Figure {
 public:
  Figure(const Profile& profile, std::size_t vertices) {
    std::map<std::string_view, std::size_t> by_name;
    for (const ProfileJoint& joint : profile.joints) {
      if (joint.lowest_loa > level || !joint.centre) continue;
      const ProfileJoint* above = profile.find(joint.parent);
      if (above != nullptr && above->lowest_loa > level) above = profile.ancestor_at_level(*above, level);
      const auto parent = above == nullptr ? by_name.end() : by_name.find(above->name);
      const std::size_t i = bones_.size();
      bones_.push_back({&joint, parent == by_name.end() ? i : parent->second, {}, {}, {}});
      if (parent != by_name.end()) bones_[parent->second].children.push_back(i);
      by_name.emplace(joint.name, i);
    }
    const std::size_t tubes = bones_.size() - 1;
    const auto rings = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(vertices) / static_cast<double>(tubes))));
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      if (bones_[i].parent != i) add_tube(bones_[i], bones_[bones_[i].parent], std::max<std::size_t>(rings, 3));
    }
  }

  [[nodiscard]] std::string text() const {
    std::string out = R"(<?xml version="1.0" encoding="UTF-8"?>
<X3D profile="Immersive" version="4.0"><head><component name="HAnim" level="2"/></head><Scene>
<HAnimHumanoid DEF="figure" name="figure" version="2.0" loa="3">
)";
    append_joint(out, 0);
    for (const Bone& bone : bones_) out += "<HAnimJoint USE=\"f_" + bone.joint->name + "\" containerField=\"joints\"/>\n";
    out += "<Coordinate DEF=\"points\" containerField=\"skinCoord\" point=\"" + points_ + "\"/>\n";
    out += "<Normal DEF=\"normals\" containerField=\"skinNormal\" vector=\"" + normals_ + "\"/>\n";
    out += "<Shape containerField=\"skin\"><Appearance><Material diffuseColor=\"0.8 0.6 0.5\"/></Appearance>\n";
    out += "<IndexedFaceSet coordIndex=\"" + faces_ + "\"><Coordinate USE=\"points\"/><Normal USE=\"normals\"/></IndexedFaceSet>";
    out += "</Shape>\n</HAnimHumanoid></Scene></X3D>\n";
    return out;
  }

 private:
  /// Rings around the line from the parent's to the child's centre; weights change over from one to the other along it.
  void add_tube(Bone& child, Bone& parent, std::size_t rings) {
    const Vec3 from = *parent.joint->centre, to = *child.joint->centre;
    const Vec3 along = (to - from).norm() > 1e-6 ? Vec3((to - from).normalized()) : Vec3(Vec3::UnitY());
    const Vec3 x = along.unitOrthogonal(), y = along.cross(x);
    const std::size_t start = count_, sides = rings;
    for (std::size_t ring = 0; ring < rings; ++ring) {
      const double t = static_cast<double>(ring) / static_cast<double>(rings - 1);
      const double bulge = radius_m * (0.4 + std::sin(M_PI * t));
      for (std::size_t side = 0; side < sides; ++side, ++count_) {
        const double angle = 2 * M_PI * static_cast<double>(side) / static_cast<double>(sides);
        const Vec3 outward = std::cos(angle) * x + std::sin(angle) * y;
        const Vec3 place = from + t * (to - from) + bulge * outward;
        for (const double coordinate : place) append(points_, coordinate);
        for (const double coordinate : outward) append(normals_, coordinate);
        add_weight(parent, count_, 1 - t);
        add_weight(child, count_, t);
        if (ring == 0) continue;
        const std::size_t next = (side + 1) % sides;
        const std::size_t a = start + (ring - 1) * sides, b = start + ring * sides;
        add_face(a + side, b + next, b + side);
        add_face(a + side, a + next, b + next);
      }
    }
    for (std::size_t side = 2; side < sides; ++side) {  // the two ends
      add_face(start, start + side, start + side - 1);
      add_face(count_ - sides, count_ - sides + side - 1, count_ - sides + side);
    }
  }
  static void add_weight(Bone& bone, std::size_t vertex, double weight) {
    if (weight <= 0) return;
    append(bone.indices, vertex);
    append(bone.weights, weight);
  }
  void add_face(std::size_t a, std::size_t b, std::size_t c) {
    append(faces_, a);
    append(faces_, b);
    append(faces_, c);
    faces_ += "-1 ";
  }

  /// The standard's tree is a few dozen joints deep: recursion ends.
  void append_joint(std::string& out, std::size_t i) const {
    const Bone& bone = bones_[i];
    out += "<HAnimJoint DEF=\"f_" + bone.joint->name + "\" name=\"" + bone.joint->name + "\" center=\"";
    for (const double coordinate : *bone.joint->centre) append(out, coordinate);
    out += "\" skinCoordIndex=\"" + bone.indices + "\" skinCoordWeight=\"" + bone.weights + '"';
    if (i == 0) out += " containerField=\"skeleton\"";
    out += ">\n";
    for (const std::size_t child : bone.children) append_joint(out, child);
    out += "</HAnimJoint>\n";
  }

  std::vector<Bone> bones_;
  std::string points_, normals_, faces_;
  std::size_t count_ = 0;
};

}  // namespace

std::string figure_x3d(const MappingTables& tables, std::size_t vertices) {
  const Profile* profile = tables.profile("hanim-2");
  return profile == nullptr ? std::string() : Figure(*profile, vertices).text();
}

}  // namespace vesalius::bench
