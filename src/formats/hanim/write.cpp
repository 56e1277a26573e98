// A humanoid as X3D or VRML.
#include <algorithm>
#include <cmath>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/metadata.hpp"
#include "formats/hanim/writing.hpp"
#include "foundation/numbers.hpp"

namespace vesalius {
namespace hanim {
namespace {

/// The info key for a key of the model.
std::string info_key(const std::string& key) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {{"author", "authorName"},
                                                                     {"author_email", "authorEmail"},
                                                                     {"creation_date", "creationDate"},
                                                                     {"licence", "usageRestrictions"},
                                                                     {"humanoid_version", "humanoidVersion"}};
  for (const auto& [ours, theirs] : names) {
    if (key == ours) return std::string(theirs);
  }
  return key;
}

class Writer {
 public:
  Writer(const Humanoid& humanoid, const Profile& profile, const HanimWriteOptions& options, Diagnostics& sink)
      : w_(humanoid, profile, options, sink), h_(humanoid) {}

  std::string run() {
    names();
    w_.skin = weld(h_);
    x3d::OutScene& scene = w_.scene;
    const Form& form = w_.form;
    scene.version = form.x3d_version;
    if (form.version_2_fields) {
      scene.components = {{"HAnim", 2}, {"Shape", 2}};
    } else {
      scene.components = {{"H-Anim", 1}};
    }
    if (form.prototypes) scene.prototypes = form.skin ? prototypes_200x() : prototypes_1_1();
    scene.meta.emplace_back("title", h_.name.empty() ? "humanoid" : h_.name);
    for (const auto& [key, name] : {std::pair{"author", "creator"}, {"copyright", "rights"}, {"description", "description"}}) {
      if (const auto found = h_.metadata.find(key); found != h_.metadata.end()) {
        for (const std::string& value : found->second) scene.meta.emplace_back(name, value);
      }
    }
    viewpoint();
    humanoid();
    w_.write_motion();
    if (!form.metadata_nodes) kept_in_world_info();
    report_losses();
    if (form.encoding == Encoding::x3d_json) return to_x3d_json(std::move(scene));
    if (form.encoding == Encoding::x3d_xml) return to_x3d_xml(std::move(scene));
    return to_vrml(std::move(scene), form.vrml97());
  }

 private:
  void report_losses() {
    if (!h_.poses.empty()) {
      w_.sink.note(codes::hanim_dropped_node, std::to_string(h_.poses.size()) + " poses of the source, such as '" + h_.poses.front().name +
                                                  "', have no place in this file; they were left out");
    }
  }

  void names() {
    w_.humanoid_def = w_.defs.make(h_.name.empty() ? "Humanoid" : h_.name);
    for (const Joint& joint : h_.skeleton.joints()) {
      const ProfileJoint* known = w_.profile.find(joint.name);
      w_.joint_names.push_back(known != nullptr ? w_.profile.name_in_version(*known, w_.options.names) : joint.name);
      w_.joint_defs.push_back(w_.defs.make("hanim_" + w_.joint_names.back()));
    }
    segments_ = h_.segments;
    std::set<std::string> listed;
    for (const Segment& segment : segments_) listed.insert(segment.name);
    for (const Part& part : h_.parts) {
      // A rigid part needs the segment that it was.
      if (part.segment.empty() || part.influences.items.empty() || !listed.insert(part.segment).second) continue;
      Segment segment;
      segment.name = part.segment;
      segment.joint = part.influences.items.front().joint;
      segments_.push_back(std::move(segment));
    }
    index_joints();
    for (const Segment& segment : segments_) w_.segment_defs.push_back(w_.defs.make("hanim_" + segment.name));
    for (const Site& site : h_.sites) w_.site_defs.push_back(w_.defs.make("hanim_" + site.name));
  }

  /// What hangs on each joint, so that a figure of many joints is written in the time of its size.
  void index_joints() {
    below_.resize(h_.skeleton.size());
    const auto joints = h_.skeleton.joints();
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].parent != JointIndex::none) below_[index(joints[j].parent)].joints.push_back(j);
    }
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (segments_[s].joint == JointIndex::none) continue;
      below_[index(segments_[s].joint)].segments.push_back(s);
      segment_names_.emplace(segments_[s].name, segments_[s].joint);
    }
    for (std::size_t s = 0; s < h_.sites.size(); ++s) {
      if (h_.sites[s].joint != JointIndex::none) below_[index(h_.sites[s].joint)].sites.push_back(s);
    }
    for (std::size_t p = 0; p < h_.parts.size(); ++p) {
      const Part& part = h_.parts[p];
      if (!part.segment.empty() && !part.influences.items.empty()) below_[index(part.influences.items.front().joint)].parts.push_back(p);
    }
  }
  [[nodiscard]] bool is_segment(const std::pair<std::string, JointIndex>& name) const { return segment_names_.contains(name); }

  /// A camera that sees the whole figure from the front.
  void viewpoint() {
    Eigen::AlignedBox3d box = bounding_box(h_.parts);
    for (const Joint& joint : h_.skeleton.joints()) box.extend(joint.rest.place);
    if (box.isEmpty()) return;
    const Vec3 centre = box.center();
    const double distance = 1.4 * std::max(0.1, box.sizes().maxCoeff()) + box.sizes().z() / 2;
    auto& out = w_.out;
    out.open("Viewpoint").string("description", "front").vector("position", Vec3(centre.x(), centre.y(), centre.z() + distance));
    if (!w_.form.vrml97()) out.vector("centerOfRotation", centre);
    out.close();
  }

  void humanoid() {
    auto& out = w_.out;
    const Form& form = w_.form;
    w_.open("HAnimHumanoid")
        .def(w_.humanoid_def)
        .string("name", h_.name.empty() ? "humanoid" : h_.name)
        .string("version", form.hanim_version);
    if (form.version_2_fields) {
      int loa = -1;
      for (const Joint& joint : h_.skeleton.joints()) {
        const ProfileJoint* known = w_.profile.find(joint.name);
        if (known != nullptr) loa = std::max(loa, known->lowest_loa);
      }
      out.integer("loa", loa);
    }
    std::vector<std::string> info;
    for (const auto& [key, values] : h_.metadata) {
      for (const std::string& value : values) info.push_back(key == "info" ? value : info_key(key) + "=" + value);
    }
    if (!info.empty()) out.strings("info", info);
    if (form.metadata_nodes) metadata();
    for (std::size_t j = 0; j < h_.skeleton.size(); ++j) {
      if (h_.skeleton.joints()[j].parent == JointIndex::none) joints_from(j);
    }
    for (std::size_t s = 0; s < h_.sites.size(); ++s) {
      if (h_.sites[s].joint == JointIndex::none) write_site(s, "viewpoints");
    }
    for (const std::string& def : w_.joint_defs) w_.use("HAnimJoint", def, "joints");
    for (const std::string& def : w_.segment_defs) w_.use("HAnimSegment", def, "segments");
    for (std::size_t s = 0; s < h_.sites.size(); ++s) {
      if (h_.sites[s].joint != JointIndex::none) w_.use("HAnimSite", w_.site_defs[s], "sites");
    }
    if (!w_.skin.points.empty()) {
      const std::string coord = w_.defs.make(w_.humanoid_def + "_skin_coord");
      out.open("Coordinate", "skinCoord").def(coord);
      out.list("point", [&](auto append) {
        for (const auto& p : w_.skin.points) {
          for (const float f : p) append(f);
        }
      });
      out.close();
      for (std::size_t p = 0; p < h_.parts.size(); ++p) {
        if (!h_.parts[p].segment.empty()) continue;
        out.open("Group", "skin").def(w_.defs.make(h_.parts[p].name));
        w_.write_shapes(p, coord);
        out.close();
      }
    }
    out.close();
  }

  /// Name and text of everything that H-Anim has no field for.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> kept_texts() const {
    std::vector<std::pair<std::string, std::string>> texts;
    if (!w_.options.extras) return texts;
    if (h_.kept) texts.emplace_back(kept_name, to_json(*h_.kept));
    for (const auto& [key, block] : h_.asset_blocks) texts.emplace_back("xoma:" + key, block);
    return texts;
  }

  void metadata() {
    const auto texts = kept_texts();
    if (texts.empty()) return;
    auto& out = w_.out;
    out.open("MetadataSet", "metadata").string("name", asset_name).string("reference", kept_name);
    for (const auto& [name, text] : texts) {
      const std::vector<std::string> values{text};
      out.open("MetadataString", "value").string("name", name).strings("value", values).close();
    }
    out.close();
  }

  /// VRML97 has no metadata nodes: the texts stand in a WorldInfo of that title, name before the first '='.
  void kept_in_world_info() {
    std::vector<std::string> lines;
    for (const auto& [name, text] : kept_texts()) lines.push_back(name + "=" + text);
    if (!lines.empty()) w_.out.open("WorldInfo").string("title", kept_name).strings("info", lines).close();
  }

  /// The joint with everything below it, without recursion: joints deeper than a call stack stays safe.
  void joints_from(std::size_t root) {
    struct Step {
      std::size_t joint;
      bool entered;
    };
    std::vector<Step> stack{{root, false}};
    while (!stack.empty()) {
      Step& step = stack.back();
      if (step.entered) {
        w_.out.close();
        stack.pop_back();
        continue;
      }
      step.entered = true;
      const std::size_t j = step.joint;
      open_joint(j);
      const auto& children = below_[j].joints;
      for (auto it = children.rbegin(); it != children.rend(); ++it) stack.push_back({*it, false});
    }
  }

  /// Three numbers in a list field.
  void triple(std::string_view name, const Vec3& v) {
    w_.out.list(name, [&](auto append) {
      for (int k = 0; k < 3; ++k) append(v[k]);
    });
  }

  void open_joint(std::size_t j) {
    auto& out = w_.out;
    const Joint& joint = h_.skeleton.joints()[j];
    const std::string_view field = joint.parent == JointIndex::none ? w_.form.body_field() : std::string_view("children");
    w_.open("HAnimJoint", field).def(w_.joint_defs[j]).string("name", w_.joint_names[j]).vector("center", joint.rest.place);
    if (joint.limits) {
      triple("llimit", joint.limits->lower_rad);
      triple("ulimit", joint.limits->upper_rad);
      if (angle_between_rad(joint.limits->frame, Quat::Identity()) > 1e-9) out.rotation("limitOrientation", joint.limits->frame);
    }
    if (joint.stiffness) triple("stiffness", *joint.stiffness);
    write_weights(j);
    for (const std::size_t s : below_[j].segments) segment(s);
    for (const std::size_t s : below_[j].sites) {
      if (!is_segment({h_.sites[s].segment, h_.sites[s].joint})) write_site(s);
    }
    w_.write_displacers(joint_index(j));
  }

  void write_weights(std::size_t j) {
    if (by_joint_.empty()) {
      by_joint_.resize(h_.skeleton.size());
      for (std::size_t p = 0; p < w_.skin.source.size(); ++p) {
        const auto [part, vertex] = w_.skin.source[p];
        for (const Influence& influence : h_.parts[part].influences.of(vertex)) {
          if (influence.weight != 0)
            by_joint_[index(influence.joint)].emplace_back(static_cast<std::uint32_t>(p), static_cast<float>(influence.weight));
        }
      }
    }
    if (by_joint_[j].empty()) return;
    w_.out.list("skinCoordIndex", [&](auto append) {
      for (const auto& [point, weight] : by_joint_[j]) append(static_cast<long long>(point));
    });
    w_.out.list("skinCoordWeight", [&](auto append) {
      for (const auto& [point, weight] : by_joint_[j]) append(weight);
    });
  }

  void segment(std::size_t s) {
    auto& out = w_.out;
    const Segment& segment = segments_[s];
    w_.open("HAnimSegment", "children").def(w_.segment_defs[s]).string("name", segment.name);
    if (segment.mass_kg > 0) out.number("mass", segment.mass_kg);
    if (segment.centre_of_mass) out.vector("centerOfMass", *segment.centre_of_mass);
    if (segment.moments_of_inertia) {
      out.list("momentsOfInertia", [&](auto append) {
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) append((*segment.moments_of_inertia)(r, c));
        }
      });
    }
    const std::size_t joint = index(segment.joint);
    for (const std::size_t i : below_[joint].sites) {
      if (h_.sites[i].segment == segment.name) write_site(i);
    }
    for (const std::size_t p : below_[joint].parts) {
      if (h_.parts[p].segment == segment.name) w_.write_shapes(p, {});
    }
    out.close();
  }

  void write_site(std::size_t s, std::string_view field = "children") {
    const Site& site = h_.sites[s];
    w_.open("HAnimSite", field).def(w_.site_defs[s]).string("name", site.name).vector("translation", site.rest.place);
    if (angle_between_rad(site.rest.turn, Quat::Identity()) > 1e-9) w_.out.rotation("rotation", site.rest.turn);
    if (!site.scale.isOnes(1e-9)) w_.out.vector("scale", site.scale);
    w_.out.close();
  }

  Writing w_;
  const Humanoid& h_;
  std::vector<Segment> segments_;
  struct Below {
    std::vector<std::size_t> joints, segments, sites, parts;
  };
  std::vector<Below> below_;  ///< per joint
  std::set<std::pair<std::string, JointIndex>> segment_names_;
  std::vector<std::vector<std::pair<std::uint32_t, float>>> by_joint_;
};

}  // namespace

}  // namespace hanim

Result<std::string> hanim_to_x3d(const Humanoid& humanoid, const MappingTables& tables, const HanimWriteOptions& options) {
  Diagnostics sink;
  const Profile* profile = tables.profile(humanoid.profile);
  if (profile == nullptr || profile->has_bone_axes) {
    sink.error(codes::hanim_wrong_profile,
               "a humanoid of profile '" + humanoid.profile + "' cannot be written as H-Anim; convert it first");
    return {std::nullopt, std::move(sink)};
  }
  // Only a part that moves with one joint, the one its segment hangs on, can be a segment's geometry; any other belongs to the skin.
  Humanoid changed;
  const Humanoid* written = &humanoid;
  if (!std::ranges::all_of(humanoid.parts, [&](const Part& part) { return part.segment.empty() || hanim::is_rigid(part, humanoid); })) {
    changed = humanoid;
    for (Part& part : changed.parts) {
      if (!part.segment.empty() && !hanim::is_rigid(part, humanoid)) part.segment.clear();
    }
    written = &changed;
  }
  if (!hanim::form_of(options).skin) {
    changed = hanim::with_rigid_segments(*written, *profile, sink);
    written = &changed;
  }
  return {hanim::Writer(*written, *profile, options, sink).run(), std::move(sink)};
}

}  // namespace vesalius
