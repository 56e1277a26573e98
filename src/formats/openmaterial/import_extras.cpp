// What an earlier conversion kept in extras.
#include <nlohmann/json.hpp>

#include "formats/gltf/text_scan.hpp"
#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"

namespace vesalius::openmaterial {
namespace {

using Json = nlohmann::ordered_json;

std::optional<Vec3> vector(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_array() || it->size() != 3) return std::nullopt;
  Vec3 result;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(*it)[i].is_number()) return std::nullopt;
    result[static_cast<Eigen::Index>(i)] = (*it)[i].get<double>();
  }
  return result;
}

std::string text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// The "vesalius" object of an element's extras, or null.
Json own_of(const std::string& extras) {
  if (extras.empty() || gltf::nests_deeper(extras)) return nullptr;
  const Json json = Json::parse(extras, nullptr, false);
  if (!json.is_object()) return nullptr;
  const auto own = json.find("vesalius");
  return own != json.end() && own->is_object() ? *own : Json(nullptr);
}

}  // namespace

void import_extras(const Importing& in, Humanoid& humanoid) {
  for (std::size_t n = 0; n < in.document.nodes.size(); ++n) {
    const Json own = own_of(in.document.nodes[n].extras);
    if (!own.is_object()) continue;
    if (const auto kept = own.find("kept"); kept != own.end() && kept->is_object()) {
      auto read = kept_from_json(kept->dump());
      if (read) {
        humanoid.kept = std::move(*read.value);
      } else {
        for (const Diagnostic& fault : read.diagnostics.items()) {
          in.sink.warning(codes::openmaterial_extras, fault.message + "; they were dropped",
                          in.at("/nodes/" + std::to_string(n) + "/extras/vesalius/kept" + fault.where.path));
        }
      }
    }
    if (const auto list = own.find("segments"); list != own.end() && list->is_array()) {
      for (const Json& entry : *list) {
        if (!entry.is_object()) continue;
        Segment segment;
        segment.name = text(entry, "name");
        segment.joint = humanoid.skeleton.find(text(entry, "bone"));
        if (segment.name.empty()) continue;
        if (const auto mass = entry.find("mass"); mass != entry.end() && mass->is_number())
          segment.mass_kg = std::max(0.0, mass->get<double>());
        const Rigid bone = segment.joint == JointIndex::none ? Rigid{} : humanoid.skeleton[segment.joint].rest;
        if (const auto com = vector(entry, "centerOfMass")) segment.centre_of_mass = bone * *com;
        if (const auto inertia = entry.find("momentsOfInertia"); inertia != entry.end() && inertia->is_array() && inertia->size() == 9) {
          Eigen::Matrix3d m;
          bool good = true;
          for (std::size_t i = 0; i < 9; ++i) {
            good = good && (*inertia)[i].is_number();
            if (good) m(static_cast<Eigen::Index>(i / 3), static_cast<Eigen::Index>(i % 3)) = (*inertia)[i].get<double>();
          }
          const Eigen::Matrix3d r = bone.turn.toRotationMatrix();
          if (good) segment.moments_of_inertia = r * m * r.transpose();
        }
        humanoid.segments.push_back(std::move(segment));
      }
    }
  }
  for (Part& part : humanoid.parts) {
    for (const gltf::Node& node : in.document.nodes) {
      if (!node.mesh || node.name != part.name) continue;
      const Json own = own_of(in.document.meshes[*node.mesh].extras);
      if (!own.is_object()) continue;
      part.segment = text(own, "segment");
      if (const std::string name = text(own, "name"); !name.empty()) {
        // A renamed node wins over the name that was kept.
        if (text(own, "as") == part.name) part.name = name;
      }
      const auto list = own.find("morphs");
      if (list == own.end() || !list->is_array()) continue;
      for (std::size_t m = 0; m < std::min(list->size(), part.morphs.size()); ++m) {
        const Json& entry = (*list)[m];
        if (!entry.is_object()) continue;
        const std::string kind = text(entry, "kind");
        part.morphs[m].kind = kind == "joint"     ? MorphKind::joint_displacer
                              : kind == "segment" ? MorphKind::segment_displacer
                                                  : MorphKind::target;
        part.morphs[m].joint = humanoid.skeleton.find(text(entry, "bone"));
      }
    }
  }
}

}  // namespace vesalius::openmaterial
