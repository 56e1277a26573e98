#pragma once
// Images on their way from one folder to another: a file names them relative to its own place, so one that is written elsewhere must
// take them along.
#include "vesalius/humanoid.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius::report_detail {

/// Gives every texture whose image is at hand a file `<base name>_<texture name>.<png|jpg>` beside the output and refers to it.
/// `keep_references`: the output lies beside the input, so what has a URI keeps it.
void put_textures_beside(Humanoid& humanoid, const std::string& base_name, bool keep_references, AssetFiles& files);

}  // namespace vesalius::report_detail
