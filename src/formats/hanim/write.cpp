// A humanoid as X3D 4.0 XML.
#include <algorithm>
#include <cmath>

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

/// Whether every vertex moves wholly with one joint, and the part's segment (if the humanoid lists it) hangs on that joint.
bool is_rigid(const Part& part, const Humanoid& humanoid) {
  if (part.influences.items.empty() || part.influences.items.size() != part.positions.size()) return false;
  const JointIndex joint = part.influences.items.front().joint;
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    const auto items = part.influences.of(v);
    if (items.size() != 1 || items[0].joint != joint || std::abs(items[0].weight - 1) > 1e-6) return false;
  }
  const auto segment = std::ranges::find(humanoid.segments, part.segment, &Segment::name);
  return segment == humanoid.segments.end() || segment->joint == joint;
}

class Writer {
 public:
  Writer(const Humanoid& humanoid, const Profile& profile, const HanimWriteOptions& options, Diagnostics& sink)
      : w_{humanoid, profile, options, sink, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}, h_(humanoid) {}

  std::string run() {
    names();
    w_.skin = weld(h_);
    auto& xml = w_.xml;
    xml.raw_line("<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D 4.0//EN\" \"https://www.web3d.org/specifications/x3d-4.0.dtd\">");
    xml.open("X3D").attribute("profile", "Immersive").attribute("version", "4.0");
    xml.attribute("xmlns:xsd", "http://www.w3.org/2001/XMLSchema-instance");
    xml.attribute("xsd:noNamespaceSchemaLocation", "https://www.web3d.org/specifications/x3d-4.0.xsd");
    xml.open("head");
    xml.open("component").attribute("name", "HAnim").attribute("level", h_.clips.empty() ? "2" : "3").close();
    xml.open("component").attribute("name", "Shape").attribute("level", "2").close();
    meta("title", h_.name.empty() ? "humanoid" : h_.name);
    for (const auto& [key, name] : {std::pair{"author", "creator"}, {"copyright", "rights"}, {"description", "description"}}) {
      if (const auto found = h_.metadata.find(key); found != h_.metadata.end()) {
        for (const std::string& value : found->second) meta(name, value);
      }
    }
    xml.close();
    xml.open("Scene");
    viewpoint();
    humanoid();
    w_.write_motion();
    xml.close();
    xml.close();
    return xml.take();
  }

 private:
  void meta(std::string_view name, std::string_view content) {
    w_.xml.open("meta").attribute("name", name).attribute("content", content).close();
  }

  void names() {
    w_.humanoid_def = w_.defs.make(h_.name.empty() ? "Humanoid" : h_.name);
    for (const Joint& joint : h_.skeleton.joints()) {
      const ProfileJoint* known = w_.profile.find(joint.name);
      w_.joint_names.push_back(known != nullptr ? w_.profile.name_in_version(*known, w_.options.names) : joint.name);
      w_.joint_defs.push_back(w_.defs.make("hanim_" + w_.joint_names.back()));
    }
    segments_ = h_.segments;
    for (const Part& part : h_.parts) {
      // A rigid part needs the segment that it was.
      if (part.segment.empty() || part.influences.items.empty() ||
          std::ranges::find(segments_, part.segment, &Segment::name) != segments_.end())
        continue;
      Segment segment;
      segment.name = part.segment;
      segment.joint = part.influences.items.front().joint;
      segments_.push_back(std::move(segment));
    }
    for (const Segment& segment : segments_) w_.segment_defs.push_back(w_.defs.make("hanim_" + segment.name));
    for (const Site& site : h_.sites) w_.site_defs.push_back(w_.defs.make("hanim_" + site.name));
  }

  /// A camera that sees the whole figure from the front.
  void viewpoint() {
    Eigen::AlignedBox3d box = bounding_box(h_.parts);
    for (const Joint& joint : h_.skeleton.joints()) box.extend(joint.rest.place);
    if (box.isEmpty()) return;
    const Vec3 centre = box.center();
    const double distance = 1.4 * std::max(0.1, box.sizes().maxCoeff()) + box.sizes().z() / 2;
    w_.xml.open("Viewpoint")
        .attribute("description", "front")
        .vector("position", Vec3(centre.x(), centre.y(), centre.z() + distance))
        .vector("centerOfRotation", centre)
        .close();
  }

  void humanoid() {
    auto& xml = w_.xml;
    xml.open("HAnimHumanoid")
        .attribute("DEF", w_.humanoid_def)
        .attribute("name", h_.name.empty() ? "humanoid" : h_.name)
        .attribute("version", "2.0");
    int loa = -1;
    for (const Joint& joint : h_.skeleton.joints()) {
      const ProfileJoint* known = w_.profile.find(joint.name);
      if (known != nullptr) loa = std::max(loa, known->lowest_loa);
    }
    xml.integer("loa", loa);
    std::vector<std::string> info;
    for (const auto& [key, values] : h_.metadata) {
      for (const std::string& value : values) info.push_back(info_key(key) + "=" + value);
    }
    if (!info.empty()) xml.strings("info", info);
    metadata();
    for (std::size_t j = 0; j < h_.skeleton.size(); ++j) {
      if (h_.skeleton.joints()[j].parent == JointIndex::none) joints_from(j);
    }
    const auto uses = [&](std::string_view element, std::string_view field, const std::vector<std::string>& list) {
      for (const std::string& def : list) xml.open(element).attribute("USE", def).attribute("containerField", field).close();
    };
    for (std::size_t s = 0; s < h_.sites.size(); ++s) {
      if (h_.sites[s].joint == JointIndex::none) write_site(s, "viewpoints");
    }
    uses("HAnimJoint", "joints", w_.joint_defs);
    uses("HAnimSegment", "segments", w_.segment_defs);
    std::vector<std::string> moving;
    for (std::size_t s = 0; s < h_.sites.size(); ++s) {
      if (h_.sites[s].joint != JointIndex::none) moving.push_back(w_.site_defs[s]);
    }
    uses("HAnimSite", "sites", moving);
    if (!w_.skin.points.empty()) {
      const std::string coord = w_.defs.make(w_.humanoid_def + "_skin_coord");
      xml.open("Coordinate").attribute("DEF", coord).attribute("containerField", "skinCoord");
      xml.list("point", [&](auto append) {
        for (const auto& p : w_.skin.points) {
          for (const float f : p) append(f);
        }
      });
      xml.close();
      for (std::size_t p = 0; p < h_.parts.size(); ++p) {
        if (!h_.parts[p].segment.empty()) continue;
        xml.open("Group").attribute("DEF", w_.defs.make(h_.parts[p].name)).attribute("containerField", "skin");
        w_.write_shapes(p, coord);
        xml.close();
      }
    }
    xml.close();
  }

  void metadata() {
    auto& xml = w_.xml;
    const bool kept = w_.options.extras && h_.kept.has_value();
    const bool blocks = w_.options.extras && !h_.asset_blocks.empty();
    if (!kept && !blocks) return;
    xml.open("MetadataSet").attribute("name", asset_name).attribute("reference", "vesalius").attribute("containerField", "metadata");
    const auto text = [&](std::string_view name, const std::string& value) {
      const std::vector<std::string> values{value};
      xml.open("MetadataString").attribute("name", name).attribute("containerField", "value").strings("value", values).close();
    };
    if (kept) text(kept_name, to_json(*h_.kept));
    if (blocks) {
      for (const auto& [key, block] : h_.asset_blocks) text("xoma:" + key, block);
    }
    xml.close();
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
        w_.xml.close();
        stack.pop_back();
        continue;
      }
      step.entered = true;
      const std::size_t j = step.joint;
      open_joint(j);
      const auto children = h_.skeleton.children(joint_index(j));
      for (auto it = children.rbegin(); it != children.rend(); ++it) stack.push_back({index(*it), false});
    }
  }

  void open_joint(std::size_t j) {
    auto& xml = w_.xml;
    const Joint& joint = h_.skeleton.joints()[j];
    xml.open("HAnimJoint").attribute("DEF", w_.joint_defs[j]).attribute("name", w_.joint_names[j]).vector("center", joint.rest.place);
    if (joint.parent == JointIndex::none) xml.attribute("containerField", "skeleton");
    if (joint.limits) {
      xml.vector("llimit", joint.limits->lower_rad).vector("ulimit", joint.limits->upper_rad);
      const Eigen::AngleAxisd frame(joint.limits->frame);
      if (frame.angle() > 1e-9) {
        xml.list("limitOrientation", [&](auto append) {
          for (int k = 0; k < 3; ++k) append(frame.axis()[k]);
          append(frame.angle());
        });
      }
    }
    if (joint.stiffness) xml.vector("stiffness", *joint.stiffness);
    write_weights(j);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (segments_[s].joint == joint_index(j)) segment(s);
    }
    for (std::size_t s = 0; s < h_.sites.size(); ++s) {
      const Site& site = h_.sites[s];
      const bool in_segment =
          std::ranges::any_of(segments_, [&](const Segment& g) { return g.name == site.segment && g.joint == site.joint; });
      if (!in_segment && site.joint == joint_index(j)) write_site(s);
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
    w_.xml.list("skinCoordIndex", [&](auto append) {
      for (const auto& [point, weight] : by_joint_[j]) append(static_cast<long long>(point));
    });
    w_.xml.list("skinCoordWeight", [&](auto append) {
      for (const auto& [point, weight] : by_joint_[j]) append(weight);
    });
  }

  void segment(std::size_t s) {
    auto& xml = w_.xml;
    const Segment& segment = segments_[s];
    xml.open("HAnimSegment").attribute("DEF", w_.segment_defs[s]).attribute("name", segment.name);
    if (segment.mass_kg > 0) xml.number("mass", segment.mass_kg);
    if (segment.centre_of_mass) xml.vector("centerOfMass", *segment.centre_of_mass);
    if (segment.moments_of_inertia) {
      xml.list("momentsOfInertia", [&](auto append) {
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) append((*segment.moments_of_inertia)(r, c));
        }
      });
    }
    for (std::size_t i = 0; i < h_.sites.size(); ++i) {
      if (h_.sites[i].segment == segment.name && h_.sites[i].joint == segment.joint) write_site(i);
    }
    for (std::size_t p = 0; p < h_.parts.size(); ++p) {
      if (h_.parts[p].segment == segment.name && !h_.parts[p].influences.items.empty() &&
          h_.parts[p].influences.items.front().joint == segment.joint)
        w_.write_shapes(p, {});
    }
    xml.close();
  }

  void write_site(std::size_t s, std::string_view field = {}) {
    const Site& site = h_.sites[s];
    w_.xml.open("HAnimSite").attribute("DEF", w_.site_defs[s]).attribute("name", site.name).vector("translation", site.rest.place);
    const Eigen::AngleAxisd turn(site.rest.turn);
    if (turn.angle() > 1e-9) {
      w_.xml.list("rotation", [&](auto append) {
        for (int k = 0; k < 3; ++k) append(turn.axis()[k]);
        append(turn.angle());
      });
    }
    if (!field.empty()) w_.xml.attribute("containerField", field);
    w_.xml.close();
  }

  Writing w_;
  const Humanoid& h_;
  std::vector<Segment> segments_;
  std::vector<std::vector<std::pair<std::uint32_t, float>>> by_joint_;
};

}  // namespace

void Writing::write_motion() {
  const auto rest = rest_locals(humanoid.skeleton);
  bool first = true;
  for (const Clip& clip : humanoid.clips) {
    if (clip.joints.empty() && clip.morphs.empty()) continue;
    const std::string sensor = defs.make(clip.name.empty() ? "clip" : clip.name);
    const double duration = clip.duration_s > 0 ? clip.duration_s : 1;
    xml.open("TimeSensor").attribute("DEF", sensor).number("cycleInterval", duration);
    // One clip plays when the file is opened; several at once would fight.
    if (clip.loops) xml.boolean("loop", true);
    if (!first) xml.boolean("enabled", false);
    xml.close();
    first = false;
    struct Link {
      std::string from, to, field;
    };
    std::vector<Link> links;
    const auto key = [&](const std::vector<double>& times) {
      xml.list("key", [&](auto append) {
        for (const double t : times) append(std::clamp(t / duration, 0.0, 1.0));
      });
    };
    // A stepped track holds each value until just before the next key.
    const auto expand = [&](const auto& track) {
      auto result = track;
      if (track.interpolation != Interpolation::step) return result;
      result.times_s.clear();
      result.values.clear();
      for (std::size_t i = 0; i < track.times_s.size(); ++i) {
        if (i > 0) {
          result.times_s.push_back(track.times_s[i]);
          result.values.push_back(track.values[i - 1]);
        }
        result.times_s.push_back(track.times_s[i]);
        result.values.push_back(track.values[i]);
      }
      return result;
    };
    for (const JointTracks& joint : clip.joints) {
      const std::string& target = joint_defs[index(joint.joint)];
      const std::string base = sensor + "_" + joint_names[index(joint.joint)];
      if (!joint.rotation.empty()) {
        const auto track = expand(joint.rotation);
        const std::string def = defs.make(base + "_rotation");
        xml.open("OrientationInterpolator").attribute("DEF", def);
        key(track.times_s);
        xml.list("keyValue", [&](auto append) {
          Vec3 last = Vec3::UnitX();
          for (const Quat& q : track.values) {
            // The angle may pass half a turn, so that neighbours keep their axis.
            const double sine = q.vec().norm();
            const Vec3 axis = sine > 1e-12 ? Vec3(q.vec() / sine) : last;
            last = axis;
            for (int k = 0; k < 3; ++k) append(axis[k]);
            append(2 * std::atan2(sine, q.w()));
          }
        });
        xml.close();
        links.push_back({def, target, "rotation"});
      }
      if (!joint.translation.empty()) {
        const auto track = expand(joint.translation);
        const std::string def = defs.make(base + "_translation");
        xml.open("PositionInterpolator").attribute("DEF", def);
        key(track.times_s);
        xml.list("keyValue", [&](auto append) {
          for (const Vec3& v : track.values) {
            for (int k = 0; k < 3; ++k) append(v[k] - rest[index(joint.joint)].translation[k]);
          }
        });
        xml.close();
        links.push_back({def, target, "translation"});
      }
    }
    for (const MorphTrack& morph : clip.morphs) {
      const auto target = morph_defs.find({morph.part, morph.morph});
      if (target == morph_defs.end()) continue;
      const auto track = expand(morph.weight);
      const std::string def = defs.make(sensor + "_" + target->second + "_weight");
      xml.open("ScalarInterpolator").attribute("DEF", def);
      key(track.times_s);
      xml.list("keyValue", [&](auto append) {
        for (const double v : track.values) append(v);
      });
      xml.close();
      links.push_back({def, target->second, "weight"});
    }
    for (const Link& link : links) {
      xml.open("ROUTE")
          .attribute("fromNode", sensor)
          .attribute("fromField", "fraction_changed")
          .attribute("toNode", link.from)
          .attribute("toField", "set_fraction")
          .close();
      xml.open("ROUTE")
          .attribute("fromNode", link.from)
          .attribute("fromField", "value_changed")
          .attribute("toNode", link.to)
          .attribute("toField", "set_" + link.field)
          .close();
    }
  }
}

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
  if (std::ranges::all_of(humanoid.parts, [&](const Part& part) { return part.segment.empty() || hanim::is_rigid(part, humanoid); })) {
    return {hanim::Writer(humanoid, *profile, options, sink).run(), std::move(sink)};
  }
  Humanoid loosened = humanoid;
  for (Part& part : loosened.parts) {
    if (!part.segment.empty() && !hanim::is_rigid(part, humanoid)) part.segment.clear();
  }
  return {hanim::Writer(loosened, *profile, options, sink).run(), std::move(sink)};
}

}  // namespace vesalius
