#include <cmath>
#include <map>
#include <set>

#include "foundation/numbers.hpp"
#include "mapping/codes.hpp"
#include "mapping/load.hpp"

namespace vesalius::mapping_detail {
namespace {

/// Numbers of a list attribute; the schema has checked their count and form.
std::vector<double> numbers(const Element& element, std::string_view attribute) {
  std::vector<double> result;
  for (const std::string& word : element.words(attribute)) result.push_back(parse_number(word).value_or(0));
  return result;
}

std::optional<Vec3> vector(const Element& element, std::string_view attribute) {
  if (!element.has(attribute)) return std::nullopt;
  const auto n = numbers(element, attribute);
  return Vec3(n[0], n[1], n[2]);
}

std::vector<Alias> aliases(const Element& element) {
  std::vector<Alias> result;
  for (const Element& child : element.children) result.push_back({child.text("name"), child.text("version")});
  return result;
}

ProfileJoint read_joint(const Element& element, Diagnostics& sink) {
  ProfileJoint joint;
  joint.name = element.text("name");
  joint.parent = element.text("parent");
  joint.side = element.text("side") == "left" ? Side::left : element.text("side") == "right" ? Side::right : Side::middle;
  joint.mirror = element.has("mirror") ? element.text("mirror") : joint.name;
  joint.lowest_loa = parse_integer(element.text("loa")).value_or(0);
  if (element.has("loa1")) joint.lowest_loa_v1 = parse_integer(element.text("loa1")).value_or(-1);
  joint.centre = vector(element, "centre");
  if (element.has("frame")) {
    const auto q = numbers(element, "frame");
    joint.rest_frame = Quat(q[3], q[0], q[1], q[2]);
    if (std::abs(joint.rest_frame.norm() - 1) > 1e-6) {
      sink.error(
          codes::mapping_bad_frame,
          "frame of joint '" + joint.name + "' has length " + number_text(joint.rest_frame.norm()) + "; expected a unit quaternion x y z w",
          element.where);
    }
    joint.rest_frame.normalize();
  }
  joint.rest_direction = vector(element, "direction");
  if (joint.rest_direction) {
    if (std::abs(joint.rest_direction->norm() - 1) > 1e-6) {
      sink.error(codes::mapping_bad_frame,
                 "direction of joint '" + joint.name + "' has length " + number_text(joint.rest_direction->norm()) + "; expected 1",
                 element.where);
    }
    joint.rest_direction->normalize();
  }
  if (element.has("fraction")) joint.fraction = parse_number(element.text("fraction"));
  joint.tip = element.text("tip");
  joint.segment = element.text("segment");
  joint.output_name = element.text("output");
  if (element.has("helpers")) joint.helpers = element.words("helpers");
  joint.aliases = aliases(element);
  return joint;
}

}  // namespace

std::optional<Profile> load_profile(const Element& root, Diagnostics& sink) {
  const std::size_t faults = sink.count(Severity::error);
  Profile profile;
  profile.name = root.text("name");
  profile.title = root.text("title");
  profile.height_m = parse_number(root.text("height")).value_or(0);
  profile.has_bone_axes = root.text("bone-axes") == "true" || root.text("bone-axes") == "1";
  profile.source = root.text("source");
  std::map<std::string, const Element*> joints;  // names and aliases of joints
  std::set<std::string> segments, sites;
  const auto unique = [&](auto& taken, const std::string& name, const char* kind, const Location& where) {
    if (taken.contains(name))
      sink.error(codes::mapping_duplicate, std::string(kind) + " name '" + name + "' occurs twice; names and aliases must be unique",
                 where);
  };
  const auto need_joint = [&](const std::string& name, const Element& element) {
    if (profile.find(name) == nullptr)
      sink.error(codes::mapping_unknown_joint, "found joint '" + name + "'; expected a joint of this profile", element.where);
  };
  for (const Element& element : root.children) {
    if (element.name == "joint") {
      ProfileJoint joint = read_joint(element, sink);
      unique(joints, joint.name, "joint", element.where);
      joints.emplace(joint.name, &element);
      for (std::size_t i = 0; i < joint.aliases.size(); ++i) {
        unique(joints, joint.aliases[i].name, "joint", element.children[i].where);
        joints.emplace(joint.aliases[i].name, &element.children[i]);
      }
      if (!joint.parent.empty() && profile.find(joint.parent) == nullptr) {
        sink.error(codes::mapping_parent, "joint '" + joint.name + "' has parent '" + joint.parent + "'; expected a joint listed before it",
                   element.where);
      }
      profile.joints.push_back(std::move(joint));
    } else if (element.name == "segment") {
      ProfileSegment segment{element.text("name"), element.text("joint"), aliases(element)};
      unique(segments, segment.name, "segment", element.where);
      segments.insert(segment.name);
      need_joint(segment.joint, element);
      profile.segments.push_back(std::move(segment));
    } else if (element.name == "site") {
      ProfileSite site{element.text("name"), element.text("segment"), vector(element, "place"), aliases(element)};
      unique(sites, site.name, "site", element.where);
      sites.insert(site.name);
      profile.sites.push_back(std::move(site));
    } else if (element.name == "limb") {
      profile.rest_limbs.push_back(element.words("joints"));
      for (const std::string& joint : profile.rest_limbs.back()) {
        need_joint(joint, element);
        const ProfileJoint* known = profile.find(joint);
        if (known != nullptr && !known->rest_direction) {
          sink.error(codes::mapping_bad_frame, "limb joint '" + joint + "' has no direction; limbs turn between directions", element.where);
        }
      }
    } else if (element.name == "across") {
      profile.across.emplace_back(element.text("right"), element.text("left"));
      need_joint(element.text("right"), element);
      need_joint(element.text("left"), element);
    } else if (element.name == "ahead") {
      profile.ahead.emplace_back(element.text("from"), element.text("to"));
      need_joint(element.text("from"), element);
      need_joint(element.text("to"), element);
    }
  }
  for (const ProfileJoint& joint : profile.joints) {
    const ProfileJoint* partner = profile.find(joint.mirror);
    const bool opposite = partner != nullptr && ((joint.side == Side::middle && partner == &joint) ||
                                                 (joint.side == Side::left && partner->side == Side::right) ||
                                                 (joint.side == Side::right && partner->side == Side::left));
    if (!opposite || partner->mirror != joint.name) {
      sink.error(
          codes::mapping_mirror,
          "joint '" + joint.name + "' has mirror partner '" + joint.mirror + "'; expected a joint of the other side that names it back",
          joints.at(joint.name)->where);
    }
  }
  if (sink.count(Severity::error) > faults) return std::nullopt;
  profile.index_names();
  return profile;
}

}  // namespace vesalius::mapping_detail
