#pragma once
// Images on their way from one folder to another: a humanoid names them relative to its own file, so a file written elsewhere must
// take them along.
#include <filesystem>

#include "vesalius/diagnostics.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius::report_detail {

/// Reads the images that textures name by URI from `folder`; those that cannot be had stay references and are warned about.
/// A texture whose image was read loses its URI and is named after it.
void load_textures(Humanoid& humanoid, const std::filesystem::path& folder, bool allow_outside, Diagnostics& sink);

/// Gives every texture with bytes a file `<base name>_<texture name>.<ext>` beside the output and refers to it.
void put_textures_beside(Humanoid& humanoid, const std::string& base_name, AssetFiles& files);

}  // namespace vesalius::report_detail
