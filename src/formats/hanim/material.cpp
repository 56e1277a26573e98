// Appearance to a metallic-roughness material.
#include <algorithm>
#include <cmath>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/mesh.hpp"
#include "foundation/files.hpp"
#include "foundation/uri.hpp"

namespace vesalius::hanim {
namespace {

std::array<double, 3> colour(const Reading& reading, const Node& node, std::string_view field, const Vec3& otherwise) {
  const Vec3 c = reading.vec3(node, field, otherwise).cwiseMax(0).cwiseMin(1);
  return {c.x(), c.y(), c.z()};
}

}  // namespace

std::optional<std::size_t> Materials::index_of(const Node* appearance, bool double_sided, bool has_colours) {
  const auto key = std::tuple(appearance, double_sided, has_colours);
  if (const auto found = made_.find(key); found != made_.end()) return found->second;
  Material made;
  made.double_sided = double_sided;
  const Node* node = appearance != nullptr ? reading_.child(*appearance, "material") : nullptr;
  if (appearance != nullptr) made.name = std::string(appearance->def);
  if (node != nullptr && made.name.empty()) made.name = std::string(node->def);
  if (node == nullptr) {
    made.base_colour = {1, 1, 1, 1};  // no material: unlit white
    made.unlit = true;
  } else if (node->type == "PhysicalMaterial") {
    // Physical colours are linear already.
    const auto base = colour(reading_, *node, "baseColor", Vec3::Ones());
    made.base_colour = {base[0], base[1], base[2], 1 - std::clamp(reading_.number(*node, "transparency", 0), 0.0, 1.0)};
    made.metallic = std::clamp(reading_.number(*node, "metallic", 1), 0.0, 1.0);
    made.roughness = std::clamp(reading_.number(*node, "roughness", 1), 0.0, 1.0);
    made.emissive = colour(reading_, *node, "emissiveColor", Vec3::Zero());
  } else {
    // Phong: colours are display-coded. Roughness by equal highlight width of Blinn-Phong and GGX, sqrt(2 / (exponent + 2)), exponent = 128
    // shininess.
    const bool unlit = node->type == "UnlitMaterial";
    const auto base = colour(reading_, *node, unlit ? "emissiveColor" : "diffuseColor", unlit ? Vec3(Vec3::Ones()) : Vec3(0.8, 0.8, 0.8));
    made.base_colour = {linear_of(base[0]), linear_of(base[1]), linear_of(base[2]),
                        1 - std::clamp(reading_.number(*node, "transparency", 0), 0.0, 1.0)};
    made.metallic = 0;
    made.roughness = std::sqrt(2 / (128 * std::clamp(reading_.number(*node, "shininess", 0.2), 0.0, 1.0) + 2));
    made.unlit = unlit;
    if (!unlit) {
      const auto glow = colour(reading_, *node, "emissiveColor", Vec3::Zero());
      made.emissive = {linear_of(glow[0]), linear_of(glow[1]), linear_of(glow[2])};
      // Black to all light and glowing: how a material without UnlitMaterial is made independent of light.
      const bool black = reading_.vec3(*node, "diffuseColor", Vec3(0.8, 0.8, 0.8)).isZero(0) &&
                         reading_.vec3(*node, "specularColor", Vec3::Zero()).isZero(0);
      if (black && made.emissive != std::array<double, 3>{0, 0, 0}) {
        for (std::size_t k = 0; k < 3; ++k) made.base_colour[k] = made.emissive[k];
        made.emissive = {0, 0, 0};
        made.unlit = true;
      }
    }
  }
  if (made.unlit) made.roughness = Material().roughness;  // it has none
  if (made.base_colour[3] < 1) made.alpha_mode = AlphaMode::blend;
  if (appearance != nullptr) {
    const std::string mode = reading_.text(*appearance, "alphaMode");
    if (mode == "MASK") made.alpha_mode = AlphaMode::mask;
    if (mode == "BLEND") made.alpha_mode = AlphaMode::blend;
    if (mode == "OPAQUE") made.alpha_mode = AlphaMode::opaque;
    made.alpha_cutoff = reading_.number(*appearance, "alphaCutoff", 0.5);
  }
  const Node* texture = node != nullptr ? reading_.child(*node, node->type == "PhysicalMaterial" ? "baseTexture"
                                                                : node->type == "UnlitMaterial"  ? "emissiveTexture"
                                                                                                 : "diffuseTexture")
                                        : nullptr;
  if (texture == nullptr && appearance != nullptr) texture = reading_.child(*appearance, "texture");
  if (texture != nullptr) made.base_texture = texture_of(*texture);
  if (has_colours) made.base_colour = {1, 1, 1, made.base_colour[3]};  // vertex colours stand in for the diffuse colour
  humanoid_.materials.push_back(std::move(made));
  made_.emplace(key, humanoid_.materials.size() - 1);
  return humanoid_.materials.size() - 1;
}

std::optional<std::size_t> Materials::texture_of(const Node& node) {
  if (const auto found = textures_.find(&node); found != textures_.end()) return found->second;
  std::optional<std::size_t>& result = textures_[&node];
  if (node.type != "ImageTexture") {
    reading_.sink.warning(codes::hanim_dropped_node, std::string(node.type) + " is not carried over; the surface keeps its colour",
                          reading_.scene.locate(node));
    return result;
  }
  const auto urls = reading_.strings(node, "url");
  Texture texture;
  texture.name = std::string(node.def);
  texture.repeat_u = reading_.boolean(node, "repeatS", true);
  texture.repeat_v = reading_.boolean(node, "repeatT", true);
  for (const std::string& url : urls) {
    if (is_data_uri(url)) continue;
    Diagnostics quiet;
    const auto file =
        reading_.has_folder ? resolve_uri(url, reading_.folder_of(node), reading_.options.allow_outside, quiet, {}) : std::nullopt;
    std::error_code error;
    if (!file || !std::filesystem::is_regular_file(*file, error)) continue;
    const auto bytes = read_file(*file, quiet);
    if (!bytes) continue;
    texture.uri = url;
    const auto view = bytes_of(*bytes);
    texture.bytes.assign(view.begin(), view.end());
    if (bytes->starts_with("\x89PNG")) texture.mime_type = "image/png";
    if (bytes->starts_with("\xFF\xD8")) texture.mime_type = "image/jpeg";
    break;
  }
  if (texture.bytes.empty() || texture.mime_type.empty()) {
    reading_.sink.warning(codes::hanim_missing_image,
                          "image '" + (urls.empty() ? std::string() : urls.front()) +
                              "' is not a PNG or JPEG file beside the input; the surface keeps its colour",
                          reading_.scene.locate(node));
    return result;
  }
  humanoid_.textures.push_back(std::move(texture));
  result = humanoid_.textures.size() - 1;
  return result;
}

Eigen::Affine2d Materials::uv_transform(const Node* appearance) const {
  const Node* node = appearance != nullptr ? reading_.child(*appearance, "textureTransform") : nullptr;
  if (node == nullptr || node->type != "TextureTransform") return Eigen::Affine2d::Identity();
  const auto pair = [&](std::string_view field, double otherwise) {
    const auto v = reading_.numbers(*node, field);
    return v.size() == 2 ? Eigen::Vector2d(v[0], v[1]) : Eigen::Vector2d(otherwise, otherwise);
  };
  const Eigen::Vector2d centre = pair("center", 0), scale = pair("scale", 1), translation = pair("translation", 0);
  // The order of the X3D standard: -C S R C T.
  return Eigen::Translation2d(-centre) * Eigen::Scaling(scale.x(), scale.y()) * Eigen::Rotation2Dd(reading_.number(*node, "rotation", 0)) *
         Eigen::Translation2d(centre) * Eigen::Translation2d(translation);
}

}  // namespace vesalius::hanim
