#include <algorithm>
#include <string>
#include <vector>

#include "foundation/numbers.hpp"
#include "report/json.hpp"
#include "report/words.hpp"
#include "vesalius/report.hpp"

namespace vesalius {

namespace {

using report_detail::Json;

/// Child lists and the order of a walk that visits every joint before its children, children in joint order; without recursion.
struct Tree {
  std::vector<std::size_t> order;
  std::vector<std::size_t> depth;
};

Tree tree_of(const Skeleton& skeleton) {
  Tree tree;
  const std::size_t n = skeleton.size();
  tree.depth.assign(n, 0);
  std::vector<std::vector<std::size_t>> children(n);
  std::vector<std::size_t> stack;
  for (std::size_t i = 0; i < n; ++i) {
    const JointIndex parent = skeleton[joint_index(i)].parent;
    if (parent == JointIndex::none) continue;
    children[index(parent)].push_back(i);
    tree.depth[i] = tree.depth[index(parent)] + 1;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (skeleton[joint_index(i)].parent == JointIndex::none) stack.push_back(i);
  }
  while (!stack.empty()) {
    const std::size_t joint = stack.back();
    stack.pop_back();
    tree.order.push_back(joint);
    stack.insert(stack.end(), children[joint].rbegin(), children[joint].rend());
  }
  return tree;
}

std::size_t columns(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded_right(const std::string& text, std::size_t width) {
  return text + std::string(width > columns(text) ? width - columns(text) : 0, ' ');
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

class TextPage {
 public:
  void fact(const std::string& name, const std::string& value) { text_ += "  " + padded_right(name, 14) + value + "\n"; }
  void heading(const std::string& line) { text_ += "\n" + line + "\n"; }
  void line(const std::string& line) { text_ += "  " + line + "\n"; }
  void title(const std::string& line) { text_ += line + "\n"; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string level_text(const Summary& summary) {
  const Articulation& articulation = summary.articulation;
  std::string text;
  const auto count_of = [&](int level) {
    const auto it = std::ranges::find(articulation.levels, level, &LevelCount::level);
    return std::to_string(it->present) + " of " + std::to_string(it->expected) + " joints";
  };
  if (articulation.complete) text = std::to_string(*articulation.complete) + " complete (" + count_of(*articulation.complete) + ")";
  if (articulation.partial && articulation.partial != articulation.complete) {
    text += (text.empty() ? "" : ", ") + std::to_string(*articulation.partial) + " in part (" + count_of(*articulation.partial) + ")";
  }
  if (text.empty()) text = "none";
  if (summary.source.declared_loa) text += "; declared " + std::to_string(*summary.source.declared_loa);
  return text;
}

void write_facts(TextPage& page, const Summary& summary) {
  const SourceFacts& source = summary.source;
  const bool said = source.encoding.ends_with(source.format_version);  // "VRML97" has its version in its name
  page.fact("format", source.format + (source.encoding.empty() ? "" : ", " + source.encoding) + (said ? "" : " " + source.format_version));
  if (!source.hanim_version.empty() || !source.declared_version.empty()) {
    page.fact("H-Anim", (source.hanim_version.empty() ? "version unknown" : "version " + source.hanim_version + ", from the joint names") +
                            (source.declared_version.empty() ? "" : "; declared " + printable(source.declared_version)));
  }
  page.fact("humanoid", (summary.name.empty() ? "(unnamed)" : printable(summary.name)) + ", names of profile " + summary.profile +
                            (source.humanoids_in_file > 1 ? "; one of " + std::to_string(source.humanoids_in_file) + " in the file" : ""));
  if (!summary.articulation.levels.empty()) page.fact("articulation", "level " + level_text(summary));
  if (!source.facing.empty()) {
    page.fact("axes",
              "faces " + source.facing + ", up " + source.up + (source.scale == 1 ? "" : ", " + number_text(source.scale) + " m per unit"));
  }
  page.fact("height",
            fixed_text(summary.height_m, 3) + " m, of the " + (summary.height_from_joints ? "joints (there is no mesh)" : "mesh"));
  const Counts& counts = summary.counts;
  page.fact("skeleton",
            counted(counts.joints, "joint") + ", " + counted(counts.segments, "segment") + ", " + counted(counts.sites, "site"));
  page.fact("mesh", counted(counts.parts, "part") + ", " + std::to_string(counts.vertices) + " vertices (" + std::to_string(counts.points) +
                        " points), " + counted(counts.triangles, "triangle") + ", up to " + counted(counts.most_influences, "influence") +
                        " per vertex");
  page.fact("looks", counted(counts.materials, "material") + ", " + counted(counts.textures, "texture"));
  page.fact("motion", counted(counts.clips, "clip") + ", " + counted(counts.poses, "pose") + ", " + counted(counts.morphs, "morph") +
                          " (displacers)");
}

std::size_t triangles_of(const Part& part) {
  std::size_t sum = 0;
  for (const Surface& surface : part.surfaces) sum += surface.triangles.size();
  return sum;
}

void write_joints(TextPage& page, const Skeleton& skeleton) {
  if (skeleton.empty()) return;
  // Deep chains are indented up to a limit, so that the columns stay readable and the text stays small.
  constexpr std::size_t most_depth = 30;
  const Tree tree = tree_of(skeleton);
  const auto label = [&](std::size_t i) {
    return std::string(2 * std::min(tree.depth[i], most_depth), ' ') + printable(skeleton[joint_index(i)].name);
  };
  std::size_t width = 0;
  for (const std::size_t i : tree.order) width = std::max(width, columns(label(i)));
  page.heading("joints: centres at rest in metres, x to the body's left, y up, z forward");
  for (const std::size_t i : tree.order) {
    const Joint& joint = skeleton[joint_index(i)];
    std::string line = padded_right(label(i), width);
    for (const double value : {joint.rest.place.x(), joint.rest.place.y(), joint.rest.place.z()}) {
      line += padded_left(fixed_text(value, 4), 10);
    }
    if (!joint.source_name.empty() && joint.source_name != joint.name) line += "  in the file: " + printable(joint.source_name);
    page.line(line);
  }
}

}  // namespace

std::string inspect_text(const Humanoid& humanoid, const MappingTables& tables, std::string_view file) {
  const Summary summary = summarise(humanoid, tables);
  TextPage page;
  page.title(printable(file));
  write_facts(page, summary);
  write_joints(page, humanoid.skeleton);
  if (!summary.source.unknown_names.empty()) {
    page.heading("names not understood");
    for (const std::string& name : summary.source.unknown_names) page.line(printable(name));
  }
  if (!humanoid.parts.empty()) {
    page.heading("parts");
    for (const Part& part : humanoid.parts) {
      std::string line = (part.name.empty() ? "(unnamed)" : printable(part.name)) + ": " + std::to_string(part.positions.size()) +
                         " vertices, " + counted(triangles_of(part), "triangle");
      if (!part.segment.empty()) line += ", segment " + printable(part.segment);
      if (!part.morphs.empty()) line += ", " + counted(part.morphs.size(), "morph");
      page.line(line);
    }
  }
  if (!humanoid.clips.empty()) {
    page.heading("clips");
    for (const Clip& clip : humanoid.clips) {
      page.line((clip.name.empty() ? "(unnamed)" : printable(clip.name)) + ": " + fixed_text(clip.duration_s, 3) + " s" +
                (clip.loops ? ", loops" : "") + ", moves " + counted(clip.joints.size(), "joint") +
                (clip.morphs.empty() ? "" : " and " + counted(clip.morphs.size(), "morph")));
    }
  }
  if (!humanoid.poses.empty()) {
    page.heading("poses");
    for (const NamedPose& pose : humanoid.poses) page.line(pose.name.empty() ? "(unnamed)" : printable(pose.name));
  }
  if (!humanoid.metadata.empty()) {
    page.heading("metadata");
    for (const auto& [key, values] : humanoid.metadata) {
      for (const std::string& value : values) page.line(printable(key) + ": " + printable(value));
    }
  }
  return page.take();
}

std::string inspect_json(const Humanoid& humanoid, const MappingTables& tables, std::string_view file, const Diagnostics& diagnostics) {
  using namespace report_detail;
  Json json{{"inspect_version", 1}, {"file", std::string(file)}};
  json.update(report_detail::to_json(summarise(humanoid, tables)));

  const Skeleton& skeleton = humanoid.skeleton;
  const auto joint_or_null = [&](JointIndex joint) { return joint == JointIndex::none ? Json(nullptr) : Json(skeleton[joint].name); };
  Json joints = Json::array();
  for (const Joint& joint : skeleton.joints()) {
    const Quat& turn = joint.rest.turn;
    joints.push_back({{"name", joint.name},
                      {"source_name", joint.source_name},
                      {"parent", joint_or_null(joint.parent)},
                      {"centre_m", to_json(joint.rest.place)},
                      {"rest_turn_xyzw", Json::array({turn.x(), turn.y(), turn.z(), turn.w()})},
                      {"has_limits", joint.limits.has_value()}});
  }
  json["joints"] = std::move(joints);

  Json segments = Json::array();
  for (const Segment& segment : humanoid.segments) {
    segments.push_back({{"name", segment.name}, {"joint", joint_or_null(segment.joint)}, {"mass_kg", segment.mass_kg}});
  }
  json["segments"] = std::move(segments);

  Json sites = Json::array();
  for (const Site& site : humanoid.sites) {
    sites.push_back(
        {{"name", site.name}, {"joint", joint_or_null(site.joint)}, {"segment", site.segment}, {"place_m", to_json(site.rest.place)}});
  }
  json["sites"] = std::move(sites);

  Json parts = Json::array();
  for (const Part& part : humanoid.parts) {
    Json morphs = Json::array();
    for (const Morph& morph : part.morphs) morphs.push_back(morph.name);
    Json materials = Json::array();
    for (const Surface& surface : part.surfaces) {
      const bool known = surface.material && *surface.material < humanoid.materials.size();
      materials.push_back(known ? Json(humanoid.materials[*surface.material].name) : Json(nullptr));
    }
    parts.push_back({{"name", part.name},
                     {"segment", part.segment},
                     {"vertices", part.positions.size()},
                     {"triangles", triangles_of(part)},
                     {"materials", std::move(materials)},
                     {"morphs", std::move(morphs)}});
  }
  json["parts"] = std::move(parts);

  Json clips = Json::array();
  for (const Clip& clip : humanoid.clips) {
    clips.push_back({{"name", clip.name},
                     {"duration_s", clip.duration_s},
                     {"loops", clip.loops},
                     {"joints", clip.joints.size()},
                     {"morphs", clip.morphs.size()},
                     {"key_times", key_times_s(clip).size()}});
  }
  json["clips"] = std::move(clips);

  Json poses = Json::array();
  for (const NamedPose& pose : humanoid.poses) poses.push_back(pose.name);
  json["poses"] = std::move(poses);
  json["metadata"] = humanoid.metadata;
  json["finding_counts"] = severity_counts(diagnostics);
  json["diagnostics"] = report_detail::to_json(diagnostics);
  return rendered(json);
}

}  // namespace vesalius
