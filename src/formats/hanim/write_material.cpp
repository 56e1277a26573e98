// Appearances: metallic-roughness where the version has it, else Phong.
#include <algorithm>
#include <cmath>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/mesh.hpp"
#include "formats/hanim/writing.hpp"

namespace vesalius::hanim {
namespace {

Vec3 coded(const std::array<double, 3>& linear) {
  return {coded_of(linear[0]), coded_of(linear[1]), coded_of(linear[2])};
}

/// Shininess of the Blinn-Phong highlight as wide as that of a roughness: the inverse of the reader's rule.
double shininess_of(double roughness) {
  const double exponent = 2 / std::max(1e-4, roughness * roughness) - 2;
  return std::clamp(exponent / 128, 0.0, 1.0);
}

}  // namespace

void Writing::write_appearance(const Surface& surface) {
  if (!surface.material) {
    out.open("Appearance").open(form.physical_materials ? "PhysicalMaterial" : "Material").close();
    out.close();
    return;
  }
  if (const auto known = material_defs.find(*surface.material); known != material_defs.end()) {
    out.use("Appearance", known->second);
    return;
  }
  const Material& material = humanoid.materials[*surface.material];
  const std::string def = defs.make(material.name.empty() ? "Material" : material.name);
  material_defs.emplace(*surface.material, def);
  out.open("Appearance").def(def);
  if (form.physical_materials) {
    const bool clear = material.base_colour[3] < 1;
    if (material.alpha_mode == AlphaMode::mask) out.string("alphaMode", "MASK").number("alphaCutoff", material.alpha_cutoff);
    if (material.alpha_mode == AlphaMode::blend && !clear) out.string("alphaMode", "BLEND");
    if (material.alpha_mode == AlphaMode::opaque && clear) out.string("alphaMode", "OPAQUE");
  } else if (material.alpha_mode == AlphaMode::mask) {
    sink.warning(codes::hanim_material,
                 "material '" + material.name + "' is cut out by its texture's alpha; this form of X3D blends instead");
  }
  write_material(material);
  out.close();
}

void Writing::write_material(const Material& material) {
  const auto& c = material.base_colour;
  const Vec3 base(coded_of(c[0]), coded_of(c[1]), coded_of(c[2]));
  const auto texture = [&](std::string_view field) {
    if (!material.base_texture) return;
    const Texture& image = humanoid.textures[*material.base_texture];
    if (image.uri.empty()) {
      sink.warning(codes::hanim_embedded_texture, "texture '" + image.name + "' is embedded in its file; it was not written to X3D");
      return;
    }
    const std::vector<std::string> url{image.uri};
    out.open("ImageTexture", field).strings("url", url);
    if (!image.repeat_u) out.boolean("repeatS", false);
    if (!image.repeat_v) out.boolean("repeatT", false);
    out.close();
  };
  if (form.physical_materials) {
    if (material.unlit) {
      out.open("UnlitMaterial").vector("emissiveColor", base);
    } else {
      out.open("PhysicalMaterial")
          .vector("baseColor", Vec3(c[0], c[1], c[2]))
          .number("metallic", material.metallic)
          .number("roughness", material.roughness);
      const auto& e = material.emissive;
      if (e[0] != 0 || e[1] != 0 || e[2] != 0) out.vector("emissiveColor", Vec3(e[0], e[1], e[2]));
    }
    if (c[3] < 1) out.number("transparency", 1 - c[3]);
    texture(material.unlit ? "emissiveTexture" : "baseTexture");
    out.close();
    return;
  }
  if (material.unlit) {
    // Black to all light, and glowing in its own colour. Plain white is an Appearance without material.
    if (base.isOnes(0) && c[3] == 1) {
      texture("texture");
      return;
    }
    out.open("Material").vector("diffuseColor", Vec3::Zero()).vector("emissiveColor", base).number("ambientIntensity", 0);
  } else {
    out.open("Material").vector("diffuseColor", base).number("shininess", shininess_of(material.roughness));
    if (const Vec3 glow = coded(material.emissive); !glow.isZero(0)) out.vector("emissiveColor", glow);
    if (material.metallic > 0) {
      sink.note(codes::hanim_material,
                "material '" + material.name + "' is metallic (" + number_text(material.metallic) + "); a Phong material cannot say that");
    }
  }
  if (c[3] < 1) out.number("transparency", 1 - c[3]);
  out.close();
  texture("texture");
}

}  // namespace vesalius::hanim
