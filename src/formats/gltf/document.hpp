#pragma once
// A glTF 2.0 file as plain data: what the file says, every index checked, nothing interpreted. Frames and units are the file's own.
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vesalius::gltf {

/// Numbers of glTF.
enum class Component : std::uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };
[[nodiscard]] constexpr std::size_t byte_size(Component type) noexcept {
  return type == Component::i8 || type == Component::u8 ? 1 : type == Component::i16 || type == Component::u16 ? 2 : 4;
}

struct BufferView {
  std::size_t buffer = 0;
  std::uint64_t offset = 0;  ///< bytes; offset + length lies inside the buffer
  std::uint64_t length = 0;
  std::uint64_t stride = 0;  ///< 0: elements follow each other closely
  int target = 0;            ///< 34962 vertex attributes, 34963 indices, 0 neither
};

/// Elements of an accessor that replace those of its view.
struct Sparse {
  std::uint64_t count = 0;
  std::size_t index_view = 0;
  std::uint64_t index_offset = 0;
  Component index_type = Component::u32;
  std::size_t value_view = 0;
  std::uint64_t value_offset = 0;
};

struct Accessor {
  std::optional<std::size_t> view;  ///< none: zeros
  std::uint64_t offset = 0;
  Component type = Component::f32;
  unsigned components = 1;  ///< 1 scalar, 2 to 4 vector, 16 matrix of 4 columns; 0: a kind that nothing here uses
  bool normalised = false;
  std::uint64_t count = 0;
  std::optional<Sparse> sparse;
  std::vector<double> min, max;
};

using Attributes = std::map<std::string, std::size_t>;  ///< "POSITION" -> accessor

struct Primitive {
  Attributes attributes;
  std::optional<std::size_t> indices;
  std::optional<std::size_t> material;
  int mode = 4;  ///< 4 triangles, 5 strip, 6 fan; below: points and lines
  std::vector<Attributes> targets;
  std::string extras;  ///< JSON text, or empty
};

struct Mesh {
  std::string name;
  std::vector<Primitive> primitives;
  std::vector<double> weights;
  std::string extras;
};

struct Node {
  std::string name;
  std::vector<std::size_t> children;
  std::optional<std::size_t> mesh;
  std::optional<std::size_t> skin;
  std::optional<Eigen::Affine3d> matrix;  ///< instead of the three below
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< unit
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  std::vector<double> weights;
  std::string extras;

  /// parent_from_node.
  [[nodiscard]] Eigen::Affine3d local() const;
};

struct Skin {
  std::string name;
  std::vector<std::size_t> joints;  ///< nodes
  std::optional<std::size_t> inverse_bind;
  std::optional<std::size_t> skeleton;  ///< node
};

enum class Path : std::uint8_t { translation, rotation, scale, weights };

struct Channel {
  std::optional<std::size_t> node;
  Path path = Path::translation;
  std::size_t sampler = 0;
};
struct Sampler {
  std::size_t input = 0;   ///< accessor of times
  std::size_t output = 0;  ///< accessor of values
  std::string interpolation = "LINEAR";
};
struct Animation {
  std::string name;
  std::vector<Channel> channels;
  std::vector<Sampler> samplers;
  std::string extras;
};

struct Image {
  std::string name;
  std::string uri;  ///< as the file names it; empty when embedded
  std::string mime_type;
  std::optional<std::size_t> view;
  std::vector<std::byte> bytes;  ///< image file; empty when it could not be had, or when it is in `view` of a document to be written
};
struct Texture {
  std::optional<std::size_t> image;
  bool repeat_u = true, repeat_v = true;
};
struct Material {
  std::string name;
  std::array<double, 4> base_colour{1, 1, 1, 1};
  double metallic = 1, roughness = 1;
  std::array<double, 3> emissive{0, 0, 0};
  std::string alpha_mode = "OPAQUE";
  double alpha_cutoff = 0.5;
  bool double_sided = false;
  bool unlit = false;
  std::optional<std::size_t> base_texture;
  std::vector<std::string> other_textures;  ///< names of further texture slots that are in use
};

struct Document {
  std::string generator;
  std::string copyright;
  std::string version = "2.0";
  bool binary = false;  ///< came as GLB
  std::string extras;   ///< of the asset
  std::vector<std::string> extensions_used, extensions_required;
  std::vector<std::vector<std::byte>> buffers;
  std::vector<BufferView> views;
  std::vector<Accessor> accessors;
  std::vector<Mesh> meshes;
  std::vector<Node> nodes;
  std::vector<Skin> skins;
  std::vector<Animation> animations;
  std::vector<Material> materials;
  std::vector<Texture> textures;
  std::vector<Image> images;
  std::vector<std::vector<std::size_t>> scenes;  ///< root nodes of each
  std::optional<std::size_t> scene;
};

/// Nodes as trees: no cycles, one parent each.
struct NodeTree {
  std::vector<std::optional<std::size_t>> parents;
  std::vector<std::size_t> order;                ///< all nodes, parents first, children in their listed order
  std::vector<Eigen::Affine3d> scene_from_node;  ///< by the nodes' own transforms
};

}  // namespace vesalius::gltf
