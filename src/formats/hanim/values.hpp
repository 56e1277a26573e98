#pragma once
// Typed values of fields, with the standard's defaults where a field is absent.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/x3d/scene.hpp"
#include "vesalius/frames.hpp"

namespace vesalius::hanim {

/// Everything that reading needs to know about the file, and scratch space for numbers.
struct Reading {
  const x3d::Scene& scene;
  Diagnostics& sink;
  std::vector<double> numbers;  ///< scratch
};

/// Numbers of a field into `out`; empty when the field is absent or damaged (reported).
void read_doubles(Reading& in, const x3d::Node& node, std::string_view field, std::vector<double>& out);
void read_ints(Reading& in, const x3d::Node& node, std::string_view field, std::vector<std::int32_t>& out);

/// Absent when the field is; a wrong count of numbers is reported.
[[nodiscard]] std::optional<Vec3> read_vec3(Reading& in, const x3d::Node& node, std::string_view field);
[[nodiscard]] std::optional<double> read_double(Reading& in, const x3d::Node& node, std::string_view field);
/// Axis and angle; a zero axis means no turn.
[[nodiscard]] std::optional<Quat> read_rotation(Reading& in, const x3d::Node& node, std::string_view field);
[[nodiscard]] bool read_bool(const x3d::Node& node, std::string_view field, bool otherwise);
[[nodiscard]] std::string read_string(const x3d::Node& node, std::string_view field);
[[nodiscard]] std::vector<std::string> read_strings(const x3d::Node& node, std::string_view field);
/// The first node of a field, or null.
[[nodiscard]] const x3d::Node* read_node(const x3d::Node& node, std::string_view field) noexcept;

/// Axis (any length) and angle; identity for a zero axis.
[[nodiscard]] Quat from_axis_angle(const double* four);

/// The fields that Transform, Joint, Humanoid and Site share.
struct TransformFields {
  Vec3 translation = Vec3::Zero();
  Vec3 center = Vec3::Zero();
  Quat rotation = Quat::Identity();
  Vec3 scale = Vec3::Ones();
  Quat scale_orientation = Quat::Identity();

  /// T(translation) T(center) R(rotation) R(so) S(scale) R(so)^-1 T(-center)
  [[nodiscard]] Affine matrix() const;
};
[[nodiscard]] TransformFields read_transform(Reading& in, const x3d::Node& node);

}  // namespace vesalius::hanim
