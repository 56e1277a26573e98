// Shapes, appearances and displacers.
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/mesh.hpp"
#include "formats/hanim/writing.hpp"
#include "foundation/uri.hpp"

namespace vesalius::hanim {
namespace {

void append_bytes(std::string& key, const void* data, std::size_t size) {
  key.append(static_cast<const char*>(data), size);
}
void append_float(std::string& key, double value) {
  const float f = static_cast<float>(value) + 0.0f;
  append_bytes(key, &f, sizeof f);
}

std::array<float, 3> floats(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

/// Values without doubles, and which one each vertex has.
template <std::size_t N>
struct Distinct {
  std::vector<std::array<float, N>> values;
  std::vector<std::uint32_t> of_vertex;
};

template <std::size_t N, class Get>
Distinct<N> distinct(std::size_t count, const Get& get) {
  Distinct<N> result;
  result.of_vertex.reserve(count);
  std::unordered_map<std::string, std::uint32_t> known;
  std::string key;
  for (std::size_t v = 0; v < count; ++v) {
    const std::array<float, N> value = get(v);
    key.clear();
    append_bytes(key, value.data(), sizeof value);
    const auto [entry, fresh] = known.emplace(key, static_cast<std::uint32_t>(result.values.size()));
    if (fresh) result.values.push_back(value);
    result.of_vertex.push_back(entry->second);
  }
  return result;
}

}  // namespace

std::string DefNames::make(const std::string& wanted) {
  std::string base;
  for (const char c : wanted) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || (c & 0x80) != 0;
    base += plain ? c : '_';
  }
  if (base.empty() ||
      !((base[0] >= 'a' && base[0] <= 'z') || (base[0] >= 'A' && base[0] <= 'Z') || base[0] == '_' || (base[0] & 0x80) != 0))
    base = "_" + base;
  // Words of the VRML grammar are no names.
  constexpr std::string_view words[] = {
      "AS",       "COMPONENT",    "DEF",   "EXPORT",         "EXTERNPROTO", "FALSE",       "IMPORT",    "IS",  "META",
      "NULL",     "PROFILE",      "PROTO", "ROUTE",          "TO",          "TRUE",        "UNIT",      "USE", "eventIn",
      "eventOut", "exposedField", "field", "initializeOnly", "inputOnly",   "inputOutput", "outputOnly"};
  if (std::ranges::find(words, base) != std::end(words)) base = "_" + base;
  std::string name = base;
  if (taken_.insert(name).second) return name;
  for (int& number = numbers_.try_emplace(base, 2).first->second; !taken_.insert(name).second; ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

WeldedSkin weld(const Humanoid& humanoid) {
  WeldedSkin result;
  result.point_of_vertex.resize(humanoid.parts.size());
  std::string key;
  for (std::size_t p = 0; p < humanoid.parts.size(); ++p) {
    const Part& part = humanoid.parts[p];
    if (!part.segment.empty()) continue;
    // What each vertex adds to the morphs, so that points that move differently stay apart.
    std::vector<std::string> moves(part.morphs.empty() ? 0 : part.positions.size());
    for (std::uint32_t m = 0; m < part.morphs.size(); ++m) {
      const Morph& morph = part.morphs[m];
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        std::string& own = moves[morph.vertices[i]];
        append_bytes(own, &m, sizeof m);
        for (int k = 0; k < 3; ++k) append_float(own, morph.displacements[i][k]);
      }
    }
    std::unordered_map<std::string, std::uint32_t> known;
    known.reserve(part.positions.size());
    auto& points = result.point_of_vertex[p];
    points.reserve(part.positions.size());
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      key.clear();
      for (int k = 0; k < 3; ++k) append_float(key, part.positions[v][k]);
      for (const Influence& influence : part.influences.of(v)) {
        append_bytes(key, &influence.joint, sizeof influence.joint);
        append_float(key, influence.weight);
      }
      if (!moves.empty()) key += moves[v];
      const auto [entry, fresh] = known.emplace(key, static_cast<std::uint32_t>(result.points.size()));
      if (fresh) {
        result.points.push_back(floats(part.positions[v]));
        result.source.emplace_back(p, v);
      }
      points.push_back(entry->second);
    }
  }
  return result;
}

void Writing::write_shapes(std::size_t index, std::string_view coord_use) {
  const Part& part = humanoid.parts[index];
  const bool skinned = part.segment.empty();
  std::string own_coord;
  const auto normals = distinct<3>(part.normals.size(), [&](std::size_t v) { return floats(part.normals[v]); });
  const auto uvs = distinct<2>(part.uvs.size(), [&](std::size_t v) {
    return std::array<float, 2>{static_cast<float>(part.uvs[v][0]), static_cast<float>(1 - part.uvs[v][1])};
  });
  const auto colours = distinct<4>(part.colours.size(), [&](std::size_t v) {
    const auto& c = part.colours[v];
    return std::array<float, 4>{static_cast<float>(coded_of(c[0])), static_cast<float>(coded_of(c[1])), static_cast<float>(coded_of(c[2])),
                                static_cast<float>(c[3])};
  });
  std::string normal_def, uv_def, colour_def;
  std::vector<std::uint32_t> own_point;
  Distinct<3> places;
  if (!skinned) places = distinct<3>(part.positions.size(), [&](std::size_t v) { return floats(part.positions[v]); });
  const auto point = [&](std::uint32_t v) { return skinned ? skin.point_of_vertex[index][v] : places.of_vertex[v]; };
  // A player that makes its own normals of a skin gets none.
  const bool has_normals = !part.normals.empty() && !(skinned && options.target == HanimTarget::x3dom);
  for (const Surface& surface : part.surfaces) {
    if (surface.triangles.empty()) continue;
    out.open("Shape");
    write_appearance(surface);
    const bool double_sided = surface.material && humanoid.materials[*surface.material].double_sided;
    out.open("IndexedFaceSet").boolean("solid", !double_sided);
    if (!has_normals) out.number("creaseAngle", 3.1416);
    const auto indices = [&](std::string_view name, const auto& of) {
      out.list(name, [&](auto append) {
        for (const auto& t : surface.triangles) {
          for (const std::uint32_t v : t) append(static_cast<long long>(of(v)));
          append(-1LL);
        }
      });
    };
    indices("coordIndex", point);
    if (has_normals) indices("normalIndex", [&](std::uint32_t v) { return normals.of_vertex[v]; });
    if (!part.uvs.empty()) indices("texCoordIndex", [&](std::uint32_t v) { return uvs.of_vertex[v]; });
    if (!part.colours.empty()) indices("colorIndex", [&](std::uint32_t v) { return colours.of_vertex[v]; });
    const auto list = [&](std::string_view type, std::string_view field, std::string& def, const std::string& wanted, const auto& values,
                          std::size_t width) {
      if (!def.empty()) {
        out.use(type, def);
        return;
      }
      def = defs.make(wanted);
      out.open(type).def(def).list(field, [&](auto append) {
        for (const auto& value : values) {
          for (std::size_t k = 0; k < width; ++k) append(value[k]);
        }
      });
      out.close();
    };
    if (skinned) {
      out.use("Coordinate", coord_use);
    } else {
      list("Coordinate", "point", own_coord, part.segment + "_coords", places.values, 3);
    }
    if (has_normals) list("Normal", "vector", normal_def, part.name + "_normals", normals.values, 3);
    if (!part.uvs.empty()) list("TextureCoordinate", "point", uv_def, part.name + "_uvs", uvs.values, 2);
    if (!part.colours.empty() && form.colours_with_alpha) list("ColorRGBA", "color", colour_def, part.name + "_colours", colours.values, 4);
    if (!part.colours.empty() && !form.colours_with_alpha) list("Color", "color", colour_def, part.name + "_colours", colours.values, 3);
    out.close();
    out.close();
  }
  if (!form.colours_with_alpha && std::ranges::any_of(part.colours, [](const auto& c) { return c[3] < 1; }))
    sink.warning(codes::hanim_material, "part '" + part.name + "' has vertex colours that let light through; VRML97 has no place for that");
  if (skinned) return;
  // A deformable segment: its displacers count the points of its Coordinate.
  if (own_coord.empty() || part.morphs.empty()) return;
  if (!segments_with_coord.insert(part.segment).second) {
    sink.warning(codes::hanim_displacer, "segment '" + part.segment + "' has displacers of several meshes, and can hold those of one; " +
                                             std::to_string(part.morphs.size()) + " were left out");
    return;
  }
  out.use("Coordinate", own_coord, "coord");
  for (std::size_t m = 0; m < part.morphs.size(); ++m) {
    const Morph& morph = part.morphs[m];
    std::map<std::uint32_t, Vec3> moves;
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) moves.emplace(places.of_vertex[morph.vertices[i]], morph.displacements[i]);
    write_displacer(index, m, moves);
  }
}

void Writing::write_displacer(std::size_t part, std::size_t m, const std::map<std::uint32_t, Vec3>& moves) {
  const Morph& morph = humanoid.parts[part].morphs[m];
  const std::string def = defs.make(humanoid.parts[part].name + "_" + morph.name);
  morph_defs.emplace(std::pair(part, m), def);
  open("HAnimDisplacer", "displacers").def(def).string("name", morph.name);
  if (morph.weight != 0 && form.displacer_weights) out.number("weight", morph.weight);
  out.list("coordIndex", [&](auto append) {
    for (const auto& [point, move] : moves) append(static_cast<long long>(point));
  });
  // One that only marks its points moves none.
  if (std::ranges::any_of(moves, [](const auto& move) { return !move.second.isZero(0); })) {
    out.list("displacements", [&](auto append) {
      for (const auto& [point, move] : moves) {
        for (int k = 0; k < 3; ++k) append(move[k]);
      }
    });
  }
  out.close();
}

void Writing::write_displacers(JointIndex joint) {
  if (displacers_by_joint.empty()) {
    for (std::size_t p = 0; p < humanoid.parts.size(); ++p) {
      if (!humanoid.parts[p].segment.empty()) continue;
      for (std::size_t m = 0; m < humanoid.parts[p].morphs.size(); ++m) {
        // A morph that no joint owns hangs on the root joint.
        const JointIndex owner = humanoid.parts[p].morphs[m].joint;
        displacers_by_joint.emplace(owner == JointIndex::none ? joint_index(0) : owner, std::pair(p, m));
      }
    }
  }
  const auto [from, to] = displacers_by_joint.equal_range(joint);
  for (auto it = from; it != to; ++it) {
    const auto [p, m] = it->second;
    const Morph& morph = humanoid.parts[p].morphs[m];
    std::map<std::uint32_t, Vec3> moves;
    for (std::size_t i = 0; i < morph.vertices.size(); ++i)
      moves.emplace(skin.point_of_vertex[p][morph.vertices[i]], morph.displacements[i]);
    write_displacer(p, m, moves);
  }
}

}  // namespace vesalius::hanim
