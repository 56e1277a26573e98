#include "vesalius/joint_map.hpp"

#include <algorithm>

#include "foundation/files.hpp"
#include "mapping/codes.hpp"
#include "mapping/embedded.hpp"
#include "mapping/load.hpp"

namespace vesalius {

const BoneGroup* Mapping::find_bone(std::string_view bone) const {
  for (const BoneGroup& group : groups) {
    if (group.bone == bone) return &group;
  }
  return nullptr;
}

const BoneGroup* Mapping::group_of(std::string_view source_joint) const {
  const auto holds = [&](const std::vector<std::string>& names) { return std::ranges::find(names, source_joint) != names.end(); };
  for (const BoneGroup& group : groups) {
    if (holds(group.fold) || std::any_of(group.chains.begin(), group.chains.end(), holds)) return &group;
  }
  return nullptr;
}

const Profile* MappingTables::profile(std::string_view name) const {
  for (const Profile& profile : profiles_) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

const Mapping* MappingTables::mapping(std::string_view from, std::string_view to) const {
  for (const Mapping& mapping : mappings_) {
    if (mapping.from == from && mapping.to == to) return &mapping;
  }
  return nullptr;
}

Result<MappingTables> MappingTables::with_text(std::string_view xml, const std::string& file_name) const {
  Diagnostics sink;
  const auto root = mapping_detail::read_table(xml, file_name, sink);
  if (!root) return {std::nullopt, std::move(sink)};
  MappingTables result = *this;
  if (root->name == "profile") {
    auto profile = mapping_detail::load_profile(*root, sink);
    if (!profile) return {std::nullopt, std::move(sink)};
    std::erase_if(result.profiles_, [&](const Profile& other) { return other.name == profile->name; });
    result.profiles_.push_back(std::move(*profile));
  } else if (root->name == "rigs") {
    auto rigs = mapping_detail::load_rigs(*root, *this, sink);
    if (!rigs) return {std::nullopt, std::move(sink)};
    for (Rig& rig : *rigs) {
      std::erase_if(result.rigs_, [&](const Rig& other) { return other.name == rig.name; });
      result.rigs_.push_back(std::move(rig));
    }
  } else {
    auto mapping = mapping_detail::load_mapping(*root, *this, sink);
    if (!mapping) return {std::nullopt, std::move(sink)};
    std::erase_if(result.mappings_, [&](const Mapping& other) { return other.from == mapping->from && other.to == mapping->to; });
    result.mappings_.push_back(std::move(*mapping));
  }
  return {std::move(result), std::move(sink)};
}

Result<MappingTables> MappingTables::with_file(const std::filesystem::path& file) const {
  Diagnostics sink;
  const auto text = read_file(file, sink, std::size_t{16} << 20);
  if (!text) return {std::nullopt, std::move(sink)};
  return with_text(*text, file.string());
}

const MappingTables& MappingTables::built_in() {
  static const MappingTables tables = [] {
    MappingTables all;
    for (const auto& [name, text] : mapping_detail::embedded_tables()) {
      auto more = all.with_text(text, std::string(name));
      // The tests load every embedded table; a fault here would be a fault of the build.
      if (more) all = std::move(*more.value);
    }
    return all;
  }();
  return tables;
}

}  // namespace vesalius
