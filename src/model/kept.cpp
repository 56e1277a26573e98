#include "vesalius/kept.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/codes.hpp"

namespace vesalius {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_depth = 32;

Json to_json(const Vec3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}
Json to_json(const Quat& q) {
  return Json::array({q.x(), q.y(), q.z(), q.w()});
}

/// Reads fields and remembers the first fault.
class Reader {
 public:
  explicit Reader(Diagnostics& sink) : sink_(sink) {}

  void fault(const std::string& pointer, const std::string& expected) {
    sink_.error(codes::model_bad_kept, "kept data are damaged; expected " + expected, {{}, 0, 0, pointer});
  }
  bool numbers(const Json& json, std::size_t count, double* out, const std::string& pointer) {
    if (!json.is_array() || json.size() != count) {
      fault(pointer, std::to_string(count) + " numbers");
      return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!json[i].is_number() || !std::isfinite(json[i].get<double>())) {
        fault(pointer + "/" + std::to_string(i), "a number");
        return false;
      }
      out[i] = json[i].get<double>();
    }
    return true;
  }
  void vector(const Json& object, const char* key, Vec3& out, const std::string& pointer) {
    if (const auto it = object.find(key); it != object.end()) numbers(*it, 3, out.data(), pointer + "/" + key);
  }
  void turn(const Json& object, const char* key, Quat& out, const std::string& pointer) {
    const auto it = object.find(key);
    if (it == object.end()) return;
    Eigen::Vector4d q;
    if (!numbers(*it, 4, q.data(), pointer + "/" + key)) return;
    if (q.norm() < 1e-3) {
      fault(pointer + "/" + key, "a unit quaternion");
      return;
    }
    out.coeffs() = q.normalized();
  }
  void text(const Json& object, const char* key, std::string& out, const std::string& pointer) {
    const auto it = object.find(key);
    if (it == object.end()) return;
    if (!it->is_string()) return fault(pointer + "/" + key, "a string");
    out = it->get<std::string>();
  }
  const Json* list(const Json& object, const char* key, const std::string& pointer) {
    const auto it = object.find(key);
    if (it == object.end()) return nullptr;
    if (!it->is_array()) {
      fault(pointer + "/" + key, "a list");
      return nullptr;
    }
    for (std::size_t i = 0; i < it->size(); ++i) {
      if (!(*it)[i].is_object()) {
        fault(pointer + "/" + key + "/" + std::to_string(i), "an object");
        return nullptr;
      }
    }
    return &*it;
  }

 private:
  Diagnostics& sink_;
};

bool too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most_depth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

std::string to_json(const Kept& kept) {
  Json json;
  json["version"] = 1;
  json["profile"] = kept.profile;
  if (!kept.hanim_version.empty()) json["names"] = kept.hanim_version;
  if (kept.loa) json["loa"] = *kept.loa;
  if (!kept.shift.isZero(0)) json["shift"] = to_json(kept.shift);
  Json& joints = json["joints"] = Json::array();
  for (const KeptJoint& joint : kept.joints) {
    Json entry;
    entry["name"] = joint.name;
    if (joint.source_name != joint.name) entry["source"] = joint.source_name;
    if (!joint.parent.empty()) entry["parent"] = joint.parent;
    if (!joint.bone.empty()) entry["bone"] = joint.bone;
    if (!joint.place_in_bone.isZero(0)) entry["place"] = to_json(joint.place_in_bone);
    if (joint.turn_in_bone.coeffs() != Quat::Identity().coeffs()) entry["turn"] = to_json(joint.turn_in_bone);
    if (joint.limits) {
      entry["lower"] = to_json(joint.limits->lower_rad);
      entry["upper"] = to_json(joint.limits->upper_rad);
      if (joint.limits->frame.coeffs() != Quat::Identity().coeffs()) entry["limitFrame"] = to_json(joint.limits->frame);
    }
    if (joint.stiffness) entry["stiffness"] = to_json(*joint.stiffness);
    joints.push_back(std::move(entry));
  }
  if (!kept.rest_turns.empty()) {
    Json& turns = json["restTurns"] = Json::array();
    for (const KeptTurn& turn : kept.rest_turns) turns.push_back({{"bone", turn.bone}, {"turn", to_json(turn.turn)}});
  }
  if (!kept.owners.empty()) {
    Json& owners = json["owners"] = Json::array();
    for (const KeptOwner& owner : kept.owners) owners.push_back({{"kind", owner.kind}, {"name", owner.name}, {"joint", owner.joint}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Kept> kept_from_json(std::string_view text) {
  Diagnostics sink;
  Reader read(sink);
  const Json json = too_deep(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    read.fault("", "a JSON object");
    return {std::nullopt, std::move(sink)};
  }
  Kept kept;
  read.text(json, "profile", kept.profile, "");
  read.text(json, "names", kept.hanim_version, "");
  if (const auto loa = json.find("loa"); loa != json.end()) {
    if (loa->is_number_integer()) {
      kept.loa = loa->get<int>();
    } else {
      read.fault("/loa", "an integer");
    }
  }
  read.vector(json, "shift", kept.shift, "");
  if (const Json* joints = read.list(json, "joints", "")) {
    for (std::size_t i = 0; i < joints->size(); ++i) {
      const Json& entry = (*joints)[i];
      const std::string pointer = "/joints/" + std::to_string(i);
      KeptJoint joint;
      read.text(entry, "name", joint.name, pointer);
      joint.source_name = joint.name;
      read.text(entry, "source", joint.source_name, pointer);
      read.text(entry, "parent", joint.parent, pointer);
      read.text(entry, "bone", joint.bone, pointer);
      read.vector(entry, "place", joint.place_in_bone, pointer);
      read.turn(entry, "turn", joint.turn_in_bone, pointer);
      if (entry.contains("lower") || entry.contains("upper")) {
        JointLimits limits;
        read.vector(entry, "lower", limits.lower_rad, pointer);
        read.vector(entry, "upper", limits.upper_rad, pointer);
        read.turn(entry, "limitFrame", limits.frame, pointer);
        joint.limits = limits;
      }
      if (entry.contains("stiffness")) {
        Vec3 stiffness = Vec3::Zero();
        read.vector(entry, "stiffness", stiffness, pointer);
        joint.stiffness = stiffness;
      }
      if (joint.name.empty()) read.fault(pointer + "/name", "a name");
      kept.joints.push_back(std::move(joint));
    }
  }
  if (const Json* turns = read.list(json, "restTurns", "")) {
    for (std::size_t i = 0; i < turns->size(); ++i) {
      KeptTurn turn;
      read.text((*turns)[i], "bone", turn.bone, "/restTurns/" + std::to_string(i));
      read.turn((*turns)[i], "turn", turn.turn, "/restTurns/" + std::to_string(i));
      kept.rest_turns.push_back(std::move(turn));
    }
  }
  if (const Json* owners = read.list(json, "owners", "")) {
    for (std::size_t i = 0; i < owners->size(); ++i) {
      const std::string pointer = "/owners/" + std::to_string(i);
      KeptOwner owner;
      read.text((*owners)[i], "kind", owner.kind, pointer);
      read.text((*owners)[i], "name", owner.name, pointer);
      read.text((*owners)[i], "joint", owner.joint, pointer);
      kept.owners.push_back(std::move(owner));
    }
  }
  if (sink.has_errors()) return {std::nullopt, std::move(sink)};
  return {std::move(kept), std::move(sink)};
}

}  // namespace vesalius
