#include "formats/x3d/defaults.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vesalius::x3d {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

template <std::size_t N>
std::string_view look_up(const std::array<Entry, N>& table, std::string_view key) {
  const auto found = std::ranges::lower_bound(table, key, {}, &Entry::first);
  return found != table.end() && found->first == key ? found->second : std::string_view();
}

// Both sorted by name.
constexpr std::array<Entry, 5> short_names{{{"Displacer", "HAnimDisplacer"},
                                            {"Humanoid", "HAnimHumanoid"},
                                            {"Joint", "HAnimJoint"},
                                            {"Segment", "HAnimSegment"},
                                            {"Site", "HAnimSite"}}};

constexpr std::array<Entry, 63> by_child{{{"AcousticProperties", "acousticProperties"},
                                          {"Appearance", "appearance"},
                                          {"Arc2D", "geometry"},
                                          {"ArcClose2D", "geometry"},
                                          {"Box", "geometry"},
                                          {"Circle2D", "geometry"},
                                          {"Color", "color"},
                                          {"ColorRGBA", "color"},
                                          {"Cone", "geometry"},
                                          {"Coordinate", "coord"},
                                          {"CoordinateDouble", "coord"},
                                          {"Cylinder", "geometry"},
                                          {"Disk2D", "geometry"},
                                          {"ElevationGrid", "geometry"},
                                          {"Extrusion", "geometry"},
                                          {"FillProperties", "fillProperties"},
                                          {"FloatVertexAttribute", "attrib"},
                                          {"FogCoordinate", "fogCoord"},
                                          {"FontStyle", "fontStyle"},
                                          {"GeoCoordinate", "coord"},
                                          {"GeoElevationGrid", "geometry"},
                                          {"HAnimDisplacer", "displacers"},
                                          {"HAnimMotion", "motions"},
                                          {"ImageTexture", "texture"},
                                          {"IndexedFaceSet", "geometry"},
                                          {"IndexedLineSet", "geometry"},
                                          {"IndexedQuadSet", "geometry"},
                                          {"IndexedTriangleFanSet", "geometry"},
                                          {"IndexedTriangleSet", "geometry"},
                                          {"IndexedTriangleStripSet", "geometry"},
                                          {"LineProperties", "lineProperties"},
                                          {"LineSet", "geometry"},
                                          {"Material", "material"},
                                          {"MetadataBoolean", "metadata"},
                                          {"MetadataDouble", "metadata"},
                                          {"MetadataFloat", "metadata"},
                                          {"MetadataInteger", "metadata"},
                                          {"MetadataSet", "metadata"},
                                          {"MetadataString", "metadata"},
                                          {"MovieTexture", "texture"},
                                          {"MultiTexture", "texture"},
                                          {"MultiTextureCoordinate", "texCoord"},
                                          {"Normal", "normal"},
                                          {"PhysicalMaterial", "material"},
                                          {"PixelTexture", "texture"},
                                          {"PointProperties", "pointProperties"},
                                          {"PointSet", "geometry"},
                                          {"Polyline2D", "geometry"},
                                          {"QuadSet", "geometry"},
                                          {"Rectangle2D", "geometry"},
                                          {"Sphere", "geometry"},
                                          {"Tangent", "tangent"},
                                          {"Text", "geometry"},
                                          {"TextureCoordinate", "texCoord"},
                                          {"TextureCoordinateGenerator", "texCoord"},
                                          {"TextureProperties", "textureProperties"},
                                          {"TextureTransform", "textureTransform"},
                                          {"TriangleFanSet", "geometry"},
                                          {"TriangleSet", "geometry"},
                                          {"TriangleSet2D", "geometry"},
                                          {"TriangleStripSet", "geometry"},
                                          {"TwoSidedMaterial", "material"},
                                          {"UnlitMaterial", "material"}}};

}  // namespace

std::string_view humanoid_type(std::string_view type) {
  const auto full = look_up(short_names, type);
  return full.empty() ? type : full;
}

std::string_view default_container(std::string_view parent, std::string_view child, bool is_use) {
  parent = humanoid_type(parent);
  child = humanoid_type(child);
  if (parent == "HAnimHumanoid") {
    if (child == "HAnimJoint") return is_use ? "joints" : "skeleton";
    if (child == "HAnimSegment") return "segments";
    if (child == "HAnimSite") return is_use ? "sites" : "skeleton";
    if (child == "HAnimMotion") return "motions";
    if (child == "HAnimPose") return "poses";
    if (child == "Viewpoint" || child == "OrthoViewpoint") return "viewpoints";
    if (child.starts_with("Coordinate")) return "skinCoord";
    if (child == "Normal") return "skinNormal";
    if (!child.starts_with("Metadata")) return "skin";
  }
  if (parent == "HAnimPose" && child == "HAnimJoint") return "poses";
  if (parent.starts_with("Metadata") && child.starts_with("Metadata")) return parent == "MetadataSet" ? "value" : "metadata";
  if (parent == "MultiTexture" && child.ends_with("Texture")) return "texture";
  const auto field = look_up(by_child, child);
  return field.empty() ? std::string_view("children") : field;
}

}  // namespace vesalius::x3d
