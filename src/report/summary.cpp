#include <algorithm>
#include <map>

#include "vesalius/report.hpp"

namespace vesalius {

namespace {

Counts counts_of(const Humanoid& humanoid) {
  Counts counts;
  counts.joints = humanoid.skeleton.size();
  counts.segments = humanoid.segments.size();
  counts.sites = humanoid.sites.size();
  counts.parts = humanoid.parts.size();
  counts.materials = humanoid.materials.size();
  counts.textures = humanoid.textures.size();
  counts.clips = humanoid.clips.size();
  counts.poses = humanoid.poses.size();
  for (const Part& part : humanoid.parts) {
    counts.vertices += part.positions.size();
    // Point numbers are dense, but nothing here depends on it.
    if (part.points.empty()) {
      counts.points += part.positions.size();
    } else {
      std::vector<std::uint32_t> points = part.points;
      std::ranges::sort(points);
      counts.points += static_cast<std::size_t>(std::unique(points.begin(), points.end()) - points.begin());
    }
    for (const Surface& surface : part.surfaces) counts.triangles += surface.triangles.size();
    counts.influences += part.influences.items.size();
    for (std::size_t v = 0; v < part.influences.vertices(); ++v) {
      counts.most_influences = std::max(counts.most_influences, part.influences.of(v).size());
    }
    counts.morphs += part.morphs.size();
  }
  return counts;
}

Articulation articulation_of(const Humanoid& humanoid, const Profile& profile) {
  const bool first_version = humanoid.source.hanim_version == "1";
  const auto level_of = [&](const ProfileJoint& joint) { return first_version ? joint.lowest_loa_v1 : joint.lowest_loa; };
  std::map<int, LevelCount> own;  // joints that a level adds
  for (const ProfileJoint& joint : profile.joints) {
    const int level = level_of(joint);
    if (level < 0) continue;
    LevelCount& count = own[level];
    ++count.expected;
    if (humanoid.skeleton.find(joint.name) != JointIndex::none) ++count.present;
  }
  Articulation articulation;
  if (own.size() < 2) return articulation;
  LevelCount sum;
  for (const auto& [level, count] : own) {
    if (count.present > 0) articulation.partial = level;
    sum.level = level;
    sum.present += count.present;
    sum.expected += count.expected;
    articulation.levels.push_back(sum);
    if (sum.present == sum.expected) articulation.complete = level;
  }
  return articulation;
}

}  // namespace

std::string_view library_version() noexcept {
  return VESALIUS_VERSION;
}

Summary summarise(const Humanoid& humanoid, const MappingTables& tables) {
  Summary summary;
  summary.name = humanoid.name;
  summary.profile = humanoid.profile;
  summary.source = humanoid.source;
  summary.counts = counts_of(humanoid);
  if (const Profile* profile = tables.profile(humanoid.profile)) {
    summary.articulation = articulation_of(humanoid, *profile);
    summary.coverage = coverage(humanoid.skeleton, *profile);
  }
  summary.box = bounding_box(humanoid.parts);
  if (summary.box.isEmpty()) {
    summary.height_from_joints = true;
    for (const Joint& joint : humanoid.skeleton.joints()) summary.box.extend(joint.rest.place);
  }
  if (!summary.box.isEmpty()) summary.height_m = summary.box.sizes().y();
  return summary;
}

}  // namespace vesalius
