// Geometry nodes with points and faces of their own.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/mesh.hpp"

namespace vesalius::hanim {
namespace {

/// Per-corner data with indices of their own.
struct Lists {
  std::vector<double> values;
  std::size_t stride = 3;
  [[nodiscard]] std::size_t size() const noexcept { return values.size() / stride; }
};

class Faces {
 public:
  Faces(const Reading& reading, const Node& geometry) : reading_(reading), geometry_(geometry) {}

  std::optional<PolygonMesh> run() {
    mesh_.coord = reading_.child(geometry_, "coord");
    mesh_.counter_clockwise = reading_.boolean(geometry_, "ccw", true);
    mesh_.convex = reading_.boolean(geometry_, "convex", true);
    mesh_.crease_angle_rad = reading_.number(geometry_, "creaseAngle", 0);
    if (mesh_.coord != nullptr) mesh_.points = reading_.points(*mesh_.coord);
    const std::string_view type = geometry_.type;
    // X3D: triangle and quad sets are smooth unless normalPerVertex says otherwise.
    if (type != "IndexedFaceSet") mesh_.crease_angle_rad = reading_.boolean(geometry_, "normalPerVertex", true) ? 3.2 : 0;
    if (type == "IndexedFaceSet") {
      polygons(reading_.integers(geometry_, "coordIndex"));
    } else if (type == "IndexedTriangleSet") {
      runs(reading_.integers(geometry_, "index"), 3);
    } else if (type == "IndexedQuadSet") {
      runs(reading_.integers(geometry_, "index"), 4);
    } else if (type == "IndexedTriangleStripSet") {
      strips(split(reading_.integers(geometry_, "index")), false);
    } else if (type == "IndexedTriangleFanSet") {
      strips(split(reading_.integers(geometry_, "index")), true);
    } else if (type == "TriangleSet") {
      runs(counted(mesh_.points.size()), 3);
    } else if (type == "QuadSet") {
      runs(counted(mesh_.points.size()), 4);
    } else if (type == "TriangleStripSet") {
      strips(by_counts("stripCount"), false);
    } else if (type == "TriangleFanSet") {
      strips(by_counts("fanCount"), true);
    } else {
      return std::nullopt;
    }
    if (bad_ > 0) {
      reading_.sink.warning(codes::hanim_bad_index,
                            std::to_string(bad_) + " faces name points outside the " + std::to_string(mesh_.points.size()) +
                                " of the coordinates; they were left out",
                            reading_.scene.locate(geometry_));
    }
    normals();
    colours();
    texture_coordinates();
    if (mesh_.corner_normals.empty()) make_normals(mesh_);
    return std::move(mesh_);
  }

 private:
  /// Adds a face; `source` are places in the index field (for lists without indices of their own).
  void face(std::span<const std::int32_t> points, std::span<const std::uint32_t> source) {
    const std::uint32_t number = face_number_++;
    for (const std::int32_t point : points) {
      if (point < 0 || static_cast<std::size_t>(point) >= mesh_.points.size()) {
        ++bad_;
        return;
      }
    }
    if (points.size() < 3) return;
    for (std::size_t i = 0; i < points.size(); ++i) {
      mesh_.corner_points.push_back(static_cast<std::uint32_t>(points[i]));
      corner_source_.push_back(source[i]);
      corner_face_.push_back(number);
    }
    mesh_.end_face();
  }
  void face(std::initializer_list<std::int32_t> points, std::initializer_list<std::uint32_t> source) {
    face(std::span(points.begin(), points.size()), std::span(source.begin(), source.size()));
  }
  void reserve(std::size_t corners) {
    mesh_.corner_points.reserve(corners);
    mesh_.face_begin.reserve(corners / 3 + 2);
    corner_source_.reserve(corners);
    corner_face_.reserve(corners);
    places_.resize(corners);
    for (std::size_t i = 0; i < corners; ++i) places_[i] = static_cast<std::uint32_t>(i);
  }
  void polygons(const std::vector<std::int32_t>& index) {
    reserve(index.size());
    const std::span<const std::int32_t> all(index);
    const std::span<const std::uint32_t> places(places_);
    for (std::size_t begin = 0, i = 0; i <= index.size(); ++i) {
      if (i < index.size() && index[i] != -1) continue;  // the last -1 may be missing
      if (i > begin) face(all.subspan(begin, i - begin), places.subspan(begin, i - begin));
      begin = i + 1;
    }
  }
  void runs(const std::vector<std::int32_t>& index, std::size_t corners) {
    reserve(index.size());
    const std::span<const std::int32_t> all(index);
    const std::span<const std::uint32_t> places(places_);
    for (std::size_t i = 0; i + corners <= index.size(); i += corners) face(all.subspan(i, corners), places.subspan(i, corners));
  }
  static std::vector<std::vector<std::int32_t>> split(const std::vector<std::int32_t>& index) {
    std::vector<std::vector<std::int32_t>> result(1);
    for (const std::int32_t i : index) {
      if (i == -1) {
        result.emplace_back();
      } else {
        result.back().push_back(i);
      }
    }
    return result;
  }
  static std::vector<std::int32_t> counted(std::size_t count) {
    std::vector<std::int32_t> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<std::int32_t>(i));
    return result;
  }
  std::vector<std::vector<std::int32_t>> by_counts(std::string_view field) {
    std::vector<std::vector<std::int32_t>> result;
    std::int64_t at = 0;
    for (const std::int32_t count : reading_.integers(geometry_, field)) {
      if (count < 0 || at + count > std::ssize(mesh_.points)) break;
      result.emplace_back();
      for (std::int32_t i = 0; i < count; ++i) result.back().push_back(static_cast<std::int32_t>(at + i));
      at += count;
    }
    return result;
  }
  void strips(const std::vector<std::vector<std::int32_t>>& lists, bool fan) {
    for (const auto& list : lists) {
      for (std::size_t i = 2; i < list.size(); ++i) {
        const auto at = static_cast<std::uint32_t>(i);
        if (fan) {
          face({list[0], list[i - 1], list[i]}, {0, at - 1, at});
        } else if (i % 2 == 0) {
          face({list[i - 2], list[i - 1], list[i]}, {at - 2, at - 1, at});
        } else {
          face({list[i - 1], list[i - 2], list[i]}, {at - 1, at - 2, at});
        }
      }
    }
  }

  Lists list(std::string_view field, std::string_view values, std::size_t stride) {
    Lists result;
    result.stride = stride;
    if (const Node* node = reading_.child(geometry_, field)) result.values = reading_.numbers(*node, values);
    return result;
  }

  /// Position in a value list of every corner, by the rules for per-vertex and per-face data; empty when the lists do not fit.
  std::vector<std::uint32_t> positions(std::string_view index_field, std::size_t count, bool per_vertex) {
    const auto index = geometry_.type == "IndexedFaceSet" ? reading_.integers(geometry_, index_field) : std::vector<std::int32_t>();
    std::vector<std::uint32_t> result(mesh_.corner_points.size());
    for (std::size_t c = 0; c < result.size(); ++c) {
      std::size_t at;
      if (per_vertex) {
        at = index.empty()                      ? mesh_.corner_points[c]
             : corner_source_[c] < index.size() ? static_cast<std::size_t>(index[corner_source_[c]])
                                                : count;
      } else {
        at = index.empty() ? corner_face_[c] : corner_face_[c] < index.size() ? static_cast<std::size_t>(index[corner_face_[c]]) : count;
      }
      if (at >= count) {
        reading_.sink.warning(
            codes::hanim_bad_index,
            "field '" + std::string(index_field.empty() ? "index" : index_field) + "' names values outside their list; they were left out",
            reading_.scene.locate(geometry_));
        return {};
      }
      result[c] = static_cast<std::uint32_t>(at);
    }
    return result;
  }
  void normals() {
    const Lists values = list("normal", "vector", 3);
    if (values.size() == 0 || mesh_.corner_points.empty()) return;
    const bool per_vertex = reading_.boolean(geometry_, "normalPerVertex", true);
    if (values.size() == 1) {
      const Vec3 only(values.values[0], values.values[1], values.values[2]);
      if (only.norm() > 1e-12) mesh_.corner_normals = {{only.normalized()}, std::vector<std::uint32_t>(mesh_.corner_points.size(), 0)};
      return;
    }
    auto at = positions("normalIndex", values.size(), per_vertex);
    if (at.empty()) return;
    std::vector<Vec3> units(values.size());
    for (std::size_t i = 0; i < units.size(); ++i)
      units[i] = Vec3(values.values[3 * i], values.values[3 * i + 1], values.values[3 * i + 2]);
    // One that says nothing spoils the list: normals are made.
    if (std::ranges::any_of(at, [&](std::uint32_t i) { return units[i].norm() < 1e-12; })) return;
    for (Vec3& unit : units) unit.normalize();
    mesh_.corner_normals = {std::move(units), std::move(at)};
  }
  void colours() {
    const Node* node = reading_.child(geometry_, "color");
    if (node == nullptr) return;
    const Lists values = list("color", "color", node->type == "ColorRGBA" ? 4 : 3);
    if (values.size() == 0 || mesh_.corner_points.empty()) return;
    auto at = positions("colorIndex", values.size(), reading_.boolean(geometry_, "colorPerVertex", true));
    if (at.empty()) return;
    std::vector<std::array<double, 4>> colours(values.size());
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const double* v = values.values.data() + i * values.stride;
      colours[i] = {linear_of(v[0]), linear_of(v[1]), linear_of(v[2]), values.stride == 4 ? v[3] : 1};
    }
    mesh_.corner_colours = {std::move(colours), std::move(at)};
  }
  void texture_coordinates() {
    const Lists values = list("texCoord", "point", 2);
    if (values.size() == 0 || mesh_.corner_points.empty()) return;
    const Field* index = geometry_.find("texCoordIndex");
    const bool own = index != nullptr && index->text.find_first_of("0123456789") != std::string_view::npos;
    auto at = positions(own ? "texCoordIndex" : "coordIndex", values.size(), true);
    if (at.empty()) return;
    std::vector<std::array<double, 2>> uvs(values.size());
    for (std::size_t i = 0; i < uvs.size(); ++i) uvs[i] = {values.values[2 * i], values.values[2 * i + 1]};
    mesh_.corner_uvs = {std::move(uvs), std::move(at)};
  }

  const Reading& reading_;
  const Node& geometry_;
  PolygonMesh mesh_;
  std::vector<std::uint32_t> corner_source_, corner_face_;  ///< per corner: place in the index field, number of the face
  std::vector<std::uint32_t> places_;                       ///< 0, 1, 2 ...: a slice is where a face stands in its list
  std::uint32_t face_number_ = 0;
  std::size_t bad_ = 0;
};

}  // namespace

std::optional<PolygonMesh> read_geometry(const Reading& reading, const Node& geometry) {
  constexpr std::array<std::string_view, 9> with_faces{
      "IndexedFaceSet", "IndexedQuadSet", "IndexedTriangleFanSet", "IndexedTriangleSet", "IndexedTriangleStripSet",
      "QuadSet",        "TriangleFanSet", "TriangleSet",           "TriangleStripSet"};
  if (std::ranges::find(with_faces, geometry.type) != with_faces.end()) return Faces(reading, geometry).run();
  if (auto primitive = read_primitive(reading, geometry)) return primitive;
  reading.sink.warning(codes::hanim_dropped_geometry,
                       std::string(geometry.type) + " geometry has no faces that can be carried over; it was left out",
                       reading.scene.locate(geometry));
  return std::nullopt;
}

}  // namespace vesalius::hanim
