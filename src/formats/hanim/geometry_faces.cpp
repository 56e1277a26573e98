// Indexed face sets and the triangle and quad sets.
#include <algorithm>
#include <array>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/geometry.hpp"
#include "formats/hanim/kinds.hpp"

namespace vesalius::hanim {
namespace {

constexpr std::uint32_t no_index = 0xffffffffu;

}  // namespace

std::span<const double> GeometryReader::numbers(const x3d::Node* node, std::string_view field, std::size_t each) {
  if (node == nullptr) return {};
  const auto [at, is_new] = cache_.try_emplace(node);
  if (is_new) {
    read_doubles(in_, *node, field, at->second);
    if (const std::size_t rest = at->second.size() % each; rest != 0) {
      in_.sink.warning(codes::hanim_wrong_count,
                       "field '" + std::string(field) + "' has " + std::to_string(at->second.size()) + " numbers; expected a multiple of " +
                           std::to_string(each) + "; the last " + std::to_string(rest) + " are left out",
                       in_.scene.locate(*node));
      at->second.resize(at->second.size() - rest);
    }
  }
  return at->second;
}

void GeometryReader::attributes(const x3d::Node& geometry, PolygonMesh& mesh) {
  const x3d::Node* coord = read_node(geometry, "coord");
  mesh.points = points(coord);
  if (const x3d::Node* normal = read_node(geometry, "normal")) {
    mesh.normals = numbers(normal, "vector", 3);
    mesh.normal_source = normal;
  }
  const x3d::Node* uv = read_node(geometry, "texCoord");
  if (uv != nullptr && uv->type == "MultiTextureCoordinate") uv = read_node(*uv, "texCoord");
  if (uv != nullptr && uv->find("point") != nullptr) {
    mesh.uvs = numbers(uv, "point", 2);
    mesh.uv_source = uv;
  }
  if (const x3d::Node* colour = read_node(geometry, "color")) {
    mesh.colour_size = colour->type == "ColorRGBA" ? 4 : 3;
    mesh.colours = numbers(colour, "color", mesh.colour_size);
    mesh.colour_source = colour;
  }
  mesh.ccw = read_bool(geometry, "ccw", true);
  mesh.solid = read_bool(geometry, "solid", true);
  mesh.crease_rad = read_double(in_, geometry, "creaseAngle").value_or(0);
}

/// Attributes given once per face are looked up by the number of the face in the file.
void GeometryReader::per_face(const x3d::Node& geometry, PolygonMesh& mesh, const std::vector<std::uint32_t>& source_face) {
  const auto spread = [&](std::vector<std::int32_t>& given, std::vector<std::uint32_t>& corners) {
    corners.resize(mesh.corner_point.size());
    for (std::size_t f = 0; f < mesh.faces(); ++f) {
      const std::uint32_t face = source_face[f];
      const std::uint32_t value = given.empty()                             ? face
                                  : face < given.size() && given[face] >= 0 ? static_cast<std::uint32_t>(given[face])
                                                                            : no_index;
      std::fill(corners.begin() + mesh.face_begin[f], corners.begin() + mesh.face_begin[f + 1], value);
    }
  };
  if (!mesh.normals.empty() && !read_bool(geometry, "normalPerVertex", true)) spread(normal_index_, mesh.corner_normal);
  if (!mesh.colours.empty() && !read_bool(geometry, "colorPerVertex", true)) spread(colour_index_, mesh.corner_colour);
}

/// Attributes whose indices do not fit their lists are left out as a whole, with one report.
void GeometryReader::check_counts(const x3d::Node& geometry, PolygonMesh& mesh) {
  const auto check = [&](std::span<const double>& values, std::size_t each, std::vector<std::uint32_t>& corners, const char* what) {
    if (values.empty()) {
      corners.clear();
      return;
    }
    const std::size_t count = values.size() / each;
    const std::vector<std::uint32_t>& used = corners.empty() ? mesh.corner_point : corners;
    const std::uint32_t largest = used.empty() ? 0 : *std::max_element(used.begin(), used.end());
    if (largest < count) return;
    in_.sink.warning(codes::hanim_bad_index,
                     std::string(what) + (largest == no_index ? " lack indices" : " have index " + std::to_string(largest)) +
                         " but there are " + std::to_string(count) + "; they are left out",
                     in_.scene.locate(geometry));
    values = {};
    corners.clear();
  };
  check(mesh.normals, 3, mesh.corner_normal, "normals");
  check(mesh.uvs, 2, mesh.corner_uv, "texture coordinates");
  check(mesh.colours, mesh.colour_size, mesh.corner_colour, "colours");
}

bool GeometryReader::indexed_faces(const x3d::Node& geometry, PolygonMesh& mesh) {
  const bool quads = geometry.type == "IndexedQuadSet";
  attributes(geometry, mesh);
  read_ints(in_, geometry, quads ? "index" : "coordIndex", index_);
  normal_index_.clear();
  uv_index_.clear();
  colour_index_.clear();
  if (!quads) {
    if (!mesh.normals.empty()) read_ints(in_, geometry, "normalIndex", normal_index_);
    if (!mesh.uvs.empty()) read_ints(in_, geometry, "texCoordIndex", uv_index_);
    if (!mesh.colours.empty()) read_ints(in_, geometry, "colorIndex", colour_index_);
  }
  const bool normals_per_vertex = read_bool(geometry, "normalPerVertex", true),
             colours_per_vertex = read_bool(geometry, "colorPerVertex", true);
  const bool own_normals = !normal_index_.empty() && normals_per_vertex, own_uvs = !uv_index_.empty(),
             own_colours = !colour_index_.empty() && colours_per_vertex;

  const auto points = static_cast<std::int64_t>(mesh.point_count());
  const bool faces_matter = !normals_per_vertex || !colours_per_vertex;
  std::vector<std::uint32_t> source_face;
  mesh.corner_point.reserve(index_.size());
  if (own_normals) mesh.corner_normal.reserve(index_.size());
  if (own_uvs) mesh.corner_uv.reserve(index_.size());
  mesh.face_begin.reserve(index_.size() / 4 + 2);
  std::size_t bad_faces = 0, first_bad = 0;
  std::uint32_t face_number = 0;
  bool bad = false;
  const auto at_or_none = [](const std::vector<std::int32_t>& list, std::size_t i) {
    return i < list.size() && list[i] >= 0 ? static_cast<std::uint32_t>(list[i]) : no_index;
  };
  const auto end_face = [&] {
    const std::size_t begin = mesh.face_begin.back(), corners = mesh.corner_point.size() - begin;
    if (corners == 0 && !bad) return;  // "-1 -1"
    if (bad || corners < 3) {
      if (bad) ++bad_faces;
      mesh.corner_point.resize(begin);
      if (own_normals) mesh.corner_normal.resize(begin);
      if (own_uvs) mesh.corner_uv.resize(begin);
      if (own_colours) mesh.corner_colour.resize(begin);
    } else {
      mesh.end_face();
      if (faces_matter) source_face.push_back(face_number);
    }
    bad = false;
    ++face_number;
  };
  for (std::size_t i = 0; i < index_.size(); ++i) {
    const std::int32_t p = index_[i];
    if (p < 0 && !quads) {
      end_face();
      continue;
    }
    if (p < 0 || p >= points) {
      if (bad_faces == 0 && !bad) first_bad = i;
      bad = true;
    } else {
      mesh.corner_point.push_back(static_cast<std::uint32_t>(p));
      if (own_normals) mesh.corner_normal.push_back(at_or_none(normal_index_, i));
      if (own_uvs) mesh.corner_uv.push_back(at_or_none(uv_index_, i));
      if (own_colours) mesh.corner_colour.push_back(at_or_none(colour_index_, i));
    }
    if (quads && i % 4 == 3) end_face();
  }
  end_face();  // files often leave out the last -1
  if (bad_faces > 0) {
    in_.sink.warning(codes::hanim_bad_index,
                     std::to_string(bad_faces) + " face(s) name points that are not there (first " + std::to_string(index_[first_bad]) +
                         " of " + std::to_string(points) + " points); they are left out",
                     in_.scene.locate(geometry));
  }
  if (faces_matter) per_face(geometry, mesh, source_face);
  check_counts(geometry, mesh);
  return true;
}

bool GeometryReader::triangles(const x3d::Node& geometry, PolygonMesh& mesh) {
  attributes(geometry, mesh);
  const std::string_view type = geometry.type;
  const bool indexed = type.starts_with("Indexed");
  const std::string_view rest = indexed ? type.substr(7) : type;
  const auto points = static_cast<std::int64_t>(mesh.point_count());
  std::vector<std::int32_t> counts;
  if (indexed) {
    read_ints(in_, geometry, "index", index_);
  } else {
    index_.resize(mesh.point_count());
    for (std::size_t i = 0; i < index_.size(); ++i) index_[i] = static_cast<std::int32_t>(i);
    read_ints(in_, geometry, rest == "TriangleStripSet" ? "stripCount" : "fanCount", counts);
  }
  std::size_t bad = 0;
  std::vector<std::uint32_t> source_face;
  std::uint32_t face_number = 0;
  mesh.corner_point.reserve(index_.size());
  const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
    if (a < 0 || b < 0 || c < 0 || a >= points || b >= points || c >= points) {
      ++bad;
    } else {
      for (const std::int32_t p : {a, b, c}) mesh.corner_point.push_back(static_cast<std::uint32_t>(p));
      mesh.end_face();
      source_face.push_back(face_number);
    }
    ++face_number;
  };
  const auto run = [&](std::span<const std::int32_t> strip) {
    for (std::size_t i = 2; i < strip.size(); ++i) {
      if (rest == "TriangleFanSet") {
        add(strip[0], strip[i - 1], strip[i]);
      } else if (i % 2 == 0) {
        add(strip[i - 2], strip[i - 1], strip[i]);
      } else {
        add(strip[i - 1], strip[i - 2], strip[i]);
      }
    }
  };
  if (rest == "TriangleSet" || rest == "QuadSet") {
    const std::size_t each = rest == "QuadSet" ? 4 : 3;
    for (std::size_t i = 0; i + each <= index_.size(); i += each) {
      if (each == 3) {
        add(index_[i], index_[i + 1], index_[i + 2]);
      } else {
        run(std::array{index_[i], index_[i + 1], index_[i + 3], index_[i + 2]});
      }
    }
  } else if (indexed) {
    for (std::size_t begin = 0, i = 0; i <= index_.size(); ++i) {
      if (i < index_.size() && index_[i] >= 0) continue;
      run(std::span(index_).subspan(begin, i - begin));
      begin = i + 1;
    }
  } else {
    std::size_t begin = 0;
    for (const std::int32_t count : counts) {
      if (count < 0 || begin + static_cast<std::size_t>(count) > index_.size()) break;
      run(std::span(index_).subspan(begin, static_cast<std::size_t>(count)));
      begin += static_cast<std::size_t>(count);
    }
  }
  if (bad > 0) {
    in_.sink.warning(codes::hanim_bad_index, std::to_string(bad) + " triangle(s) name points that are not there; they are left out",
                     in_.scene.locate(geometry));
  }
  normal_index_.clear();
  colour_index_.clear();
  per_face(geometry, mesh, source_face);
  check_counts(geometry, mesh);
  // Sets without normals are smooth unless normalPerVertex says otherwise; they have no crease angle.
  if (geometry.find("creaseAngle") == nullptr && read_bool(geometry, "normalPerVertex", true)) mesh.crease_rad = 4;
  return true;
}

bool GeometryReader::read(const x3d::Node& geometry, PolygonMesh& mesh, const x3d::Node** coord) {
  mesh = {};
  if (coord != nullptr) *coord = read_node(geometry, "coord");
  const std::string_view type = geometry.type;
  if (type == "IndexedFaceSet" || type == "IndexedQuadSet") return indexed_faces(geometry, mesh);
  if (type.ends_with("TriangleSet") || type.ends_with("TriangleStripSet") || type.ends_with("TriangleFanSet") || type == "QuadSet") {
    return triangles(geometry, mesh);
  }
  if (read_solid(in_, geometry, mesh)) return true;
  in_.sink.warning(codes::hanim_dropped_geometry, "geometry of type " + std::string(type) + " is left out: it has no triangles",
                   in_.scene.locate(geometry));
  return false;
}

}  // namespace vesalius::hanim
