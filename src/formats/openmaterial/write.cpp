// A humanoid as an OpenMATERIAL 3D asset.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/gltf/write_document.hpp"
#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/xoma.hpp"
#include "foundation/files.hpp"
#include "foundation/uri.hpp"

namespace vesalius {
namespace openmaterial {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

/// Capital Snake_Case of letters, digits and underscores.
std::string snake_case(const std::string& name) {
  std::string result;
  bool start = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9')) {
      if (!start) result += '_';
      start = true;
      continue;
    }
    result += start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    start = false;
  }
  while (result.ends_with('_')) result.pop_back();
  return result;
}

class Writer {
 public:
  Writer(const Humanoid& humanoid, const GltfWriteOptions& options, Diagnostics& sink)
      : h_(humanoid), options_(options), sink_(sink), turn_(storage_from_canonical(options.front)), buffer_(document_) {}

  std::optional<AssetFiles> run(const std::string& base_name) {
    document_.generator = "Vesalius";
    document_.version = "2.0";
    if (const auto copyright = h_.metadata.find("copyright"); copyright != h_.metadata.end() && !copyright->second.empty())
      document_.copyright = copyright->second.front();
    looks();
    nodes();
    parts();
    sites();
    extras();
    motion();
    AssetFiles result;
    if (options_.binary) {
      auto glb = gltf::to_glb(document_, sink_);
      if (!glb) return std::nullopt;
      result.files.emplace_back(base_name + ".glb", std::move(*glb));
    } else {
      result.files.emplace_back(base_name + ".gltf", gltf::to_gltf(document_, percent_encoded(base_name + ".bin")));
      result.files.emplace_back(base_name + ".bin", document_.buffers.empty() ? std::vector<std::byte>() : document_.buffers.front());
    }
    for (const auto& [name, bytes] : result.files) facts_.content.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    facts_.meshes = document_.meshes.size();
    facts_.animated = !document_.animations.empty();
    const std::string xoma = xoma_text(h_, base_name, facts_, options_, sink_);
    const auto view = bytes_of(xoma);
    result.files.emplace_back(base_name + ".xoma", std::vector<std::byte>(view.begin(), view.end()));
    if (sink_.has_errors()) return std::nullopt;
    return result;
  }

 private:
  [[nodiscard]] Vec3 stored(const Vec3& canonical) const { return turn_ * canonical; }
  static void append(std::vector<float>& out, const Vec3& v) {
    for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]) + 0.0f);
  }

  void looks() {
    for (const Texture& texture : h_.textures) {
      gltf::Texture made;
      made.repeat_u = texture.repeat_u;
      made.repeat_v = texture.repeat_v;
      if (!texture.bytes.empty() && !texture.mime_type.empty()) {
        gltf::Image image;
        image.name = texture.name;
        image.mime_type = texture.mime_type;
        image.view = buffer_.add_view(texture.bytes);
        made.image = document_.images.size();
        document_.images.push_back(std::move(image));
        if (const std::string resolution = resolution_of(texture.bytes); !resolution.empty()) resolutions_.insert(resolution);
      } else {
        sink_.warning(codes::openmaterial_texture, "texture '" + texture.name + "' has no image data; surfaces keep their colour");
      }
      document_.textures.push_back(made);
    }
    for (const std::string& resolution : resolutions_) facts_.texture_resolutions.push_back(resolution);
    for (const Material& material : h_.materials) {
      gltf::Material made;
      made.name = material.name;
      made.base_colour = material.base_colour;
      made.metallic = material.metallic;
      made.roughness = material.roughness;
      made.emissive = material.emissive;
      made.alpha_mode = material.alpha_mode == AlphaMode::mask ? "MASK" : material.alpha_mode == AlphaMode::blend ? "BLEND" : "OPAQUE";
      made.alpha_cutoff = material.alpha_cutoff;
      made.double_sided = material.double_sided;
      made.unlit = material.unlit;
      if (material.base_texture && document_.textures[*material.base_texture].image) made.base_texture = material.base_texture;
      document_.materials.push_back(std::move(made));
    }
  }

  std::size_t neutral_material() {
    if (!neutral_) {
      neutral_ = document_.materials.size();
      gltf::Material made;
      made.name = "Neutral";
      made.base_colour = {0.8, 0.8, 0.8, 1};
      made.metallic = 0;
      made.roughness = 0.7;
      document_.materials.push_back(std::move(made));
      sink_.warning(codes::openmaterial_no_material, "faces without a material got a neutral one");
    }
    return *neutral_;
  }

  /// Grp_Root, Armature and the bones; the meshes follow.
  void nodes() {
    document_.nodes.resize(2);
    document_.nodes[0].name = "Grp_Root";
    document_.nodes[0].children = {1};
    document_.nodes[1].name = "Armature";
    document_.scenes = {{0}};
    document_.scene = 0;
    first_bone_ = document_.nodes.size();
    gltf::Skin skin;
    skin.name = "Armature";
    std::vector<float> inverse;
    for (std::size_t j = 0; j < h_.skeleton.size(); ++j) {
      const Joint& joint = h_.skeleton.joints()[j];
      const Rigid rest{stored(joint.rest.place), turn_ * joint.rest.turn};
      const bool top = joint.parent == JointIndex::none;
      Rigid local = rest;
      if (!top) {
        const Joint& parent = h_.skeleton[joint.parent];
        local = Rigid{stored(parent.rest.place), turn_ * parent.rest.turn}.inverse() * rest;
      }
      gltf::Node node;
      node.name = joint.name;
      node.translation = local.place;
      node.rotation = plain(local.turn);
      const std::size_t index_here = document_.nodes.size();
      document_.nodes[top ? 1 : first_bone_ + index(joint.parent)].children.push_back(index_here);
      document_.nodes.push_back(std::move(node));
      skin.joints.push_back(index_here);
      if (top && !skin.skeleton) skin.skeleton = index_here;
      const Eigen::Matrix4d m = rest.inverse().matrix().matrix();
      for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) inverse.push_back(r == 3 ? (c == 3 ? 1.0f : 0.0f) : static_cast<float>(m(r, c)) + 0.0f);
      }
    }
    skin.inverse_bind = buffer_.add_floats(inverse, 16, gltf::Target::none);
    document_.skins.push_back(std::move(skin));
  }

  /// Noise of a turn that is none would only obscure the file.
  static Quat plain(Quat q) {
    if (angle_between_rad(q, Quat::Identity()) < 1e-9) return Quat::Identity();
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    return q.normalized();
  }

  std::string part_name(const Part& part) {
    const std::string wanted = snake_case(part.name);
    const bool classed =
        wanted.starts_with("Body_") || wanted.starts_with("Clothing_") || wanted.starts_with("Hair_") || wanted.starts_with("Accessories_");
    const std::string base = classed ? wanted : "Body_" + (wanted.empty() ? std::string("Human") : wanted);
    std::string name = base;
    for (int number = 2; !names_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
    return name;
  }

  void parts() {
    for (const Joint& joint : h_.skeleton.joints()) names_.insert(joint.name);
    node_of_part_.assign(h_.parts.size(), std::nullopt);
    for (std::size_t p = 0; p < h_.parts.size(); ++p) {
      const Part& part = h_.parts[p];
      gltf::Mesh mesh;
      mesh.name = part_name(part);
      for (const Surface& surface : part.surfaces) primitive(part, surface, mesh);
      if (mesh.primitives.empty()) continue;
      Json extra = Json::object();
      if (!part.morphs.empty()) {
        Json targets = Json::array();
        for (const Morph& morph : part.morphs) {
          targets.push_back(morph.name);
          mesh.weights.push_back(morph.weight);
        }
        extra["targetNames"] = targets;
      }
      if (options_.extras) {
        Json own = Json::object();
        if (mesh.name != part.name) {
          own["name"] = part.name;
          own["as"] = mesh.name;
        }
        if (!part.segment.empty()) own["segment"] = part.segment;
        Json morphs = Json::array();
        bool any = false;
        for (const Morph& morph : part.morphs) {
          any = any || morph.kind != MorphKind::target;
          Json entry{{"kind", morph.kind == MorphKind::joint_displacer     ? "joint"
                              : morph.kind == MorphKind::segment_displacer ? "segment"
                                                                           : "target"}};
          if (morph.joint != JointIndex::none) entry["bone"] = h_.skeleton[morph.joint].name;
          morphs.push_back(std::move(entry));
        }
        if (any) own["morphs"] = morphs;
        if (!own.empty()) extra["vesalius"] = own;
      }
      if (!extra.empty()) mesh.extras = extra.dump(-1, ' ', false, Json::error_handler_t::replace);
      gltf::Node node;
      node.name = mesh.name;
      node.mesh = document_.meshes.size();
      node.skin = 0;
      node_of_part_[p] = document_.nodes.size();
      document_.nodes[1].children.push_back(document_.nodes.size());
      document_.nodes.push_back(std::move(node));
      document_.meshes.push_back(std::move(mesh));
    }
    if (degenerate_ > 0)
      sink_.warning(codes::openmaterial_degenerate, std::to_string(degenerate_) + " triangles without an area were left out");
    if (dropped_influences_ > 0)
      sink_.warning(codes::openmaterial_dropped_influences,
                    std::to_string(dropped_influences_) + " influences are beyond the limit of " + std::to_string(options_.max_influences) +
                        " per vertex and were left out; the largest had weight " + std::to_string(worst_dropped_));
    if (facts_.triangles == 0)
      sink_.error(codes::openmaterial_no_triangles,
                  "the figure has no triangle that could be written; the asset schema asks for at least one (a body of sticks would do)");
  }

  void primitive(const Part& part, const Surface& surface, gltf::Mesh& mesh) {
    // Only vertices that a triangle uses; triangles that single precision makes flat are left out.
    std::vector<std::uint32_t> number(part.positions.size(), 0xFFFFFFFF), vertices, corners;
    const auto place = [&](std::uint32_t v) { return Eigen::Vector3f(stored(part.positions[v]).cast<float>()); };
    for (const auto& triangle : surface.triangles) {
      const Eigen::Vector3f a = place(triangle[0]), b = place(triangle[1]), c = place(triangle[2]);
      if ((b - a).cross(c - a).norm() <= 0) {
        ++degenerate_;
        continue;
      }
      for (const std::uint32_t v : triangle) {
        if (number[v] == 0xFFFFFFFF) {
          number[v] = static_cast<std::uint32_t>(vertices.size());
          vertices.push_back(v);
        }
        corners.push_back(number[v]);
      }
    }
    if (corners.empty()) return;
    facts_.triangles += corners.size() / 3;
    gltf::Primitive made;
    std::vector<float> values;
    values.reserve(3 * vertices.size());
    for (const std::uint32_t v : vertices) {
      append(values, stored(part.positions[v]));
      facts_.box.extend(Vec3(turn_.conjugate() * place(v).cast<double>()));
    }
    made.attributes["POSITION"] = buffer_.add_floats(values, 3, gltf::Target::vertices, true);
    if (!part.normals.empty()) {
      values.clear();
      for (const std::uint32_t v : vertices) append(values, stored(part.normals[v]));
      made.attributes["NORMAL"] = buffer_.add_floats(values, 3, gltf::Target::vertices);
    }
    if (!part.uvs.empty()) {
      values.clear();
      for (const std::uint32_t v : vertices)
        values.insert(values.end(), {static_cast<float>(part.uvs[v][0]), static_cast<float>(part.uvs[v][1])});
      made.attributes["TEXCOORD_0"] = buffer_.add_floats(values, 2, gltf::Target::vertices);
    }
    if (!part.colours.empty()) {
      values.clear();
      for (const std::uint32_t v : vertices) {
        for (const double c : part.colours[v]) values.push_back(static_cast<float>(std::clamp(c, 0.0, 1.0)));
      }
      made.attributes["COLOR_0"] = buffer_.add_floats(values, 4, gltf::Target::vertices);
    }
    influences(part, vertices, made);
    if (options_.extras && part.kept_influences.vertices() == part.positions.size()) kept(part, vertices, made);
    for (const Morph& morph : part.morphs) {
      std::vector<float> moves(3 * vertices.size(), 0.0f), bends(morph.normal_displacements.empty() ? 0 : 3 * vertices.size(), 0.0f);
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        const std::uint32_t n = number[morph.vertices[i]];
        if (n == 0xFFFFFFFF) continue;
        const Vec3 move = stored(morph.displacements[i]);
        for (int k = 0; k < 3; ++k) moves[3 * n + static_cast<std::uint32_t>(k)] = static_cast<float>(move[k]);
        if (bends.empty()) continue;
        const Vec3 bend = stored(morph.normal_displacements[i]);
        for (int k = 0; k < 3; ++k) bends[3 * n + static_cast<std::uint32_t>(k)] = static_cast<float>(bend[k]);
      }
      gltf::Attributes target;
      target["POSITION"] = buffer_.add_mostly_zero(moves, 3);
      if (!bends.empty()) target["NORMAL"] = buffer_.add_mostly_zero(bends, 3);
      made.targets.push_back(std::move(target));
    }
    made.indices = buffer_.add_indices(corners, static_cast<std::uint32_t>(vertices.size()));
    made.material = surface.material ? *surface.material : neutral_material();
    mesh.primitives.push_back(std::move(made));
  }

  void influences(const Part& part, const std::vector<std::uint32_t>& vertices, gltf::Primitive& made) {
    std::size_t most = 0;
    for (const std::uint32_t v : vertices) most = std::max(most, part.influences.of(v).size());
    const std::size_t sets = std::clamp<std::size_t>((most + 3) / 4, 1, std::max(1u, options_.max_influences / 4));
    std::vector<std::vector<std::uint16_t>> joints(sets);
    std::vector<std::vector<float>> weights(sets);
    std::vector<Influence> sorted;
    for (const std::uint32_t v : vertices) {
      const auto items = part.influences.of(v);
      sorted.assign(items.begin(), items.end());
      std::stable_sort(sorted.begin(), sorted.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      if (sorted.size() > 4 * sets) {
        dropped_influences_ += sorted.size() - 4 * sets;
        worst_dropped_ = std::max(worst_dropped_, sorted[4 * sets].weight);
        sorted.resize(4 * sets);
      }
      // What is missing to 1 stays at rest: the first joint, the static root, carries it.
      double sum = weight_sum(sorted);
      if (sum < 1 - 1e-9) {
        if (sorted.size() < 4 * sets) {
          sorted.push_back({joint_index(0), 1 - sum});
          merge_influences(sorted);
        }
        sum = weight_sum(sorted);
      }
      // Single precision weights that sum to 1: the largest takes the rounding.
      std::vector<float> rounded;
      float total = 0;
      for (const Influence& influence : sorted) {
        rounded.push_back(static_cast<float>(influence.weight / sum));
        total += rounded.back();
      }
      if (!rounded.empty()) *std::ranges::max_element(rounded) += 1.0f - total;
      for (std::size_t k = 0; k < 4 * sets; ++k) {
        const bool used = k < sorted.size() && rounded[k] > 0;
        joints[k / 4].push_back(used ? static_cast<std::uint16_t>(index(sorted[k].joint)) : 0);
        weights[k / 4].push_back(used ? rounded[k] : 0.0f);
      }
    }
    for (std::size_t s = 0; s < sets; ++s) {
      made.attributes["JOINTS_" + std::to_string(s)] = buffer_.add_joints(joints[s]);
      made.attributes["WEIGHTS_" + std::to_string(s)] = buffer_.add_floats(weights[s], 4, gltf::Target::vertices);
    }
  }

  /// Shares of the source's joints: only where they say more than that one joint took the whole bone.
  void kept(const Part& part, const std::vector<std::uint32_t>& vertices, gltf::Primitive& made) {
    std::size_t most = 0;
    for (const std::uint32_t v : vertices) most = std::max(most, part.kept_influences.of(v).size());
    const std::size_t sets = (most + 3) / 4;
    for (std::size_t s = 0; s < sets; ++s) {
      std::vector<float> joints, ratios;
      for (const std::uint32_t v : vertices) {
        const auto items = part.kept_influences.of(v);
        for (std::size_t k = 4 * s; k < 4 * s + 4; ++k) {
          joints.push_back(k < items.size() ? static_cast<float>(items[k].joint) : 0.0f);
          ratios.push_back(k < items.size() ? static_cast<float>(items[k].ratio) : 0.0f);
        }
      }
      made.attributes["_VESALIUS_JOINTS_" + std::to_string(s)] = buffer_.add_floats(joints, 4, gltf::Target::vertices);
      made.attributes["_VESALIUS_RATIOS_" + std::to_string(s)] = buffer_.add_floats(ratios, 4, gltf::Target::vertices);
    }
  }

  void sites() {
    for (const Site& site : h_.sites) {
      const std::string base = "Grp_Site_" + snake_case(site.name);
      std::string name = base;
      for (int number = 2; !names_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
      const Rigid carrier = site.joint == JointIndex::none
                                ? Rigid{}
                                : Rigid{stored(h_.skeleton[site.joint].rest.place), turn_ * h_.skeleton[site.joint].rest.turn};
      const Rigid local = carrier.inverse() * Rigid{stored(site.rest.place), turn_ * site.rest.turn};
      gltf::Node node;
      node.name = name;
      node.translation = local.place;
      node.rotation = plain(local.turn);
      node.scale = site.scale;
      if (options_.extras) {
        Json own{{"name", site.name}};
        if (!site.segment.empty()) own["segment"] = site.segment;
        node.extras = Json{{"vesalius", own}}.dump(-1, ' ', false, Json::error_handler_t::replace);
      }
      document_.nodes[site.joint == JointIndex::none ? 1 : first_bone_ + index(site.joint)].children.push_back(document_.nodes.size());
      document_.nodes.push_back(std::move(node));
    }
  }

  void extras() {
    if (!options_.extras) return;
    Json own = Json::object();
    if (h_.kept) own["kept"] = Json::parse(to_json(*h_.kept));
    Json segments = Json::array();
    for (const Segment& segment : h_.segments) {
      Json entry{{"name", segment.name}};
      const Rigid bone = segment.joint == JointIndex::none ? Rigid{} : h_.skeleton[segment.joint].rest;
      if (segment.joint != JointIndex::none) entry["bone"] = h_.skeleton[segment.joint].name;
      if (segment.mass_kg > 0) entry["mass"] = segment.mass_kg;
      if (segment.centre_of_mass) entry["centerOfMass"] = list(bone.inverse() * *segment.centre_of_mass);
      if (segment.moments_of_inertia) {
        const Eigen::Matrix3d r = bone.turn.toRotationMatrix();
        const Eigen::Matrix3d m = r.transpose() * *segment.moments_of_inertia * r;
        Json numbers = Json::array();
        for (int i = 0; i < 9; ++i) numbers.push_back(m(i / 3, i % 3));
        entry["momentsOfInertia"] = numbers;
      }
      segments.push_back(std::move(entry));
    }
    if (!segments.empty()) own["segments"] = segments;
    if (!own.empty()) document_.nodes[1].extras = Json{{"vesalius", own}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  std::size_t times_of(const std::vector<double>& times_s) {
    std::vector<float> values;
    for (const double t : times_s) {
      float f = static_cast<float>(t);
      if (!values.empty() && f <= values.back()) f = std::nextafter(values.back(), std::numeric_limits<float>::infinity());
      values.push_back(f);
    }
    const auto known = times_.find(values);
    if (known != times_.end()) return known->second;
    const std::size_t accessor = buffer_.add_floats(values, 1, gltf::Target::none, true);
    times_.emplace(std::move(values), accessor);
    return accessor;
  }

  void motion() {
    for (const Clip& clip : h_.clips) {
      gltf::Animation animation;
      animation.name = clip.name;
      double last = 0;
      const auto add = [&](std::size_t node, gltf::Path path, const std::vector<double>& times_s, Interpolation interpolation,
                           const std::vector<float>& values, unsigned width) {
        if (times_s.empty()) return;
        last = std::max(last, times_s.back());
        gltf::Sampler sampler;
        sampler.input = times_of(times_s);
        sampler.output = buffer_.add_floats(values, width, gltf::Target::none);
        sampler.interpolation = interpolation == Interpolation::step ? "STEP" : "LINEAR";
        animation.channels.push_back({node, path, animation.samplers.size()});
        animation.samplers.push_back(std::move(sampler));
      };
      for (const JointTracks& joint : clip.joints) {
        const std::size_t node = first_bone_ + index(joint.joint);
        // A bone without a parent stands in storage axes.
        const Quat above = h_.skeleton[joint.joint].parent == JointIndex::none ? turn_ : Quat::Identity();
        std::vector<float> values;
        for (const Quat& q : joint.rotation.values) {
          const Quat s = above * q;
          values.insert(values.end(),
                        {static_cast<float>(s.x()), static_cast<float>(s.y()), static_cast<float>(s.z()), static_cast<float>(s.w())});
        }
        add(node, gltf::Path::rotation, joint.rotation.times_s, joint.rotation.interpolation, values, 4);
        values.clear();
        for (const Vec3& v : joint.translation.values) append(values, above * v);
        add(node, gltf::Path::translation, joint.translation.times_s, joint.translation.interpolation, values, 3);
        values.clear();
        for (const Vec3& v : joint.scale.values) append(values, v);
        add(node, gltf::Path::scale, joint.scale.times_s, joint.scale.interpolation, values, 3);
      }
      morph_channels(clip, add);
      if (animation.channels.empty()) continue;
      if (options_.extras && (!clip.loops || clip.duration_s > last + 1e-6)) {
        animation.extras = Json{{"vesalius", {{"loops", clip.loops}, {"duration", clip.duration_s}}}}.dump();
      }
      document_.animations.push_back(std::move(animation));
    }
  }

  /// glTF moves all morphs of a mesh with one channel: tracks of one part are brought to common times.
  template <class Add>
  void morph_channels(const Clip& clip, const Add& add) {
    std::map<std::size_t, std::vector<const MorphTrack*>> by_part;
    for (const MorphTrack& track : clip.morphs) by_part[track.part].push_back(&track);
    for (const auto& [part, tracks] : by_part) {
      if (!node_of_part_[part]) continue;
      std::vector<double> times;
      for (const MorphTrack* track : tracks) times.insert(times.end(), track->weight.times_s.begin(), track->weight.times_s.end());
      std::sort(times.begin(), times.end());
      times.erase(std::unique(times.begin(), times.end()), times.end());
      std::vector<float> values;
      for (const double t : times) {
        for (std::size_t m = 0; m < h_.parts[part].morphs.size(); ++m) {
          const auto own = std::ranges::find_if(tracks, [&](const MorphTrack* track) { return track->morph == m; });
          values.push_back(static_cast<float>(own != tracks.end() ? sample((*own)->weight, t) : h_.parts[part].morphs[m].weight));
        }
      }
      const bool step =
          std::ranges::all_of(tracks, [](const MorphTrack* track) { return track->weight.interpolation == Interpolation::step; });
      add(*node_of_part_[part], gltf::Path::weights, times, step ? Interpolation::step : Interpolation::linear, values, 1);
    }
  }

  const Humanoid& h_;
  const GltfWriteOptions& options_;
  Diagnostics& sink_;
  Quat turn_;
  gltf::Document document_;
  gltf::BufferBuilder buffer_;
  AssetFacts facts_;
  std::size_t first_bone_ = 0;
  std::set<std::string> names_;
  std::set<std::string> resolutions_;
  std::vector<std::optional<std::size_t>> node_of_part_;
  std::optional<std::size_t> neutral_;
  std::map<std::vector<float>, std::size_t> times_;
  std::size_t degenerate_ = 0, dropped_influences_ = 0;
  double worst_dropped_ = 0;
};

}  // namespace
}  // namespace openmaterial

Result<AssetFiles> openmaterial_to_files(const Humanoid& humanoid, const std::string& base_name, const MappingTables& tables,
                                         const GltfWriteOptions& options) {
  Diagnostics sink;
  const Profile* profile = tables.profile(humanoid.profile);
  if (profile == nullptr || !profile->has_bone_axes) {
    sink.error(codes::openmaterial_wrong_profile,
               "a humanoid of profile '" + humanoid.profile + "' cannot be written as OpenMATERIAL; convert it first");
    return {std::nullopt, std::move(sink)};
  }
  auto files = openmaterial::Writer(humanoid, options, sink).run(base_name);
  return {std::move(files), std::move(sink)};
}

}  // namespace vesalius
