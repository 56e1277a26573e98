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
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || (c & 0x80) != 0;
    base += plain ? c : '_';
  }
  if (base.empty() ||
      !((base[0] >= 'a' && base[0] <= 'z') || (base[0] >= 'A' && base[0] <= 'Z') || base[0] == '_' || (base[0] & 0x80) != 0))
    base = "_" + base;
  std::string name = base;
  for (int number = 2; !taken_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
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

void Writing::write_appearance(const Surface& surface, bool) {
  if (!surface.material) {
    xml.open("Appearance").open("PhysicalMaterial").close();
    xml.close();
    return;
  }
  const auto known = material_defs.find(*surface.material);
  if (known != material_defs.end()) {
    xml.open("Appearance").attribute("USE", known->second).close();
    return;
  }
  const Material& material = humanoid.materials[*surface.material];
  const std::string def = defs.make(material.name.empty() ? "Material" : material.name);
  material_defs.emplace(*surface.material, def);
  xml.open("Appearance").attribute("DEF", def);
  if (material.alpha_mode == AlphaMode::mask) xml.attribute("alphaMode", "MASK").number("alphaCutoff", material.alpha_cutoff);
  const auto& c = material.base_colour;
  if (material.unlit) {
    xml.open("UnlitMaterial").vector("emissiveColor", Vec3(coded_of(c[0]), coded_of(c[1]), coded_of(c[2])));
  } else {
    xml.open("PhysicalMaterial")
        .vector("baseColor", Vec3(c[0], c[1], c[2]))
        .number("metallic", material.metallic)
        .number("roughness", material.roughness);
    const auto& e = material.emissive;
    if (e[0] != 0 || e[1] != 0 || e[2] != 0) xml.vector("emissiveColor", Vec3(e[0], e[1], e[2]));
  }
  if (c[3] < 1) xml.number("transparency", 1 - c[3]);
  if (material.base_texture) {
    const Texture& texture = humanoid.textures[*material.base_texture];
    if (texture.uri.empty()) {
      sink.warning(codes::hanim_embedded_texture, "texture '" + texture.name + "' is embedded in its file; it was not written to X3D");
    } else {
      const std::vector<std::string> url{texture.uri};
      xml.open("ImageTexture").attribute("containerField", material.unlit ? "emissiveTexture" : "baseTexture").strings("url", url);
      if (!texture.repeat_u) xml.boolean("repeatS", false);
      if (!texture.repeat_v) xml.boolean("repeatT", false);
      xml.close();
    }
  }
  xml.close();
  xml.close();
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
  for (const Surface& surface : part.surfaces) {
    if (surface.triangles.empty()) continue;
    xml.open("Shape");
    write_appearance(surface, !part.colours.empty());
    const bool double_sided = surface.material && humanoid.materials[*surface.material].double_sided;
    xml.open("IndexedFaceSet").boolean("solid", !double_sided);
    if (part.normals.empty()) xml.number("creaseAngle", 3.1416);
    const auto indices = [&](std::string_view name, const auto& of) {
      xml.list(name, [&](auto append) {
        for (const auto& t : surface.triangles) {
          for (const std::uint32_t v : t) append(static_cast<long long>(of(v)));
          append(-1LL);
        }
      });
    };
    indices("coordIndex", point);
    if (!part.normals.empty()) indices("normalIndex", [&](std::uint32_t v) { return normals.of_vertex[v]; });
    if (!part.uvs.empty()) indices("texCoordIndex", [&](std::uint32_t v) { return uvs.of_vertex[v]; });
    if (!part.colours.empty()) indices("colorIndex", [&](std::uint32_t v) { return colours.of_vertex[v]; });
    const auto list = [&](std::string_view element, std::string_view field, std::string& def, const std::string& wanted,
                          const auto& values) {
      xml.open(element);
      if (!def.empty()) {
        xml.attribute("USE", def).close();
        return;
      }
      def = defs.make(wanted);
      xml.attribute("DEF", def).list(field, [&](auto append) {
        for (const auto& value : values) {
          for (const float f : value) append(f);
        }
      });
      xml.close();
    };
    if (skinned) {
      xml.open("Coordinate").attribute("USE", coord_use).close();
    } else {
      list("Coordinate", "point", own_coord, part.segment + "_coords", places.values);
    }
    if (!part.normals.empty()) list("Normal", "vector", normal_def, part.name + "_normals", normals.values);
    if (!part.uvs.empty()) list("TextureCoordinate", "point", uv_def, part.name + "_uvs", uvs.values);
    if (!part.colours.empty()) list("ColorRGBA", "color", colour_def, part.name + "_colours", colours.values);
    xml.close();
    xml.close();
  }
  if (skinned) return;
  // A deformable segment: its displacers count the points of its Coordinate.
  if (!own_coord.empty() && !part.morphs.empty()) {
    xml.open("Coordinate").attribute("USE", own_coord).attribute("containerField", "coord").close();
    for (std::size_t m = 0; m < part.morphs.size(); ++m) {
      const Morph& morph = part.morphs[m];
      std::map<std::uint32_t, Vec3> moves;
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) moves.emplace(places.of_vertex[morph.vertices[i]], morph.displacements[i]);
      const std::string def = defs.make(part.name + "_" + morph.name);
      morph_defs.emplace(std::pair(index, m), def);
      xml.open("HAnimDisplacer").attribute("DEF", def).attribute("name", morph.name).number("weight", morph.weight);
      xml.list("coordIndex", [&](auto append) {
        for (const auto& [p, move] : moves) append(static_cast<long long>(p));
      });
      xml.list("displacements", [&](auto append) {
        for (const auto& [p, move] : moves) {
          for (int k = 0; k < 3; ++k) append(move[k]);
        }
      });
      xml.close();
    }
  }
}

void Writing::write_displacers(JointIndex joint) {
  for (std::size_t p = 0; p < humanoid.parts.size(); ++p) {
    const Part& part = humanoid.parts[p];
    if (!part.segment.empty()) continue;
    for (std::size_t m = 0; m < part.morphs.size(); ++m) {
      const Morph& morph = part.morphs[m];
      // A morph that no joint owns hangs on the root joint.
      const JointIndex owner = morph.joint == JointIndex::none ? joint_index(0) : morph.joint;
      if (owner != joint) continue;
      std::map<std::uint32_t, Vec3> moves;
      for (std::size_t i = 0; i < morph.vertices.size(); ++i)
        moves.emplace(skin.point_of_vertex[p][morph.vertices[i]], morph.displacements[i]);
      const std::string def = defs.make(part.name + "_" + morph.name);
      morph_defs.emplace(std::pair(p, m), def);
      xml.open("HAnimDisplacer").attribute("DEF", def).attribute("name", morph.name);
      if (morph.weight != 0) xml.number("weight", morph.weight);
      xml.list("coordIndex", [&](auto append) {
        for (const auto& [point, move] : moves) append(static_cast<long long>(point));
      });
      xml.list("displacements", [&](auto append) {
        for (const auto& [point, move] : moves) {
          for (int k = 0; k < 3; ++k) append(move[k]);
        }
      });
      xml.close();
    }
  }
}

}  // namespace vesalius::hanim
