#pragma once
// A written GLB taken apart, changed, and put together again; and a figure of all bones to write.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius::test {

/// A .glb taken apart.
struct Glb {
  nlohmann::json document;
  std::string binary;
  explicit Glb(const Humanoid& human, GltfWriteOptions options = {}) {
    const auto files = openmaterial_to_files(human, "few", MappingTables::built_in(), options);
    EXPECT_TRUE(files) << testing::PrintToString(files.diagnostics);
    const auto& bytes = files->files.front().second;
    const std::string all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::uint32_t length = 0;
    std::memcpy(&length, all.data() + 12, 4);
    document = nlohmann::json::parse(all.substr(20, length));
    binary = all.substr(20 + length + 8);
  }
  [[nodiscard]] std::string bytes() const {
    std::string text = document.dump();
    while (text.size() % 4 != 0) text += ' ';
    const auto u32 = [](std::size_t v) {
      const auto n = static_cast<std::uint32_t>(v);
      return std::string(reinterpret_cast<const char*>(&n), 4);
    };
    return "glTF" + u32(2) + u32(28 + text.size() + binary.size()) + u32(text.size()) + "JSON" + text + u32(binary.size()) +
           std::string("BIN\0", 4) + binary;
  }
  [[nodiscard]] nlohmann::json& node(const std::string& name) {
    for (nlohmann::json& node : document["nodes"]) {
      if (node["name"] == name) return node;
    }
    throw std::runtime_error(name);
  }
  float* floats(std::size_t accessor) {
    const nlohmann::json& view = document["bufferViews"][document["accessors"][accessor]["bufferView"].get<std::size_t>()];
    return reinterpret_cast<float*>(binary.data() + view.value("byteOffset", 0));
  }
  /// Appends data; gives the accessor. `component`: 5126 float, 5125 u32, 5123 u16, 5122 i16, 5121 u8.
  template <class T>
  std::size_t add(const std::vector<T>& values, int component, const char* type, std::size_t width, bool normalised = false) {
    const std::size_t view = add_view(values);
    document["accessors"].push_back(
        {{"bufferView", view}, {"componentType", component}, {"type", type}, {"count", values.size() / width}, {"normalized", normalised}});
    return document["accessors"].size() - 1;
  }
  template <class T>
  std::size_t add_view(const std::vector<T>& values) {
    while (binary.size() % 4 != 0) binary += '\0';
    const std::size_t offset = binary.size();
    binary.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    while (binary.size() % 4 != 0) binary += '\0';
    document["buffers"][0]["byteLength"] = binary.size();
    document["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", values.size() * sizeof(T)}});
    return document["bufferViews"].size() - 1;
  }
  [[nodiscard]] std::size_t node_index(const std::string& name) {
    for (std::size_t n = 0; n < document["nodes"].size(); ++n) {
      if (document["nodes"][n]["name"] == name) return n;
    }
    throw std::runtime_error(name);
  }
  [[nodiscard]] std::size_t count(std::size_t accessor) const { return document["accessors"][accessor]["count"].get<std::size_t>(); }

  /// What the file holds in another orientation and size: mesh, bind pose and root bones are moved, the scene stays.
  void move_mesh_space(const Eigen::Affine3d& move) {
    std::set<std::size_t> done;
    const Eigen::Matrix3d turn = move.linear() / std::cbrt(std::abs(move.linear().determinant()));
    for (nlohmann::json& mesh : document["meshes"]) {
      for (nlohmann::json& primitive : mesh["primitives"]) {
        for (const char* name : {"POSITION", "NORMAL"}) {
          if (!primitive["attributes"].contains(name)) continue;
          const auto accessor = primitive["attributes"][name].get<std::size_t>();
          if (!done.insert(accessor).second) continue;
          document["accessors"][accessor].erase("min");
          document["accessors"][accessor].erase("max");
          float* at = floats(accessor);
          for (std::size_t v = 0; v < count(accessor); ++v, at += 3) {
            const Eigen::Vector3d from(at[0], at[1], at[2]);
            const Eigen::Vector3d to = name[0] == 'P' ? Eigen::Vector3d(move * from) : Eigen::Vector3d(turn * from);
            for (int k = 0; k < 3; ++k) at[k] = static_cast<float>(to[k]);
          }
        }
      }
    }
    const auto accessor = document["skins"][0]["inverseBindMatrices"].get<std::size_t>();
    float* at = floats(accessor);
    for (std::size_t j = 0; j < count(accessor); ++j, at += 16) {
      const Eigen::Matrix4d m = Eigen::Map<const Eigen::Matrix4f>(at).cast<double>() * move.inverse().matrix();
      for (int k = 0; k < 16; ++k) at[k] = static_cast<float>(m.data()[k]);
    }
    nlohmann::json& armature = node("Armature");
    std::set<std::size_t> joints;
    for (const auto& joint : document["skins"][0]["joints"]) joints.insert(joint.get<std::size_t>());
    for (const auto& child : armature["children"]) {
      if (joints.contains(child.get<std::size_t>())) premultiply(document["nodes"][child.get<std::size_t>()], move);
    }
  }
  /// Moves a node by a matrix on the left of its own transform.
  static void premultiply(nlohmann::json& node, const Eigen::Affine3d& move) {
    const Eigen::Affine3d local = move * local_of(node);
    node.erase("translation");
    node.erase("rotation");
    node.erase("scale");
    node["matrix"] = std::vector<double>(local.matrix().data(), local.matrix().data() + 16);
  }
  static Eigen::Affine3d local_of(const nlohmann::json& node) {
    Eigen::Affine3d local = Eigen::Affine3d::Identity();
    if (node.contains("matrix")) {
      const auto m = node["matrix"].get<std::vector<double>>();
      local.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());
      return local;
    }
    const auto t = node.value("translation", std::vector<double>{0, 0, 0});
    const auto r = node.value("rotation", std::vector<double>{0, 0, 0, 1});
    const auto s = node.value("scale", std::vector<double>{1, 1, 1});
    local.translation() = Eigen::Vector3d(t[0], t[1], t[2]);
    local.linear() = Eigen::Quaterniond(r[3], r[0], r[1], r[2]).toRotationMatrix() * Eigen::Vector3d(s[0], s[1], s[2]).asDiagonal();
    return local;
  }
};

/// All bones of the standard at their nominal places and frames with one triangle each, a clip that turns every bone but the static root
/// and moves the hip. Seeded: the same figure every time.
inline Humanoid standard_asset(std::uint32_t seed = 1) {
  const Profile& profile = *MappingTables::built_in().profile("openmaterial");
  Random random(seed);
  Humanoid human;
  human.name = "standard";
  human.profile = "openmaterial";
  human.materials.emplace_back().name = "Skin";
  std::vector<Joint> joints;
  for (const ProfileJoint& bone : profile.joints) {
    int parent = -1;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].name == bone.parent) parent = static_cast<int>(j);
    }
    joints.push_back(joint_at(bone.name, parent, *bone.centre, bone.rest_frame));
  }
  human.skeleton = *Skeleton::create(std::move(joints));
  Part part;
  part.name = "Body_Standard";
  Surface surface;
  surface.material = 0;
  for (std::size_t j = 0; j < human.skeleton.size(); ++j) {
    const auto base = static_cast<std::uint32_t>(part.positions.size());
    for (int k = 0; k < 3; ++k) {
      part.positions.push_back(human.skeleton.joints()[j].rest.place + random.place(0.05));
      part.normals.push_back((random.turn() * Vec3::UnitX()).normalized());
      const JointIndex parent = human.skeleton.joints()[j].parent;
      const double share = parent == JointIndex::none ? 1 : random.between(0.5, 1);
      if (share < 1) part.influences.items.push_back({parent, 1 - share});
      part.influences.items.push_back({joint_index(j), share});
      part.influences.end_vertex();
    }
    surface.triangles.push_back({base, base + 1, base + 2});
  }
  part.surfaces = {surface};
  human.parts = {part};
  Clip clip;
  clip.name = "Move";
  clip.duration_s = 2;
  clip.loops = true;
  const auto rest = rest_locals(human.skeleton);
  for (std::size_t j = 1; j < human.skeleton.size(); ++j) {
    JointTracks tracks;
    tracks.joint = joint_index(j);
    tracks.rotation.times_s = {0, 1, 2};
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = (random.turn() * Vec3::UnitX()).normalized();
      tracks.rotation.values.push_back(rest[j].rotation * Quat(Eigen::AngleAxisd(random.between(0, 0.5), axis)));
    }
    make_continuous(tracks.rotation.values);
    if (j == 1) {
      tracks.translation.times_s = tracks.rotation.times_s;
      for (int k = 0; k < 3; ++k) tracks.translation.values.push_back(rest[j].translation + random.place(0.2));
    }
    clip.joints.push_back(std::move(tracks));
  }
  human.clips = {clip};
  return human;
}

/// Reads the bytes of a GLB; every load is sound.
inline Result<Humanoid> read_glb(const std::string& bytes, const GltfReadOptions& options = {}) {
  auto result = read_openmaterial(std::as_bytes(std::span(bytes)), MappingTables::built_in(), options);
  if (result) expect_sound(*result);
  return result;
}

}  // namespace vesalius::test
