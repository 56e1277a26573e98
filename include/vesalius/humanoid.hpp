#pragma once
// A humanoid: skeleton, skin, looks, motion and what else its file said.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vesalius/kept.hpp"
#include "vesalius/pose.hpp"
#include "vesalius/skeleton.hpp"
#include "vesalius/skin.hpp"

namespace vesalius {

struct Texture {
  std::string name;
  std::string uri;               ///< as the file names it, relative to the file; empty when embedded
  std::string mime_type;         ///< "image/png", "image/jpeg" or empty
  std::vector<std::byte> bytes;  ///< image file as it was; empty when only referenced
  bool repeat_u = true;
  bool repeat_v = true;
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

/// Metallic-roughness material, linear colours.
struct Material {
  std::string name;
  std::array<double, 4> base_colour{0.8, 0.8, 0.8, 1.0};
  double metallic = 0;
  double roughness = 0.7;
  std::array<double, 3> emissive{0, 0, 0};
  AlphaMode alpha_mode = AlphaMode::opaque;
  double alpha_cutoff = 0.5;
  bool double_sided = false;
  bool unlit = false;
  std::optional<std::size_t> base_texture;  ///< index into Humanoid::textures
};

/// A named place that moves with a joint.
struct Site {
  std::string name;
  JointIndex joint = JointIndex::none;  ///< none: moves with the humanoid only
  std::string segment;                  ///< H-Anim segment that owns it, or empty
  Rigid rest;                           ///< model_from_site at rest, canonical frame
  Vec3 scale = Vec3::Ones();
};

/// Mass properties of one H-Anim segment.
struct Segment {
  std::string name;
  JointIndex joint = JointIndex::none;
  double mass_kg = 0;                                 ///< 0: unknown
  std::optional<Vec3> centre_of_mass;                 ///< canonical frame, metre
  std::optional<Eigen::Matrix3d> moments_of_inertia;  ///< kg m^2, canonical axes at rest
};

/// What the reader found out about the file; for reports, never for conversion.
struct SourceFacts {
  std::string format;          ///< "H-Anim" or "OpenMATERIAL 3D" or "glTF"
  std::string encoding;        ///< "X3D XML", "VRML97", "glTF", "GLB" ...
  std::string format_version;  ///< version of the encoding ("4.0", "97", "2.0")
  std::string hanim_version;   ///< decided from the joint names ("1", "2", "1 and 2"); empty for others
  std::string declared_version;
  std::optional<int> declared_loa;
  std::string facing;                      ///< "+Z", "+X" ... in the file's own axes
  std::string up;                          ///< "+Y" ...
  double scale = 1;                        ///< metres per file unit along the figure that was folded in
  std::string rig;                         ///< another rig whose names the joints carry, for people; empty when the standard's
  std::vector<std::string> unknown_names;  ///< joint names the profile does not know
  std::size_t humanoids_in_file = 1;
};

struct Humanoid {
  std::string name;
  std::string profile;  ///< vocabulary of the joint names: "hanim-2", "openmaterial"
  Skeleton skeleton;
  std::vector<Part> parts;
  std::vector<Material> materials;
  std::vector<Texture> textures;
  std::vector<Site> sites;
  std::vector<Segment> segments;
  std::vector<Clip> clips;
  std::vector<NamedPose> poses;  ///< poses the file was saved in or lists; the rest pose is the skeleton
  /// Metadata by key: "author", "copyright", "licence", "height", "gender", "age", "uuid" ...; several values keep their order.
  std::map<std::string, std::vector<std::string>> metadata;
  /// Blocks of a source .xoma beside `metadata`, and metadata fields without a key above, as JSON text by key.
  std::map<std::string, std::string> asset_blocks;
  std::optional<Kept> kept;  ///< what an earlier conversion kept of its source
  SourceFacts source;
};

/// Every broken invariant of a humanoid (sizes, indices, weights, tracks) as errors with code model.invariant; empty when sound.
[[nodiscard]] Diagnostics broken_invariants(const Humanoid& humanoid);

}  // namespace vesalius
