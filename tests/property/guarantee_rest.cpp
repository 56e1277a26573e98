// Rest poses, mirror images, orientations of the input, the same bytes, and real files.
#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "property/converting.hpp"
#include "property/guarantees.hpp"
#include "property/measure.hpp"
#include "property/random_figure.hpp"
#include "unit/cases/glb_file.hpp"
#include "vesalius/translate.hpp"

namespace vesalius::test {
namespace {

namespace fs = std::filesystem;

const std::string rest_line = "mesh from one rest pose to the other and back";
const std::string mirror_line = "the mirror of the input gives the mirror of the output";
const std::string axes_line = "glTF input in 24 orientations and three sizes, on the nodes and in the mesh";
const std::string bytes_line = "the same input gives the same bytes";
const std::string corpus_figure_line = "corpus: H-Anim to OpenMATERIAL and back, with extras";
const std::string corpus_asset_line = "corpus: official human to H-Anim (levels 3 and 4) and back, with extras";
const std::string corpus_plain_line = "corpus: the same without extras";

const MappingTables& tables() {
  return MappingTables::built_in();
}

/// The same parts, vertex by vertex.
void measure_mesh(GuaranteeTable& table, const std::string& value, const Humanoid& a, const Humanoid& b, const std::string& who) {
  double mesh = 0, normals = 0;
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    for (std::size_t v = 0; v < a.parts[p].positions.size(); ++v) {
      mesh = std::max(mesh, (a.parts[p].positions[v] - b.parts.at(p).positions.at(v)).norm());
      normals = std::max(normals, (a.parts[p].normals[v] - b.parts[p].normals.at(v)).norm());
    }
  }
  table.measure(rest_line, value + ": mesh, m", 1e-5, mesh, who);
  table.measure(rest_line, value + ": normals", 1e-5, normals, who);
}

void mirrored_conversion(GuaranteeTable& table, const Humanoid& source, const char* to, const std::string& who) {
  const Profile &from = *tables().profile(source.profile), &target = *tables().profile(to);
  const Humanoid straight = mirror_image(converted_to(source, to, plain_options()).humanoid, target);
  const Humanoid mirrored = converted_to(mirror_image(source, from), to, plain_options()).humanoid;
  const Difference d = measure(straight, mirrored);
  table.measure(mirror_line, "joints lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
  table.measure(mirror_line, "places, m", 1e-6, d.place_m, who);
  table.measure(mirror_line, "frames, rad", 1e-6, d.turn_rad, who);
  table.measure(mirror_line, "mesh, m", 1e-6, d.mesh_m, who);
  table.measure(mirror_line, "weights", 1e-6, d.weight, who);
  const MotionDifference m = measure_motion(straight, mirrored, {0, 0.5, 1, 1.7});
  table.measure(mirror_line, "animation, rad", 1e-6, m.turn_rad, who);
  table.measure(mirror_line, "animation, m", 1e-6, m.place_m, who);
}

std::vector<std::byte> bytes_of_asset(const Humanoid& source) {
  ConvertOptions options;
  options.to = "openmaterial";
  const auto made = convert(source, tables(), options);
  const auto files = openmaterial_to_files(made->humanoid, "same", tables());
  std::vector<std::byte> all;
  for (const auto& [name, bytes] : files->files) all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

void same_bytes(GuaranteeTable& table) {
  Random random(77);
  FigureOptions options;
  options.belongings = true;
  Humanoid source = random_figure(random, options);
  add_motion(source, random, 3, 0.6);
  const auto first = bytes_of_asset(source);
  std::array<std::vector<std::byte>, 4> others;
  std::vector<std::thread> threads;
  for (auto& other : others) threads.emplace_back([&] { other = bytes_of_asset(source); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& other : others) table.measure(bytes_line, "four threads at once, 0 or 1", 0, other == first ? 0 : 1, "random figure");
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8"}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;  // not installed here: that line then has fewer measurements
    const auto other = bytes_of_asset(source);
    std::setlocale(LC_ALL, "C");
    table.measure(bytes_line, "other locales, 0 or 1", 0, other == first ? 0 : 1, locale);
  }
}

std::optional<fs::path> corpus() {
  const char* folder = std::getenv("VESALIUS_CORPUS");
  if (folder == nullptr || !fs::exists(folder)) return std::nullopt;
  return fs::path(folder);
}

/// Whether every vertex's weights can come back: sums above 1 are scaled, and reported, on the way.
bool has_excess_weight(const Humanoid& human) {
  for (const Part& part : human.parts) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      if (weight_sum(part.influences.of(v)) > 1 + 1e-6) return true;
    }
  }
  return false;
}

void corpus_figure(GuaranteeTable& table, const Humanoid& source, const std::string& who) {
  const Humanoid asset = converted_to(source, "openmaterial").humanoid;
  double sums = 0;
  for (const Part& part : asset.parts) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) sums = std::max(sums, std::abs(weight_sum(part.influences.of(v)) - 1));
  }
  table.measure(corpus_figure_line, "weights sum to 1", 1e-6, sums, who);
  const Humanoid back = converted_to(asset, "hanim-2").humanoid;
  const Difference d = measure(source, back);
  table.measure(corpus_figure_line, "joints, sites or limits lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
  table.measure(corpus_figure_line, "centres, m", 1e-5, d.place_m, who);
  if (!has_excess_weight(source)) {
    table.measure(corpus_figure_line, "weights", 1e-5, d.weight, who);
    table.measure(corpus_figure_line, "mesh at rest, m", 1e-5, d.mesh_m, who);
    table.measure(corpus_figure_line, "displacers, m", 1e-5, d.displacer_m, who);
  }
  table.measure(corpus_figure_line, "sites, m", 1e-5, d.site_m, who);
  table.measure(corpus_figure_line, "limits, rad", 1e-5, d.limit_rad, who);
}

void official_human(GuaranteeTable& table, const Humanoid& human) {
  std::vector<double> keys = key_times_s(human.clips.at(0)), between;
  for (std::size_t k = 1; k < keys.size(); ++k) {
    for (const double q : {0.25, 0.5, 0.75}) between.push_back(keys[k - 1] + q * (keys[k] - keys[k - 1]));
  }
  for (const int loa : {3, 4}) {
    const std::string who = "level " + std::to_string(loa);
    ConvertOptions options;
    options.loa = loa;
    const Humanoid back = converted_to(converted_to(human, "hanim-2", options).humanoid, "openmaterial").humanoid;
    const Difference d = measure(human, back);
    table.measure(corpus_asset_line, "bones lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
    table.measure(corpus_asset_line, "bone origins, m", 1e-5, d.place_m, who);
    table.measure(corpus_asset_line, "bone frames, rad", 1e-5, d.turn_rad, who);
    table.measure(corpus_asset_line, "weights", 1e-6, d.weight, who);
    table.measure(corpus_asset_line, "mesh at rest, m", 1e-5, d.mesh_m, who);
    for (const auto& [what, times] : {std::pair{"animation at keys", &keys}, {"animation between keys", &between}}) {
      const MotionDifference m = measure_motion(human, back, *times);
      table.measure(corpus_asset_line, std::string(what) + ", rad", 1e-5, m.turn_rad, who);
      table.measure(corpus_asset_line, std::string(what) + ", m", 1e-5, m.place_m, who);
    }
    ConvertOptions plain = plain_options();
    plain.loa = loa;
    const Humanoid again = converted_to(converted_to(human, "hanim-2", plain).humanoid, "openmaterial", plain_options()).humanoid;
    const Difference p = measure(human, again);
    table.measure(corpus_plain_line, "bone origins, m", 1e-5, p.place_m, who);
    table.measure(corpus_plain_line, "weights", 1e-6, p.weight, who);
    table.measure(corpus_plain_line, "mesh at rest, m", 1e-5, p.mesh_m, who);
    double turn = 0;
    for (const double t : keys) {
      const auto here = global_change(human.skeleton, sample(human.skeleton, human.clips[0], t));
      const auto there = global_change(again.skeleton, sample(again.skeleton, again.clips.at(0), t));
      for (std::size_t j = 0; j < human.skeleton.size(); ++j) {
        const JointIndex other = again.skeleton.find(human.skeleton.joints()[j].name);
        if (other != JointIndex::none)
          turn = std::max(turn, angle_between_rad(rotation_of(here.change[j]), rotation_of(there.change[index(other)])));
      }
    }
    table.measure(corpus_plain_line, "change of orientation at keys, rad", 1e-5, turn, who);
  }
}

}  // namespace

void measure_rest_and_mirror(GuaranteeTable& table, std::size_t count) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    const std::string who = "seed " + std::to_string(seed);
    Random random(seed + 123);
    FigureOptions options;
    options.loa = static_cast<int>(1 + seed % 4);
    options.vertices_per_joint = 4;
    options.most_influences = 3;
    Humanoid figure = random_figure(random, options);
    measure_mesh(table, "I to A to I", figure, converted_to(converted_to(figure, "openmaterial").humanoid, "hanim-2").humanoid, who);
    Humanoid asset = random_asset(random, 4);
    measure_mesh(table, "A to I to A", asset, converted_to(converted_to(asset, "hanim-2").humanoid, "openmaterial").humanoid, who);
    if (seed % 5 != 0) continue;  // with motion: slower
    add_motion(figure, random, 3, 0.4);
    add_motion(asset, random, 3, 0.4);
    mirrored_conversion(table, figure, "openmaterial", who + ", figure of level " + std::to_string(options.loa));
    mirrored_conversion(table, asset, "hanim-2", who + ", asset");
  }
  same_bytes(table);
}

void measure_orientations(GuaranteeTable& table) {
  const Humanoid asset = standard_asset();
  const auto unit = [](int code) { return Vec3((code % 2 == 0 ? 1 : -1) * Vec3::Unit(code / 2)); };
  for (int u = 0; u < 6; ++u) {
    for (int f = 0; f < 6; ++f) {
      const Vec3 up = unit(u), forward = unit(f);
      if (std::abs(up.dot(forward)) > 0.5) continue;
      Eigen::Matrix3d turn;
      turn.col(0) = forward;  // storage: x forward, y up
      turn.col(1) = up;
      turn.col(2) = forward.cross(up);
      for (const double scale : {1.0, 0.01, 39.37}) {
        Eigen::Affine3d move = Eigen::Affine3d::Identity();
        move.linear() = scale * turn;
        for (const bool in_mesh : {true, false}) {
          Glb file(asset);
          if (in_mesh) {
            // The mesh lies and is large or small; the armature makes it stand in metres, except where only the axes differ.
            file.move_mesh_space(move);
            if (scale != 1) Glb::premultiply(file.node("Armature"), move.inverse());
          } else if (scale == 1) {
            Glb::premultiply(file.node("Grp_Root"), move);
          } else {
            continue;  // a scene in other units is not metres
          }
          const std::string who = "up " + std::to_string(u) + ", forward " + std::to_string(f) + ", size " + std::to_string(scale) +
                                  (in_mesh ? ", in the mesh" : ", on the nodes");
          const auto read = read_glb(file.bytes());
          table.measure(axes_line, "not read, 0 or 1", 0, read ? 0 : 1, who);
          if (!read) continue;
          const Difference d = measure(asset, *read);
          table.measure(axes_line, "places, m", 1e-5, d.place_m, who);
          table.measure(axes_line, "frames, rad", 1e-5, d.turn_rad, who);
          table.measure(axes_line, "mesh, m", 1e-5, d.mesh_m, who);
          const MotionDifference m = measure_motion(asset, *read, {0, 0.5, 1, 2});
          table.measure(axes_line, "animation, rad", 1e-5, m.turn_rad, who);
          table.measure(axes_line, "animation, m", 1e-5, m.place_m, who);
        }
      }
    }
  }
}

std::size_t measure_corpus(GuaranteeTable& table) {
  const auto folder = corpus();
  if (!folder) return 0;
  std::size_t used = 0;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(*folder / "hanim")) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    ReadAnyOptions options;
    options.humanoid = "0";
    auto read = read_any(file, tables(), options);
    // Broken files, robots and files of other kinds are another test's.
    if (!read || read->skeleton.empty()) continue;
    ConvertOptions to;
    to.to = "openmaterial";
    if (!convert(*read, tables(), to)) continue;
    corpus_figure(table, *read, file.filename().string());
    if (!read->clips.empty() && !read->clips.front().joints.empty()) measure_keys_of(table, *read, file.filename().string());
    ++used;
  }
  auto human = read_any(*folder / "openmaterial" / "human_example.gltf", tables());
  EXPECT_TRUE(human);
  if (!human) return used;
  official_human(table, *human);
  return used + 1;
}

}  // namespace vesalius::test
