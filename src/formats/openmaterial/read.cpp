// From a glTF file and its .xoma to a humanoid.
#include "formats/gltf/read_document.hpp"
#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"
#include "foundation/files.hpp"

namespace vesalius {
namespace openmaterial {
namespace {

Result<Humanoid> read(std::string_view bytes, const gltf::ReadOptions& files, const MappingTables& tables, const GltfReadOptions& options,
                      const std::filesystem::path* xoma) {
  Diagnostics sink;
  const auto done = [&](std::optional<Humanoid> humanoid) {
    sink.set_file(options.file_name);
    if (humanoid && options.strict && sink.count(Severity::warning) > 0) {
      sink.error(codes::openmaterial_strict, "strict reading allows no warning; there are " + std::to_string(sink.count(Severity::warning)),
                 {options.file_name, 0, 0, {}});
    }
    if (sink.has_errors()) humanoid.reset();
    return Result<Humanoid>{std::move(humanoid), std::move(sink)};
  };
  const Profile* profile = tables.profile(options.profile);
  if (profile == nullptr) {
    sink.error(codes::openmaterial_wrong_profile, "there is no profile '" + options.profile + "' among the tables");
    return done(std::nullopt);
  }
  const auto document = gltf::read_document(bytes, files, sink);
  if (!document || sink.has_errors()) return done(std::nullopt);
  const auto tree = gltf::node_tree(*document, sink);
  if (!tree) return done(std::nullopt);
  const Importing in{*document, *tree, *profile, options, sink};
  Humanoid humanoid;
  humanoid.profile = profile->name;
  humanoid.source.encoding = document->binary ? "GLB" : "glTF";
  humanoid.source.format_version = document->version;
  Rig rig;
  if (!import_rig(in, rig, humanoid)) return done(std::nullopt);
  humanoid.source.format = 2 * humanoid.source.unknown_names.size() < humanoid.skeleton.size() ? "OpenMATERIAL 3D" : "glTF";
  std::map<std::size_t, std::size_t> part_of_node;
  import_parts(in, rig, humanoid, part_of_node);
  import_motion(in, rig, part_of_node, humanoid);
  import_extras(in, humanoid);
  if (!document->copyright.empty()) humanoid.metadata["copyright"] = {document->copyright};
  if (xoma != nullptr && std::filesystem::exists(*xoma)) {
    if (const auto text = read_file(*xoma, sink, std::size_t{64} << 20)) import_xoma(*text, xoma->string(), humanoid, sink);
  }
  if (const auto name = humanoid.metadata.find("asset_name"); name != humanoid.metadata.end() && !name->second.empty()) {
    humanoid.name = name->second.front();
  } else if (xoma != nullptr) {
    humanoid.name = xoma->stem().string();
  }
  return done(std::move(humanoid));
}

}  // namespace
}  // namespace openmaterial

Result<Humanoid> read_openmaterial(const std::filesystem::path& file, const MappingTables& tables, const GltfReadOptions& options) {
  Diagnostics sink;
  const auto bytes = read_file(file, sink);
  if (!bytes) return {std::nullopt, std::move(sink)};
  GltfReadOptions named = options;
  named.file_name = file.string();
  std::filesystem::path xoma = file;
  xoma.replace_extension(".xoma");
  return openmaterial::read(*bytes, {file.parent_path(), true, options.allow_outside}, tables, named, &xoma);
}

Result<Humanoid> read_openmaterial(std::span<const std::byte> bytes, const MappingTables& tables, const GltfReadOptions& options) {
  return openmaterial::read({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {}, tables, options, nullptr);
}

}  // namespace vesalius
