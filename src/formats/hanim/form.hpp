#pragma once
// What a written form of H-Anim can say, by encoding, version and reader.
#include <string>
#include <string_view>

#include "vesalius/hanim_io.hpp"

namespace vesalius::hanim {

struct Form {
  Encoding encoding = Encoding::x3d_xml;
  std::string x3d_version = "4.0";  ///< not of VRML97
  bool prototypes = false;          ///< VRML97: the nodes are declared in the file
  bool skin = true;                 ///< false: H-Anim 1.1 has rigid segments only
  bool version_2_fields = true;     ///< `loa`
  bool physical_materials = true;   ///< PhysicalMaterial, UnlitMaterial, alphaMode
  bool metadata_nodes = true;
  bool colours_with_alpha = true;
  bool displacer_weights = true;
  std::string hanim_version = "2.0";  ///< the humanoid's `version`

  [[nodiscard]] bool vrml97() const noexcept { return encoding == Encoding::vrml97; }
  /// Name of a node in this form; `type` as X3D has it.
  [[nodiscard]] std::string_view node(std::string_view type) const noexcept;
  /// The field of a humanoid that holds its root joints.
  [[nodiscard]] std::string_view body_field() const noexcept { return skin ? "skeleton" : "humanoidBody"; }
};

[[nodiscard]] Form form_of(const HanimWriteOptions& options);
/// The PROTO declarations of VRML97: H-Anim 200x, or 1.1.
[[nodiscard]] std::string_view prototypes_200x();
[[nodiscard]] std::string_view prototypes_1_1();

}  // namespace vesalius::hanim
