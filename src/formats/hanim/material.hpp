#pragma once
// Appearance nodes into materials and textures.
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "formats/hanim/values.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::hanim {

/// What a shape needs besides the material's number.
struct Look {
  std::optional<std::size_t> material;
  bool linear_colours = false;  ///< colours of vertices are linear (PhysicalMaterial), else display-referred
  bool textured = false;
  const x3d::Node* texture_transform = nullptr;
};

/// Materials by appearance node; equal nodes (USE) give one material. Classic materials hold display-referred colours, which become linear;
/// those of PhysicalMaterial and UnlitMaterial beside it are linear as in glTF. Images are loaded from `folder` only, never from elsewhere.
class Looks {
 public:
  Looks(Reading& in, std::filesystem::path folder, std::vector<Material>& materials, std::vector<Texture>& textures)
      : in_(in), folder_(std::move(folder)), materials_(materials), textures_(textures) {}

  [[nodiscard]] Look look(const x3d::Node* appearance, bool solid);

 private:
  std::optional<std::size_t> texture(const x3d::Node& node);
  [[nodiscard]] Look make(const x3d::Node& appearance);
  void load(Texture& texture, const std::vector<std::string>& urls, const x3d::Node& node);

  Reading& in_;
  std::filesystem::path folder_;
  std::vector<Material>& materials_;
  std::vector<Texture>& textures_;
  std::map<std::pair<const x3d::Node*, bool>, Look> looks_;
  std::map<const x3d::Node*, std::optional<std::size_t>> texture_of_;
};

/// Roughness of a classic material. Its highlight is cos^n with n = 128 shininess, which a microfacet of roughness r shows best at
/// r^4 = 2 / (n + 2); without specular colour the surface is dull.
[[nodiscard]] double roughness_of(double shininess, bool has_specular) noexcept;

/// Applies a TextureTransform to coordinates s, t.
void transform_uvs(Reading& in, const x3d::Node& transform, std::vector<double>& uvs);

}  // namespace vesalius::hanim
