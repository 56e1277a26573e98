// From a file to a humanoid.
#include <algorithm>
#include <exception>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/figure.hpp"
#include "formats/hanim/find.hpp"
#include "formats/hanim/kinds.hpp"
#include "formats/hanim/metadata.hpp"
#include "formats/hanim/motion_read.hpp"
#include "formats/hanim/names.hpp"
#include "formats/hanim/parts.hpp"
#include "formats/hanim/profile_name.hpp"
#include "formats/hanim/skeleton.hpp"
#include "formats/hanim/walk.hpp"
#include "foundation/codes.hpp"
#include "foundation/files.hpp"
#include "vesalius/hanim_io.hpp"

namespace vesalius {
namespace hanim {
namespace {

/// Binding data of skeletons that follow glTF are not H-Anim's rest pose; say so until they are read.
void check_binding(Reading& in, const x3d::Node& humanoid) {
  const std::string configuration = read_string(humanoid, "skeletalConfiguration");
  if (configuration.empty() || configuration == "BASIC") return;
  in.sink.warning(
      codes::hanim_binding_ignored,
      "skeletalConfiguration '" + configuration + "': binding positions, rotations and scales are not used; the rest pose has no rotations",
      in.scene.locate(humanoid));
}

/// The old bindings' Joint is also what robot simulators call theirs, with fields of their own.
void check_robot(Reading& in, const Traversal& tree) {
  const bool robot = std::ranges::any_of(tree.joints, [](const JointNode& joint) {
    return joint.node->find("jointType") != nullptr || joint.node->find("jointId") != nullptr;
  });
  if (robot) {
    in.sink.warning(codes::hanim_robot_model,
                    "this is a robot model: its joints have jointType; only a mapping of its own can make a humanoid of it");
  }
}

std::optional<Humanoid> interpret(Reading& in, const HanimReadOptions& options, const std::filesystem::path& folder,
                                  const Profile& profile) {
  const std::vector<Found> all = find_humanoids(in);
  const std::optional<Found> chosen = choose_humanoid(in, all, options.humanoid);
  if (!chosen) return std::nullopt;
  const x3d::Node& node = *chosen->node;
  const Traversal tree = walk(in, node);
  if (tree.joints.empty()) {
    in.sink.error(codes::hanim_no_joints, "humanoid '" + chosen->name + "' has no joints in its skeleton field", in.scene.locate(node));
    return std::nullopt;
  }
  check_lists(in, node, tree);
  check_binding(in, node);
  check_robot(in, tree);
  if (tree.by_translation) {
    in.sink.note(codes::hanim_placed_by_translation, "no joint has a center; the joints' translations place them", in.scene.locate(node));
  }

  Humanoid out;
  out.name = chosen->name;
  out.profile = std::string(profile_name);
  const JointNames names = name_joints(in, tree, chosen->name, profile, options.strict);
  const TransformFields own = read_transform(in, node);
  Affine canonical_from_scene = Affine::Identity();
  Figure figure = Figure::from(chosen->scene_from_outside * own.matrix());
  if (!(figure.scale > 0) || !figure.canonical_from_humanoid.matrix().allFinite()) {
    in.sink.error(codes::hanim_bad_value, "the humanoid or a Transform around it has a scale of zero or no finite values",
                  in.scene.locate(node));
    return std::nullopt;
  }
  const Eigen::Matrix3d linear = figure.canonical_from_humanoid.linear() / figure.scale;
  if ((linear.transpose() * linear - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-6) {
    in.sink.warning(codes::hanim_scaled_unevenly, "the humanoid is scaled unevenly; rotations of its joints are read as if it were not",
                    in.scene.locate(node));
  }
  std::optional<Skeleton> skeleton = build_skeleton(in, tree, names, figure);
  if (!skeleton) return std::nullopt;
  const Measure size = measure(*skeleton, profile);
  if (const double correction = facing_correction_rad(size, figure); correction != 0) {
    canonical_from_scene = Affine(Eigen::AngleAxisd(correction, Vec3::UnitY()));
    figure = Figure::from(canonical_from_scene * figure.canonical_from_humanoid);
    skeleton = build_skeleton(in, tree, names, figure);
    if (!skeleton) return std::nullopt;
    in.sink.note(codes::hanim_turned, "the figure faces " + size.facing + "; it is turned about the vertical to face +Z",
                 in.scene.locate(node));
  }
  if (!size.upright || size.relative_size < 0.25 || size.relative_size > 1.6) {
    const std::string ratio = std::to_string(size.relative_size);
    in.sink.warning(codes::hanim_unusual_size,
                    "the figure is " + ratio + " times the size of the nominal one and its up is " + size.up +
                        "; expected metres and +Y; it is kept as it is",
                    in.scene.locate(node));
  }
  out.skeleton = std::move(*skeleton);
  out.segments = build_segments(in, tree, figure, profile);
  out.sites = build_sites(tree, figure, out.segments);
  if (auto pose = saved_pose(in, tree, figure)) out.poses.push_back(std::move(*pose));

  MetadataRead metadata = read_metadata(in, node);
  out.metadata = std::move(metadata.metadata);
  out.asset_blocks = std::move(metadata.asset_blocks);
  out.kept = std::move(metadata.kept);

  GeometryReader geometry(in);
  Looks looks(in, folder, out.materials, out.textures);
  MeshReading meshes{in, node, tree, figure, geometry, looks, {}, 0};
  build_skin(meshes, metadata.parts, out.parts);
  build_rigid(meshes, out.segments, out.skeleton, out.parts);

  MotionReading motion{in, *chosen, tree, figure, canonical_from_scene, out.skeleton, profile, meshes.morphs_of};
  out.clips = read_interpolators(motion);
  for (Clip& clip : read_hanim_motions(motion)) out.clips.push_back(std::move(clip));
  for (NamedPose& pose : read_poses(motion)) out.poses.push_back(std::move(pose));

  SourceFacts& source = out.source;
  source.format = "H-Anim";
  source.encoding = in.scene.encoding;
  source.format_version = in.scene.version;
  source.hanim_version = names.version;
  source.declared_version = read_string(node, "version");
  if (const auto loa = read_double(in, node, "loa"); loa && *loa >= 0) source.declared_loa = static_cast<int>(*loa);
  source.facing = size.facing;
  source.up = size.up;
  source.scale = figure.scale;
  source.unknown_names = names.unknown;
  source.humanoids_in_file = all.size();
  return out;
}

Result<Humanoid> read(std::string bytes, const std::string& file, const std::filesystem::path& folder, const MappingTables& tables,
                      const HanimReadOptions& options) {
  Result<Humanoid> result;
  Diagnostics& sink = result.diagnostics;
  const Profile* profile = tables.profile(profile_name);
  if (profile == nullptr) {
    sink.error(codes::hanim_no_profile, "the tables have no profile '" + std::string(profile_name) + "'");
    return result;
  }
  if (is_gzip(bytes)) {
    auto inflated = gunzip(bytes, file, sink);
    if (!inflated) return result;
    bytes = std::move(*inflated);
  }
  try {
    const std::unique_ptr<x3d::Scene> scene = x3d::read_scene(std::move(bytes), file, options.strict, sink);
    if (scene != nullptr) {
      Reading in{*scene, sink, {}};
      auto humanoid = interpret(in, options, folder, *profile);
      if (!sink.has_errors()) result.value = std::move(humanoid);
    }
  } catch (const std::exception& fault) {
    sink.error(codes::internal_error, fault.what());
    result.value.reset();
  }
  sink.set_file(file);
  return result;
}

}  // namespace
}  // namespace hanim

Result<Humanoid> read_hanim(const std::filesystem::path& file, const MappingTables& tables, const HanimReadOptions& options) {
  Result<Humanoid> result;
  auto bytes = read_file(file, result.diagnostics);
  if (!bytes) return result;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  return hanim::read(std::move(*bytes), file.string(), folder, tables, options);
}

Result<Humanoid> read_hanim(std::span<const std::byte> bytes, const MappingTables& tables, const HanimReadOptions& options) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return hanim::read(std::move(text), options.file_name, {}, tables, options);
}

}  // namespace vesalius
