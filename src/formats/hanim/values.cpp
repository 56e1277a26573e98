#include "formats/hanim/values.hpp"

#include "formats/hanim/codes.hpp"

namespace vesalius::hanim {
namespace {

/// Fills `in.numbers` and tells whether they are as many as expected.
bool read_some(Reading& in, const x3d::Node& node, std::string_view name, std::size_t count) {
  const x3d::Field* field = node.find(name);
  if (field == nullptr || field->is_node) return false;
  if (!x3d::parse_doubles(in.scene, node, *field, in.numbers, in.sink) || in.numbers.empty()) return false;
  if (in.numbers.size() == count) return true;
  in.sink.warning(
      codes::hanim_wrong_count,
      "field '" + std::string(name) + "' has " + std::to_string(in.numbers.size()) + " numbers; expected " + std::to_string(count),
      in.scene.locate(node, *field));
  return in.numbers.size() > count;
}

}  // namespace

void read_doubles(Reading& in, const x3d::Node& node, std::string_view name, std::vector<double>& out) {
  out.clear();
  const x3d::Field* field = node.find(name);
  if (field == nullptr || field->is_node) return;
  if (!x3d::parse_doubles(in.scene, node, *field, out, in.sink)) out.clear();
}

void read_ints(Reading& in, const x3d::Node& node, std::string_view name, std::vector<std::int32_t>& out) {
  out.clear();
  const x3d::Field* field = node.find(name);
  if (field == nullptr || field->is_node) return;
  if (!x3d::parse_ints(in.scene, node, *field, out, in.sink)) out.clear();
}

std::optional<Vec3> read_vec3(Reading& in, const x3d::Node& node, std::string_view field) {
  if (!read_some(in, node, field, 3)) return std::nullopt;
  return Vec3(in.numbers[0], in.numbers[1], in.numbers[2]);
}

std::optional<double> read_double(Reading& in, const x3d::Node& node, std::string_view field) {
  if (!read_some(in, node, field, 1)) return std::nullopt;
  return in.numbers[0];
}

Quat from_axis_angle(const double* four) {
  const Vec3 axis(four[0], four[1], four[2]);
  const double length = axis.norm();
  if (!(length > 1e-12)) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(four[3], axis / length));
}

std::optional<Quat> read_rotation(Reading& in, const x3d::Node& node, std::string_view field) {
  if (!read_some(in, node, field, 4)) return std::nullopt;
  return from_axis_angle(in.numbers.data());
}

bool read_bool(const x3d::Node& node, std::string_view name, bool otherwise) {
  const x3d::Field* field = node.find(name);
  if (field == nullptr || field->is_node) return otherwise;
  const std::string text = x3d::parse_string(*field);
  const std::string_view plain = text.empty() ? field->text : std::string_view(text);
  if (plain.find("true") != plain.npos || plain.find("TRUE") != plain.npos) return true;
  if (plain.find("false") != plain.npos || plain.find("FALSE") != plain.npos) return false;
  return otherwise;
}

std::string read_string(const x3d::Node& node, std::string_view name) {
  const x3d::Field* field = node.find(name);
  return field == nullptr || field->is_node ? std::string() : x3d::parse_string(*field);
}

std::vector<std::string> read_strings(const x3d::Node& node, std::string_view name) {
  const x3d::Field* field = node.find(name);
  return field == nullptr || field->is_node ? std::vector<std::string>() : x3d::parse_strings(*field);
}

const x3d::Node* read_node(const x3d::Node& node, std::string_view name) noexcept {
  const x3d::Field* field = node.find(name);
  return field == nullptr || field->nodes.empty() ? nullptr : field->nodes.front().node;
}

Affine TransformFields::matrix() const {
  Affine result = Eigen::Translation3d(translation + center) * rotation;
  if (scale != Vec3::Ones()) result = result * scale_orientation * Eigen::Scaling(scale) * scale_orientation.conjugate();
  return result * Eigen::Translation3d(-center);
}

TransformFields read_transform(Reading& in, const x3d::Node& node) {
  TransformFields result;
  for (const x3d::Field& field : node.fields) {
    if (field.is_node) continue;
    if (field.name == "translation") {
      result.translation = read_vec3(in, node, field.name).value_or(result.translation);
    } else if (field.name == "center") {
      result.center = read_vec3(in, node, field.name).value_or(result.center);
    } else if (field.name == "rotation") {
      result.rotation = read_rotation(in, node, field.name).value_or(result.rotation);
    } else if (field.name == "scale") {
      result.scale = read_vec3(in, node, field.name).value_or(result.scale);
    } else if (field.name == "scaleOrientation") {
      result.scale_orientation = read_rotation(in, node, field.name).value_or(result.scale_orientation);
    }
  }
  return result;
}

}  // namespace vesalius::hanim
