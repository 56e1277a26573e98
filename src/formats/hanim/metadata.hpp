#pragma once
// Facts about the humanoid that are no geometry: info strings, metadata nodes, head of the file; and what an earlier conversion kept.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/hanim/parts.hpp"
#include "formats/hanim/values.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::hanim {

/// Names of the metadata nodes that this library writes beside the humanoid's own.
inline constexpr std::string_view info_set = "HAnimHumanoid.info";
inline constexpr std::string_view kept_name = "vesalius";                       ///< string: kept data as JSON
inline constexpr std::string_view part_names_name = "vesalius.parts";           ///< strings: names of the skin's parts
inline constexpr std::string_view part_points_name = "vesalius.part_points";    ///< integers: points of each
inline constexpr std::string_view asset_blocks_name = "vesalius.asset_blocks";  ///< strings: key, JSON text, key, JSON text ...

struct MetadataRead {
  std::map<std::string, std::vector<std::string>> metadata;
  std::map<std::string, std::string> asset_blocks;
  std::optional<Kept> kept;
  std::vector<PartRecord> parts;
};

[[nodiscard]] MetadataRead read_metadata(Reading& in, const x3d::Node& humanoid);

/// Model key of a key in a file ("authorName" is "author"), and back.
[[nodiscard]] std::string model_key(const std::string& file_key);
[[nodiscard]] std::string file_key(const std::string& model_key);

}  // namespace vesalius::hanim
