// pose_figures SOURCE NAME FOLDER: a figure before and after its conversion, with what the library says of both in 20 poses.
// Writes FOLDER/NAME.before.(x3d|glb) and FOLDER/NAME.after.(glb|x3d), and beside each FILE.poses.json: places of joints and of 100 skinned
// vertices, in the canonical frame, as read back from the written file. A figure without motion gets a clip of seeded random turns. The
// official human is taken as it is: its file is copied, not written again.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "support/builders.hpp"
#include "vesalius/translate.hpp"

namespace vesalius {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int poses = 20;
constexpr std::size_t vertices_wanted = 100;

const MappingTables& tables() {
  return MappingTables::built_in();
}
template <class T>
T need(Result<T> result, const char* what) {
  if (result) return std::move(*result.value);
  std::cerr << what << '\n';
  for (const Diagnostic& finding : result.diagnostics.items()) std::cerr << to_text(finding) << '\n';
  std::exit(1);
}
Json list(const Vec3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}
void write(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct Chosen {
  std::size_t part, vertex;
};

/// Vertices spread over the skin that are alone at their place, so that others find them by it.
std::vector<Chosen> choose(const Humanoid& human) {
  std::vector<std::pair<Vec3, Chosen>> all;
  for (std::size_t p = 0; p < human.parts.size(); ++p) {
    const Part& part = human.parts[p];
    if (!part.segment.empty()) continue;  // rigid parts have points of their own
    std::vector<bool> used(part.positions.size(), false);
    for (const Surface& surface : part.surfaces) {
      for (const auto& t : surface.triangles) used[t[0]] = used[t[1]] = used[t[2]] = true;
    }
    for (const Morph& morph : part.morphs) {
      for (const std::uint32_t v : morph.vertices) used[v] = false;  // displacers move what they like
    }
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (used[v]) all.push_back({part.positions[v], {p, v}});
    }
  }
  std::ranges::sort(all, [](const auto& a, const auto& b) { return a.first.y() < b.first.y(); });
  std::vector<Chosen> result;
  const std::size_t step = std::max<std::size_t>(1, all.size() / (3 * vertices_wanted));
  for (std::size_t i = 0; i < all.size() && result.size() < vertices_wanted; i += step) {
    bool alone = true;
    for (std::size_t k = i; alone && k-- > 0 && all[i].first.y() - all[k].first.y() < 1e-3;)
      alone = (all[k].first - all[i].first).norm() > 1e-3;
    for (std::size_t k = i + 1; alone && k < all.size() && all[k].first.y() - all[i].first.y() < 1e-3; ++k)
      alone = (all[k].first - all[i].first).norm() > 1e-3;
    if (alone) result.push_back(all[i].second);
  }
  return result;
}

/// Reads the file again, and says what the library makes of it.
Humanoid describe(const fs::path& file) {
  Humanoid human = need(read_any(file, tables()), "cannot be read");
  const auto chosen = choose(human);
  const Clip& clip = human.clips.at(0);
  Json json;
  json["duration"] = clip.duration_s;
  json["clip"] = clip.name;
  json["shift"] = list(human.kept ? human.kept->shift : Vec3(Vec3::Zero()));
  json["names"] = Json::array();
  for (const Joint& joint : human.skeleton.joints()) json["names"].push_back(joint.source_name.empty() ? joint.name : joint.source_name);
  json["rest"] = Json::array();
  for (const Chosen& c : chosen) json["rest"].push_back(list(human.parts[c.part].positions[c.vertex]));
  json["poses"] = Json::array();
  for (int k = 0; k < poses; ++k) {
    Json pose;
    const double t = clip.duration_s * (k + 0.37) / poses;  // hardly ever a key
    pose["time"] = t;
    const LocalPose local = sample(human.skeleton, clip, t);
    pose["joints"] = Json::array();
    for (const Affine& joint : model_from_joints(human.skeleton, local)) pose["joints"].push_back(list(joint.translation()));
    const GlobalChange change = global_change(human.skeleton, local);
    std::vector<std::vector<Vec3>> skinned;
    for (const Part& part : human.parts) skinned.push_back(skinned_positions(part, change));
    pose["vertices"] = Json::array();
    for (const Chosen& c : chosen) pose["vertices"].push_back(list(skinned[c.part][c.vertex]));
    json["poses"].push_back(std::move(pose));
  }
  write(file.string() + ".poses.json", json.dump());
  std::cout << file.filename().string() << ": " << human.skeleton.size() << " joints, " << chosen.size() << " vertices, " << poses
            << " poses\n";
  return human;
}

void add_random_clip(Humanoid& human) {
  test::Random random(20);
  Clip clip;
  clip.name = "Random";
  clip.duration_s = 4;
  clip.loops = true;
  const auto rest = rest_locals(human.skeleton);
  for (std::size_t j = 0; j < human.skeleton.size(); ++j) {
    JointTracks tracks;
    tracks.joint = joint_index(j);
    for (int k = 0; k <= 4; ++k) {
      tracks.rotation.times_s.push_back(k);
      tracks.rotation.values.push_back(rest[j].rotation *
                                       Quat(Eigen::AngleAxisd(random.between(0, 0.5), (random.turn() * Vec3::UnitX()).normalized())));
    }
    make_continuous(tracks.rotation.values);
    if (human.skeleton.joints()[j].parent == JointIndex::none) {
      tracks.translation.times_s = tracks.rotation.times_s;
      for (int k = 0; k <= 4; ++k) tracks.translation.values.push_back(rest[j].translation + random.place(0.2));
    }
    clip.joints.push_back(std::move(tracks));
  }
  human.clips = {clip};
}

int run(const fs::path& source, const std::string& name, const fs::path& folder) {
  ConvertOptions options;
  if (source.extension() == ".gltf") {
    const fs::path before = folder / (name + ".before.gltf");
    fs::copy_file(source, before, fs::copy_options::overwrite_existing);
    // Its buffer lies beside it under the name that the file says.
    for (const auto& entry : fs::directory_iterator(source.parent_path())) {
      if (entry.path().extension() == ".bin")
        fs::copy_file(entry.path(), folder / entry.path().filename(), fs::copy_options::overwrite_existing);
    }
    const Humanoid human = describe(before);
    options.to = "hanim-2";
    const Humanoid after = need(convert(human, tables(), options), "cannot be converted").humanoid;
    const fs::path file = folder / (name + ".after.x3d");
    write(file, need(hanim_to_x3d(after, tables()), "cannot be written"));
    describe(file);
    return 0;
  }
  Humanoid human = need(read_any(source, tables(), {}), "cannot be read");
  human.textures.clear();
  for (Material& material : human.materials) material.base_texture.reset();
  if (human.clips.empty() || human.clips.front().joints.empty()) add_random_clip(human);
  const fs::path before = folder / (name + ".before.x3d");
  write(before, need(hanim_to_x3d(human, tables()), "cannot be written"));
  const Humanoid read = describe(before);
  options.to = "openmaterial";
  const Humanoid after = need(convert(read, tables(), options), "cannot be converted").humanoid;
  const auto files = need(openmaterial_to_files(after, name + ".after", tables()), "cannot be written");
  const auto& bytes = files.files.front().second;
  const fs::path file = folder / (name + ".after.glb");
  write(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  describe(file);
  return 0;
}

}  // namespace
}  // namespace vesalius

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: pose_figures SOURCE NAME FOLDER\n";
    return 2;
  }
  return vesalius::run(argv[1], argv[2], argv[3]);
}
