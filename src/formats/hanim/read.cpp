// From a file to a humanoid, step by step.
#include <algorithm>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/metadata.hpp"
#include "formats/hanim/reading.hpp"
#include "foundation/files.hpp"

namespace vesalius {
namespace hanim {
namespace {

/// Types of the outermost nodes, for the message that no humanoid was found.
std::string outermost(const Scene& scene) {
  std::string list;
  for (const Child& root : scene.roots) {
    if (list.size() > 60) return list + ", ...";
    list += (list.empty() ? "" : ", ") + std::string(root.node->type);
  }
  return list.empty() ? "the scene is empty" : "found " + list;
}

/// The humanoid that the options choose, or the only one.
const Found* choose(const std::vector<Found>& found, const Reading& reading) {
  if (found.empty()) {
    reading.sink.error(codes::hanim_no_humanoid, "there is no Humanoid node in this file; " + outermost(reading.scene),
                       {reading.scene.file(), 0, 0, {}});
    return nullptr;
  }
  const std::string& wanted = reading.options.humanoid;
  std::string list;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!wanted.empty() && (wanted == found[i].name || wanted == std::to_string(i))) return &found[i];
    list += (i > 0 ? ", " : "") + std::to_string(i) + " '" + found[i].name + "'";
  }
  if (wanted.empty() && found.size() == 1) return &found.front();
  if (wanted.empty()) {
    reading.sink.error(codes::hanim_several_humanoids,
                       "there are " + std::to_string(found.size()) + " humanoids: " + list + "; choose one by name or number",
                       reading.scene.locate(*found.front().node));
  } else {
    reading.sink.error(codes::hanim_no_such_humanoid, "there is no humanoid '" + wanted + "'; found " + list,
                       reading.scene.locate(*found.front().node));
  }
  return nullptr;
}

std::optional<Humanoid> interpret(const Reading& reading) {
  const auto found = find_humanoids(reading);
  const Found* chosen = choose(found, reading);
  if (chosen == nullptr) return std::nullopt;
  const Node& node = *chosen->node;
  Humanoid humanoid;
  humanoid.name = chosen->name;
  humanoid.profile = reading.profile.name;
  SourceFacts& facts = humanoid.source;
  facts.format = "H-Anim";
  facts.encoding = reading.scene.encoding;
  facts.format_version = reading.scene.version;
  facts.declared_version = reading.text(node, "version");
  facts.humanoids_in_file = found.size();
  const auto loa = reading.integers(node, "loa");
  if (!loa.empty() && loa.front() >= 0) facts.declared_loa = loa.front();

  JointTree tree = read_tree(reading, node);
  if (tree.joints.empty()) {
    reading.sink.error(codes::hanim_no_joints, "the humanoid has no joints in its skeleton", reading.scene.locate(node));
    return std::nullopt;
  }
  read_bindings(reading, node, tree);
  if (tree.by_translation) {
    reading.sink.note(codes::hanim_translated_joints, "no joint has a centre; joints are placed by their translations",
                      reading.scene.locate(node));
  }
  read_lists(reading, node, tree);
  const JointNames names = name_joints(reading, tree, chosen->name, facts);
  if (reading.sink.has_errors()) return std::nullopt;
  const Folding fold = measure_folding(reading, *chosen, tree, names, facts);
  read_skeleton(reading, node, tree, names, fold, humanoid);
  if (humanoid.skeleton.empty()) return std::nullopt;
  read_poses(reading, node, tree, fold, humanoid);
  MorphPlaces displacers;
  read_parts(reading, node, tree, fold, humanoid, displacers);
  read_motion(reading, node, tree, fold, displacers, humanoid);
  read_metadata(reading, node, humanoid);
  report_surroundings(reading, node);
  if (reading.sink.has_errors()) return std::nullopt;
  return humanoid;
}

Result<Humanoid> read(std::string bytes, const MappingTables& tables, const HanimReadOptions& options,
                      const std::filesystem::path* folder) {
  Diagnostics sink;
  // The hub vocabulary: the richest profile whose joints have no axes of their own.
  const Profile* profile = nullptr;
  for (const Profile& candidate : tables.profiles()) {
    if (!candidate.has_bone_axes && (profile == nullptr || candidate.joints.size() > profile->joints.size())) profile = &candidate;
  }
  if (profile == nullptr) {
    sink.error(codes::hanim_wrong_profile, "there is no profile without bone axes among the tables to read H-Anim names with");
    return {std::nullopt, std::move(sink)};
  }
  x3d::SceneOptions how;
  how.file = options.file_name;
  if (folder != nullptr) how.folder = *folder;
  how.allow_outside = options.allow_outside;
  how.strict = options.strict;
  const auto scene = x3d::read_scene(std::move(bytes), how, sink);
  if (sink.has_errors()) return {std::nullopt, std::move(sink)};
  adapt_dialects(*scene, *profile, tables, sink);
  const Reading reading{*scene, *profile, tables, options, folder != nullptr ? *folder : std::filesystem::path(), folder != nullptr, sink};
  auto humanoid = interpret(reading);
  sink.set_file(options.file_name);
  if (humanoid && options.strict && sink.count(Severity::warning) > 0) {
    sink.error(codes::hanim_strict, "strict reading allows no warning; there are " + std::to_string(sink.count(Severity::warning)),
               {options.file_name, 0, 0, {}});
    humanoid.reset();
  }
  return {std::move(humanoid), std::move(sink)};
}

}  // namespace
}  // namespace hanim

Result<Humanoid> read_hanim(const std::filesystem::path& file, const MappingTables& tables, const HanimReadOptions& options) {
  Diagnostics sink;
  auto bytes = read_file(file, sink);
  if (!bytes) return {std::nullopt, std::move(sink)};
  HanimReadOptions named = options;
  named.file_name = file.string();
  const auto folder = file.parent_path();
  return hanim::read(std::move(*bytes), tables, named, &folder);
}

Result<Humanoid> read_hanim(std::span<const std::byte> bytes, const MappingTables& tables, const HanimReadOptions& options) {
  return hanim::read(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), tables, options, nullptr);
}

}  // namespace vesalius
