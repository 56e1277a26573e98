// Meshes with weights, morphs and looks; sites and bone tips.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"

namespace vesalius::openmaterial {
namespace {

struct Counts {
  std::size_t clamped = 0, scaled = 0, unweighted = 0, dropped_primitives = 0, degenerate = 0;
};

/// What moves normals when `map` moves places: cofactors instead of the inverse transpose, the same direction and safe for flat maps.
Eigen::Matrix3d normals_map(const Eigen::Matrix3d& map) {
  Eigen::Matrix3d cofactor;
  cofactor.col(0) = map.col(1).cross(map.col(2));
  cofactor.col(1) = map.col(2).cross(map.col(0));
  cofactor.col(2) = map.col(0).cross(map.col(1));
  return map.determinant() < 0 ? Eigen::Matrix3d(-cofactor) : cofactor;
}

/// Attributes that are read, by their names without a number.
bool is_read(const std::string& attribute) {
  return attribute == "POSITION" || attribute == "NORMAL" || attribute == "TEXCOORD_0" || attribute == "COLOR_0" ||
         attribute.starts_with("JOINTS_") || attribute.starts_with("WEIGHTS_") || attribute.starts_with("_VESALIUS_");
}

class Parts {
 public:
  Parts(const Importing& in, const Rig& rig, Humanoid& humanoid) : in_(in), rig_(rig), humanoid_(humanoid) {}

  void run(std::map<std::size_t, std::size_t>& part_of_node) {
    looks();
    for (const std::size_t node : in_.tree.order) {
      const gltf::Node& n = in_.document.nodes[node];
      if (!n.mesh) continue;
      if (n.skin && std::ranges::find(rig_.skins, *n.skin) != rig_.skins.end()) {
        add(node, &in_.document.skins[*n.skin], Affine::Identity(), JointIndex::none, part_of_node);
      } else if (const auto [joint, place] = joint_above(node); joint != JointIndex::none && !n.skin) {
        add(node, nullptr, place, joint, part_of_node);
      } else {
        in_.sink.warning(codes::openmaterial_dropped_mesh, "mesh '" + n.name + "' does not hang on the figure; it was left out",
                         in_.at("/nodes/" + std::to_string(node)));
      }
    }
    const std::string all = "/meshes";
    if (counts_.clamped > 0)
      in_.sink.warning(codes::openmaterial_weights, std::to_string(counts_.clamped) + " negative weights were set to 0", in_.at(all));
    if (counts_.scaled > 0)
      in_.sink.warning(codes::openmaterial_weights,
                       std::to_string(counts_.scaled) + " vertices have weights that do not sum to 1; they were scaled", in_.at(all));
    if (counts_.unweighted > 0)
      in_.sink.warning(codes::openmaterial_unweighted, std::to_string(counts_.unweighted) + " vertices have no weight; they stay at rest",
                       in_.at(all));
    if (counts_.dropped_primitives > 0)
      in_.sink.warning(codes::openmaterial_dropped_primitive,
                       std::to_string(counts_.dropped_primitives) + " primitives of points or lines were left out", in_.at(all));
    if (counts_.degenerate > 0)
      in_.sink.note(codes::openmaterial_degenerate,
                    std::to_string(counts_.degenerate) + " triangles name a vertex twice; they were left out", in_.at(all));
    for (const auto& [attribute, primitives] : dropped_) {
      in_.sink.warning(codes::openmaterial_dropped_attribute,
                       "the vertex attribute " + attribute + " of " + std::to_string(primitives) +
                           (primitives == 1 ? " primitive" : " primitives") + " has no place in the model; it was left out",
                       in_.at(all));
    }
    sites();
  }

 private:
  void looks() {
    for (const gltf::Texture& texture : in_.document.textures) {
      Texture made;
      made.repeat_u = texture.repeat_u;
      made.repeat_v = texture.repeat_v;
      if (texture.image) {
        const gltf::Image& image = in_.document.images[*texture.image];
        made.name = image.name;
        made.uri = image.uri.starts_with("data:") ? "" : image.uri;
        made.mime_type = image.mime_type;
        made.bytes = image.bytes;
      }
      humanoid_.textures.push_back(std::move(made));
    }
    for (const gltf::Material& material : in_.document.materials) {
      Material made;
      made.name = material.name;
      made.base_colour = material.base_colour;
      made.metallic = material.metallic;
      made.roughness = material.roughness;
      made.emissive = material.emissive;
      made.alpha_mode = material.alpha_mode == "MASK"    ? AlphaMode::mask
                        : material.alpha_mode == "BLEND" ? AlphaMode::blend
                                                         : AlphaMode::opaque;
      made.alpha_cutoff = material.alpha_cutoff;
      made.double_sided = material.double_sided;
      made.unlit = material.unlit;
      made.base_texture = material.base_texture;
      if (!material.other_textures.empty()) {
        in_.sink.warning(codes::openmaterial_texture, "material '" + material.name + "' uses " +
                                                          std::to_string(material.other_textures.size()) +
                                                          " further textures that are not carried over");
      }
      humanoid_.materials.push_back(std::move(made));
    }
  }

  /// Nearest joint above a node, and mesh_from_node at rest.
  [[nodiscard]] std::pair<JointIndex, Affine> joint_above(std::size_t node) const {
    Affine below = in_.document.nodes[node].local();
    for (auto above = in_.tree.parents[node]; above; above = in_.tree.parents[*above]) {
      const auto joint = rig_.joint_of_node.find(*above);
      if (joint != rig_.joint_of_node.end()) return {joint->second, rig_.mesh_from_joint[index(joint->second)] * below};
      below = in_.document.nodes[*above].local() * below;
    }
    return {JointIndex::none, below};
  }

  void add(std::size_t node, const gltf::Skin* skin, const Affine& mesh_from_node, JointIndex rigid,
           std::map<std::size_t, std::size_t>& part_of_node) {
    const gltf::Node& n = in_.document.nodes[node];
    const gltf::Mesh& mesh = in_.document.meshes[*n.mesh];
    if (skin != nullptr && !in_.tree.scene_from_node[node].matrix().isIdentity(1e-9)) {
      in_.sink.note(codes::openmaterial_skinned_transform,
                    "the skinned mesh '" + n.name + "' has transforms of its own or above it; they mean nothing and were left out",
                    in_.at("/nodes/" + std::to_string(node)));
    }
    Part part;
    part.name = n.name.empty() ? mesh.name : n.name;
    if (part.name.empty()) part.name = "Body";
    // Vertices bound by another skin than the one that decides a joint's bind pose are moved into that pose.
    std::vector<Affine> rebind;
    std::vector<JointIndex> joints;
    bool rebinds = false;
    if (skin != nullptr) {
      std::vector<double> inverse;
      if (skin->inverse_bind) {
        if (auto values = gltf::read_values(in_.document, *skin->inverse_bind, 16, in_.sink)) inverse = std::move(*values);
      }
      for (std::size_t j = 0; j < skin->joints.size(); ++j) {
        const auto known = rig_.joint_of_node.find(skin->joints[j]);
        JointIndex joint = known == rig_.joint_of_node.end() ? JointIndex::none : known->second;
        if (const auto helper = rig_.helpers.find(skin->joints[j]); helper != rig_.helpers.end()) {
          joints.push_back(helper->second);
          rebind.push_back(Affine::Identity());
          continue;
        }
        for (auto above = in_.tree.parents[skin->joints[j]]; joint == JointIndex::none && above; above = in_.tree.parents[*above]) {
          const auto found = rig_.joint_of_node.find(*above);
          if (found != rig_.joint_of_node.end()) joint = found->second;
        }
        joints.push_back(joint);
        Affine own = Affine::Identity();
        if (inverse.size() >= 16 * (j + 1)) own.matrix() = Eigen::Map<const Eigen::Matrix4d>(inverse.data() + 16 * j);
        const Affine change = joint == JointIndex::none ? Affine::Identity() : Affine(rig_.mesh_from_joint[index(joint)] * own);
        const bool differs =
            known != rig_.joint_of_node.end() && (change.matrix() - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff() > 1e-5;
        rebinds = rebinds || differs;
        rebind.push_back(differs ? change : Affine::Identity());
      }
      if (rebinds && in_.options.rest == GltfRest::bind) {
        in_.sink.warning(codes::openmaterial_bind_differs,
                         "mesh '" + part.name + "' is bound in another pose than the first skin's; it was moved into that pose",
                         in_.at("/nodes/" + std::to_string(node)));
      }
    }
    std::vector<std::string> names = target_names(mesh);
    std::size_t targets = 0;
    for (const gltf::Primitive& primitive : mesh.primitives) targets = std::max(targets, primitive.targets.size());
    for (std::size_t m = 0; m < targets; ++m) {
      Morph& morph = part.morphs.emplace_back();
      morph.name = m < names.size() && !names[m].empty() ? names[m] : "Displacer_" + std::to_string(m + 1);
      const auto& weights = n.weights.empty() ? mesh.weights : n.weights;
      morph.weight = m < weights.size() ? weights[m] : 0;
    }
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
      primitive(mesh.primitives[p], "/meshes/" + std::to_string(*n.mesh) + "/primitives/" + std::to_string(p), part, joints,
                rebinds ? &rebind : nullptr, skin == nullptr ? &mesh_from_node : nullptr, rigid);
    }
    if (part.positions.empty()) return;
    part_of_node.emplace(node, humanoid_.parts.size());
    humanoid_.parts.push_back(std::move(part));
  }

  static std::vector<std::string> target_names(const gltf::Mesh& mesh) {
    std::vector<std::string> texts{mesh.extras};
    for (const gltf::Primitive& primitive : mesh.primitives) texts.push_back(primitive.extras);
    for (const std::string& text : texts) {
      const auto json = nlohmann::json::parse(text, nullptr, false);
      if (!json.is_object() || !json.contains("targetNames") || !json["targetNames"].is_array()) continue;
      std::vector<std::string> names;
      for (const auto& name : json["targetNames"]) names.push_back(name.is_string() ? name.get<std::string>() : std::string());
      return names;
    }
    return {};
  }

  std::vector<double> values(const gltf::Attributes& attributes, const std::string& name, unsigned components, std::uint64_t count) {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return {};
    auto read = gltf::read_values(in_.document, found->second, components, in_.sink, count);
    return read ? std::move(*read) : std::vector<double>();
  }

  void primitive(const gltf::Primitive& primitive, const std::string& where, Part& part, const std::vector<JointIndex>& joints,
                 const std::vector<Affine>* rebind, const Affine* place, JointIndex rigid) {
    if (primitive.mode < 4 || primitive.mode > 6) {
      ++counts_.dropped_primitives;
      return;
    }
    const auto position = primitive.attributes.find("POSITION");
    if (position == primitive.attributes.end()) {
      in_.sink.warning(codes::openmaterial_dropped_primitive, "a primitive has no positions; it was left out", in_.at(where));
      return;
    }
    const std::uint64_t count = in_.document.accessors[position->second].count;
    const auto positions = values(primitive.attributes, "POSITION", 3, count);
    if (positions.size() != 3 * count) return;
    const auto normals = values(primitive.attributes, "NORMAL", 3, count);
    const auto uvs = values(primitive.attributes, "TEXCOORD_0", 2, count);
    std::vector<double> colours;
    unsigned channels = 4;
    if (const auto colour = primitive.attributes.find("COLOR_0"); colour != primitive.attributes.end()) {
      channels = in_.document.accessors[colour->second].components;
      if (channels == 3 || channels == 4) colours = values(primitive.attributes, "COLOR_0", channels, count);
    }
    const auto base = static_cast<std::uint32_t>(part.positions.size());
    const Eigen::Matrix3d turn = rig_.canonical_from_mesh.linear() / rig_.scale;
    for (const auto& [name, accessor] : primitive.attributes) {
      if (!is_read(name)) ++dropped_[name];
    }
    for (const gltf::Attributes& target : primitive.targets) {
      for (const auto& [name, accessor] : target) {
        if (name != "POSITION" && name != "NORMAL") ++dropped_[name + " of morph targets"];
      }
    }
    // A mirror on the way into the model turns triangles inside out.
    const bool flips = (rig_.canonical_from_mesh.linear().determinant() < 0) != (place != nullptr && place->linear().determinant() < 0);
    const Eigen::Matrix3d place_normals = place != nullptr ? normals_map(place->linear()) : Eigen::Matrix3d::Identity();
    if (!uvs.empty() && part.uvs.size() < base) part.uvs.resize(base, {0, 0});
    if (!colours.empty() && part.colours.size() < base) part.colours.resize(base, {1, 1, 1, 1});
    if (!normals.empty() && part.normals.size() < base) part.normals.resize(base, Vec3::UnitY());

    std::vector<std::vector<Influence>> influences(count);
    if (rigid != JointIndex::none) {
      for (auto& list : influences) list = {{rigid, 1.0}};
    } else {
      read_influences(primitive, where, count, joints, influences);
    }
    const auto kept = read_kept(primitive, count);
    for (std::uint64_t v = 0; v < count; ++v) {
      Vec3 p(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
      Vec3 n = normals.empty() ? Vec3::Zero() : Vec3(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]);
      if (place != nullptr) {
        p = *place * p;
        n = place_normals * n;
      } else if (const auto blend = blended(v, rebind)) {
        p = *blend * p;
        n = normals_map(blend->linear()) * n;
      }
      part.positions.push_back(rig_.canonical_from_mesh * p);
      if (!normals.empty() || !part.normals.empty()) {
        const Vec3 turned = turn * n;
        part.normals.push_back(turned.norm() > 1e-9 ? Vec3(turned.normalized()) : Vec3::UnitY());
      }
      if (!uvs.empty() || !part.uvs.empty())
        part.uvs.push_back(uvs.empty() ? std::array<double, 2>{0, 0} : std::array<double, 2>{uvs[2 * v], uvs[2 * v + 1]});
      if (!colours.empty() || !part.colours.empty()) {
        part.colours.push_back(colours.empty() ? std::array<double, 4>{1, 1, 1, 1}
                                               : std::array<double, 4>{colours[channels * v], colours[channels * v + 1],
                                                                       colours[channels * v + 2], channels == 4 ? colours[4 * v + 3] : 1});
      }
      part.influences.items.insert(part.influences.items.end(), influences[v].begin(), influences[v].end());
      part.influences.end_vertex();
    }
    if (!kept.empty()) {
      while (part.kept_influences.vertices() < base) part.kept_influences.end_vertex();
      for (const auto& list : kept) {
        part.kept_influences.items.insert(part.kept_influences.items.end(), list.begin(), list.end());
        part.kept_influences.end_vertex();
      }
    } else if (part.kept_influences.vertices() > 0) {
      while (part.kept_influences.vertices() < part.positions.size()) part.kept_influences.end_vertex();
    }
    for (std::size_t m = 0; m < primitive.targets.size(); ++m) {
      const auto moves = values(primitive.targets[m], "POSITION", 3, count), bends = values(primitive.targets[m], "NORMAL", 3, count);
      Morph& morph = part.morphs[m];
      if (!bends.empty() && morph.normal_displacements.size() < morph.vertices.size())
        morph.normal_displacements.resize(morph.vertices.size(), Vec3::Zero());
      const bool with_normals = !bends.empty() || !morph.normal_displacements.empty();
      for (std::uint64_t v = 0; v < count && !moves.empty(); ++v) {
        const Vec3 move(moves[3 * v], moves[3 * v + 1], moves[3 * v + 2]);
        const Vec3 bend = bends.empty() ? Vec3::Zero() : Vec3(bends[3 * v], bends[3 * v + 1], bends[3 * v + 2]);
        if (move.isZero(0) && bend.isZero(0)) continue;
        const Eigen::Matrix3d bound = bound_at(v, place, rebind);
        morph.vertices.push_back(base + static_cast<std::uint32_t>(v));
        morph.displacements.push_back(rig_.canonical_from_mesh.linear() * (bound * move));
        if (with_normals) morph.normal_displacements.push_back(turn * (bound * bend));
      }
    }
    Surface surface;
    surface.material = primitive.material;
    std::vector<std::uint32_t> corners;
    if (primitive.indices) {
      auto read = gltf::read_unsigned(in_.document, *primitive.indices, 1, in_.sink);
      if (!read) return;
      corners = std::move(*read);
    } else {
      for (std::uint32_t v = 0; v < count; ++v) corners.push_back(v);
    }
    const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      if (a >= count || b >= count || c >= count) {
        in_.sink.warning(codes::openmaterial_dropped_primitive, "an index names a vertex that is not there; its triangle was left out",
                         in_.at(where + "/indices"));
      } else if (a == b || b == c || c == a) {
        ++counts_.degenerate;
      } else {
        surface.triangles.push_back({base + a, base + (flips ? c : b), base + (flips ? b : c)});
      }
    };
    for (std::size_t i = 2; i < corners.size(); ++i) {
      if (primitive.mode == 4) {
        if (i % 3 == 2) triangle(corners[i - 2], corners[i - 1], corners[i]);
      } else if (primitive.mode == 5) {
        if (i % 2 == 0) {
          triangle(corners[i - 2], corners[i - 1], corners[i]);
        } else {
          triangle(corners[i - 1], corners[i - 2], corners[i]);
        }
      } else {
        triangle(corners[0], corners[i - 1], corners[i]);
      }
    }
    if (!surface.triangles.empty()) part.surfaces.push_back(std::move(surface));
  }

  /// What moves a vertex from the pose that its own skin binds it in to the figure's rest pose.
  [[nodiscard]] std::optional<Affine> blended(std::uint64_t v, const std::vector<Affine>* rebind) const {
    if (rebind == nullptr || raw_.empty()) return std::nullopt;
    Affine blend;
    blend.matrix().setZero();
    double sum = 0;
    for (const auto& [slot, weight] : raw_[v]) {
      blend.matrix() += weight * (*rebind)[slot].matrix();
      sum += weight;
    }
    if (sum <= 0) return std::nullopt;
    blend.matrix() /= sum;
    return blend;
  }
  [[nodiscard]] Eigen::Matrix3d bound_at(std::uint64_t v, const Affine* place, const std::vector<Affine>* rebind) const {
    if (place != nullptr) return place->linear();
    const auto blend = blended(v, rebind);
    return blend ? Eigen::Matrix3d(blend->linear()) : Eigen::Matrix3d::Identity();
  }

  void read_influences(const gltf::Primitive& primitive, const std::string& where, std::uint64_t count,
                       const std::vector<JointIndex>& joints, std::vector<std::vector<Influence>>& result) {
    raw_.assign(count, {});
    for (int set = 0; set < 8; ++set) {
      const auto joint_set = primitive.attributes.find("JOINTS_" + std::to_string(set));
      const auto weights = values(primitive.attributes, "WEIGHTS_" + std::to_string(set), 4, count);
      if (joint_set == primitive.attributes.end() || weights.empty()) break;
      const auto slots = gltf::read_unsigned(in_.document, joint_set->second, 4, in_.sink, count);
      if (!slots) break;
      for (std::uint64_t v = 0; v < count; ++v) {
        for (std::size_t k = 0; k < 4; ++k) {
          double weight = weights[4 * v + k];
          if (weight < 0) {
            ++counts_.clamped;
            weight = 0;
          }
          if (weight == 0) continue;
          const std::uint32_t slot = (*slots)[4 * v + k];
          if (slot >= joints.size()) {
            in_.sink.error(codes::openmaterial_bad_joint,
                           "vertex " + std::to_string(v) + " follows joint " + std::to_string(slot) + "; the skin has " +
                               std::to_string(joints.size()),
                           in_.at(where + "/attributes/JOINTS_" + std::to_string(set)));
            return;
          }
          raw_[v].emplace_back(slot, weight);
          if (joints[slot] != JointIndex::none) result[v].push_back({joints[slot], weight});
        }
      }
    }
    for (std::uint64_t v = 0; v < count; ++v) {
      auto& list = result[v];
      merge_influences(list);
      // What a helper without a joint holds belongs to the sum: it stays at rest.
      double sum = 0;
      for (const auto& [slot, weight] : raw_[v]) sum += weight;
      if (sum <= 0) {
        list.clear();
        ++counts_.unweighted;
        continue;
      }
      if (std::abs(sum - 1) > 1e-3) ++counts_.scaled;
      for (Influence& influence : list) influence.weight /= sum;
    }
  }

  std::vector<std::vector<KeptInfluence>> read_kept(const gltf::Primitive& primitive, std::uint64_t count) {
    std::vector<std::vector<KeptInfluence>> result;
    for (int set = 0; set < 64; ++set) {
      const auto joints = values(primitive.attributes, "_VESALIUS_JOINTS_" + std::to_string(set), 4, count);
      const auto ratios = values(primitive.attributes, "_VESALIUS_RATIOS_" + std::to_string(set), 4, count);
      if (joints.empty() || ratios.empty()) break;
      result.resize(count);
      for (std::uint64_t v = 0; v < count; ++v) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double joint = joints[4 * v + k];
          if (ratios[4 * v + k] != 0 && joint >= 0 && joint < 1e6)
            result[v].push_back({static_cast<std::uint32_t>(joint), ratios[4 * v + k]});
        }
      }
    }
    return result;
  }

  void sites() {
    for (const std::size_t node : in_.tree.order) {
      const gltf::Node& n = in_.document.nodes[node];
      const bool tip = std::ranges::find(rig_.tips, node) != rig_.tips.end(), site = n.name.starts_with("Grp_Site_");
      if (!tip && !site) continue;
      auto [joint, place] = joint_above(node);
      // Beside the bones a node stands in the scene, not in the space of the mesh.
      if (joint == JointIndex::none) place = rig_.scene_from_mesh.inverse() * place;
      Site made;
      made.name = site ? n.name.substr(9) : n.name;
      made.joint = joint;
      made.rest.place = rig_.canonical_from_mesh * place.translation();
      made.rest.turn = frame_of(rig_.canonical_from_mesh * place);
      made.scale = n.scale;
      const auto json = nlohmann::json::parse(n.extras, nullptr, false);
      if (json.is_object() && json.contains("vesalius") && json["vesalius"].is_object()) {
        const auto& own = json["vesalius"];
        if (own.contains("segment") && own["segment"].is_string()) made.segment = own["segment"].get<std::string>();
        if (own.contains("name") && own["name"].is_string()) made.name = own["name"].get<std::string>();
      }
      humanoid_.sites.push_back(std::move(made));
    }
  }

  const Importing& in_;
  const Rig& rig_;
  Humanoid& humanoid_;
  Counts counts_;
  std::map<std::string, std::size_t> dropped_;                      ///< primitives by attribute
  std::vector<std::vector<std::pair<std::uint32_t, double>>> raw_;  ///< slots and weights of the primitive at hand
};

}  // namespace

void import_parts(const Importing& in, const Rig& rig, Humanoid& humanoid, std::map<std::size_t, std::size_t>& part_of_node) {
  Parts(in, rig, humanoid).run(part_of_node);
}

}  // namespace vesalius::openmaterial
