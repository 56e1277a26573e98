#pragma once
// The readers behind read_scene.
#include "formats/x3d/scene.hpp"

namespace vesalius::x3d {

/// Fills the scene from scene.source (UTF-8 without BOM). Findings go to the sink; what was read stays.
void read_xml(Scene& scene, bool strict, Diagnostics& sink);
void read_vrml(Scene& scene, bool strict, Diagnostics& sink);

}  // namespace vesalius::x3d
