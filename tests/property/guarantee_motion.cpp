// H-Anim motion on an asset: orientations and places at keys and between them; edits; levels.
#include <algorithm>
#include <cmath>
#include <optional>

#include "property/converting.hpp"
#include "property/guarantees.hpp"
#include "property/measure.hpp"
#include "property/random_figure.hpp"

namespace vesalius::test {
namespace {

const std::string keys_line = "H-Anim (levels 0 to 4) to OpenMATERIAL at every key";
const std::string between_line = "between keys, groups of several joints";
const std::string edits_line = "an edit between the two ways arrives";
const std::string levels_line = "levels within H-Anim";

const Mapping& mapping() {
  return *MappingTables::built_in().mapping("hanim-2", "openmaterial");
}

/// The deepest joint of a group whose joints simply multiply, and the joint that places the bone.
struct Driver {
  std::string bone;
  JointIndex deepest = JointIndex::none, first = JointIndex::none;
};
std::vector<Driver> drivers(const Skeleton& skeleton) {
  std::vector<Driver> result;
  for (const BoneGroup& group : mapping().groups) {
    if (group.chains.size() != 1 || group.whole || group.common_ancestor) continue;
    if (std::ranges::any_of(group.shares, [](const auto& s) { return s.second.collapse != 1; })) continue;
    Driver driver;
    driver.bone = group.bone;
    for (const std::string& name : group.chains[0]) {
      const JointIndex joint = skeleton.find(name);
      if (joint == JointIndex::none) continue;
      if (driver.first == JointIndex::none) driver.first = joint;
      driver.deepest = joint;
    }
    if (driver.deepest != JointIndex::none) result.push_back(driver);
  }
  return result;
}

/// The asset's changes from the source's rest pose: the clip's first key is that pose, which need not be the asset's.
struct AssetPose {
  GlobalChange now, at_rest;
  [[nodiscard]] Quat turn(JointIndex bone) const {
    return rotation_of(now.change[index(bone)]) * rotation_of(at_rest.change[index(bone)]).conjugate();
  }
};
AssetPose asset_pose(const Humanoid& asset, double time_s) {
  return {global_change(asset.skeleton, sample(asset.skeleton, asset.clips.at(0), time_s)),
          global_change(asset.skeleton, sample(asset.skeleton, asset.clips.at(0), 0))};
}

void at_keys(GuaranteeTable& table, std::uint32_t seed) {
  Random random(seed + 1000);
  FigureOptions options;
  options.loa = static_cast<int>(seed % 5);
  options.vertices_per_joint = 3;
  Humanoid source = random_figure(random, options);
  add_motion(source, random, 4, 1.2, true, true);
  ConvertOptions coarse;
  coarse.max_angle_error_rad = coarse.max_place_error_m = 10;  // keys only: none are added between them
  coarse.rest = seed % 2 == 0 ? RestPolicy::keep : RestPolicy::canonical;
  const Humanoid asset = converted_to(source, "openmaterial", coarse).humanoid;
  const std::string who = "random figure " + std::to_string(seed) + " of level " + std::to_string(options.loa);
  double turn = 0, place = 0;
  for (int k = 0; k < 4; ++k) {
    const auto now = global_change(source.skeleton, sample(source.skeleton, source.clips[0], k));
    const AssetPose then = asset_pose(asset, k);
    for (const Driver& driver : drivers(source.skeleton)) {
      const JointIndex bone = asset.skeleton.find(driver.bone);
      if (bone == JointIndex::none) continue;
      turn = std::max(turn, angle_between_rad(rotation_of(now.change[index(driver.deepest)]), then.turn(bone)));
    }
    for (const auto& [joint, bone] : {std::pair{"l_hip", "Upper_Leg_Left"}, {"r_hip", "Upper_Leg_Right"}, {"vl5", "Lower_Spine"}}) {
      const JointIndex j = source.skeleton.find(joint), b = asset.skeleton.find(bone);
      if (j == JointIndex::none || b == JointIndex::none) continue;
      const Vec3 here = now.change[index(j)] * source.skeleton[j].rest.place + asset.kept->shift;
      place = std::max(place, (here - then.now.change[index(b)] * asset.skeleton[b].rest.place).norm());
    }
  }
  table.measure(keys_line, "orientation of each group's deepest joint, rad", 1e-5, turn, who);
  table.measure(keys_line, "places of both hips and vl5, m", 1e-5, place, who);
}

/// Only joints that place a bone turn: then every such bone's place is exact, whatever the rest poses are.
void own_joints(GuaranteeTable& table, std::uint32_t seed) {
  Random random(seed + 5000);
  FigureOptions options;
  options.loa = 1 + static_cast<int>(seed % 4);
  options.vertices_per_joint = 3;
  Humanoid source = random_figure(random, options);
  add_motion(source, random, 3, 1.2, true, true);
  const auto list = drivers(source.skeleton);
  std::erase_if(source.clips[0].joints, [&](const JointTracks& tracks) {
    return source.skeleton[tracks.joint].parent != JointIndex::none && std::ranges::find(list, tracks.joint, &Driver::first) == list.end();
  });
  ConvertOptions coarse;
  coarse.max_angle_error_rad = coarse.max_place_error_m = 10;
  coarse.rest = seed % 2 == 0 ? RestPolicy::keep : RestPolicy::canonical;
  const Humanoid asset = converted_to(source, "openmaterial", coarse).humanoid;
  double place = 0;
  std::string worst;
  for (int k = 0; k < 3; ++k) {
    const auto now = global_change(source.skeleton, sample(source.skeleton, source.clips[0], k));
    const AssetPose then = asset_pose(asset, k);
    for (const Driver& driver : list) {
      const JointIndex bone = asset.skeleton.find(driver.bone);
      const Vec3 here = now.change[index(driver.first)] * source.skeleton[driver.first].rest.place + asset.kept->shift;
      const double off = (here - then.now.change[index(bone)] * asset.skeleton[bone].rest.place).norm();
      if (off > place) place = off, worst = driver.bone;
    }
  }
  table.measure(keys_line, "every bone's place when bones' own joints turn, m", 1e-5, place,
                "random figure " + std::to_string(seed) + " of level " + std::to_string(options.loa) + ", " + worst);
}

void between_keys(GuaranteeTable& table, std::uint32_t seed) {
  Random random(seed + 300);
  FigureOptions options;
  options.vertices_per_joint = 3;
  Humanoid source = random_figure(random, options);
  add_motion(source, random, 3, 0.6, true, true);
  ConvertOptions convert_options;
  convert_options.rest = seed % 2 == 0 ? RestPolicy::keep : RestPolicy::canonical;
  const Humanoid asset = converted_to(source, "openmaterial", convert_options).humanoid;
  double turn = 0, place = 0;
  for (double t = 0.03; t < 2; t += 0.07) {
    const auto now = global_change(source.skeleton, sample(source.skeleton, source.clips[0], t));
    const AssetPose then = asset_pose(asset, t);
    for (const Driver& driver : drivers(source.skeleton)) {
      const JointIndex bone = asset.skeleton.find(driver.bone);
      if (bone == JointIndex::none) continue;
      turn = std::max(turn, angle_between_rad(rotation_of(now.change[index(driver.deepest)]), then.turn(bone)));
    }
    // The hip's place is its driver's motion of where it rests: the driver carries both legs.
    const JointIndex hip = asset.skeleton.find("Hip"), root = source.skeleton.find("humanoid_root");
    const JointIndex driver = source.skeleton.common_ancestor(source.skeleton.find("l_hip"), source.skeleton.find("r_hip"));
    const Vec3 here = now.change[index(driver)] * source.skeleton[root].rest.place + asset.kept->shift;
    place = std::max(place, (here - then.now.change[index(hip)] * asset.skeleton[hip].rest.place).norm());
  }
  const std::string who = "random figure " + std::to_string(seed);
  table.measure(between_line, "orientation of each group's deepest joint, rad", 1e-3, turn, who);
  table.measure(between_line, "place of the hip, m", 1e-4, place, who);
}

/// Moves one joint of a figure; the same as an edit in another program.
Humanoid with_moved(Humanoid human, const std::string& name, const Vec3& by, const Quat& turn) {
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end());
  Joint& joint = joints[index(human.skeleton.find(name))];
  joint.rest.place += by;
  joint.rest.turn = (turn * joint.rest.turn).normalized();
  human.skeleton = *Skeleton::create(std::move(joints));
  return human;
}

void edit_asset(GuaranteeTable& table, std::uint32_t seed, bool extras) {
  Random random(seed + 40);
  FigureOptions figure;
  figure.vertices_per_joint = 3;
  const Humanoid source = random_figure(random, figure);
  ConvertOptions options;
  options.extras = extras;
  const Humanoid asset = converted_to(source, "openmaterial", options).humanoid;
  const Vec3 shift = extras ? asset.kept->shift : Vec3(Vec3::Zero());
  const std::string who = "random figure " + std::to_string(seed) + (extras ? ", with extras" : ", without");
  // A bone moved: the joint that stands at its origin.
  const Vec3 by = random.place(0.02);
  for (const auto& [bone, joint] : {std::pair{"Foot_Left", "l_talocrural"}, {"Head", "skullbase"}, {"Lower_Leg_Right", "r_knee"}}) {
    const Humanoid back = converted_to(with_moved(asset, bone, by, Quat::Identity()), "hanim-2", options).humanoid;
    const Vec3 wanted = asset.skeleton[asset.skeleton.find(bone)].rest.place + by - shift;
    table.measure(edits_line, "a moved bone: its joint, m", 1e-5, (back.skeleton[back.skeleton.find(joint)].rest.place - wanted).norm(),
                  who);
  }
  // A bone turned about itself moves nothing but what is kept in its axes.
  {
    const Humanoid turned = converted_to(with_moved(asset, "Hand_Left", Vec3::Zero(), random.turn()), "hanim-2", options).humanoid;
    const Humanoid as_is = converted_to(asset, "hanim-2", options).humanoid;
    for (const char* joint : {"l_radiocarpal", "l_elbow", "l_shoulder"}) {
      const Vec3 here = turned.skeleton[turned.skeleton.find(joint)].rest.place,
                 there = as_is.skeleton[as_is.skeleton.find(joint)].rest.place;
      table.measure(edits_line, "a turned bone: its joint, m", 1e-5, (here - there).norm(), who);
    }
  }
  // Painted weights: everything to one bone arrives at the joints of that bone.
  {
    Humanoid painted = asset;
    Influences all;
    const JointIndex head = painted.skeleton.find("Head");
    for (std::size_t v = 0; v < painted.parts[0].positions.size(); ++v) {
      all.items.push_back({head, 1});
      all.end_vertex();
    }
    painted.parts[0].influences = all;
    const Humanoid back = converted_to(painted, "hanim-2", options).humanoid;
    double off = 0;
    for (std::size_t v = 0; v < back.parts[0].positions.size(); ++v) {
      double sum = 0;
      for (const Influence& influence : back.parts[0].influences.of(v)) {
        const BoneGroup* group = mapping().group_of(back.skeleton[influence.joint].name);
        sum += group != nullptr && group->bone == "Head" ? influence.weight : 0;
      }
      off = std::max(off, std::abs(sum - 1));
    }
    table.measure(edits_line, "painted weights", 1e-6, off, who);
  }
  // A new clip and a new name.
  {
    Humanoid edited = asset;
    edited.clips.clear();
    add_motion(edited, random, 2, 0.8, true, true);
    edited.parts[0].name = "Clothing_Renamed";
    const Humanoid back = converted_to(edited, "hanim-2", options).humanoid;
    table.measure(edits_line, "a renamed part, 0 or 1", 0, back.parts.at(0).name == "Clothing_Renamed" ? 0 : 1, who);
    const auto now = asset_pose(edited, 1);
    const auto there = global_change(back.skeleton, sample(back.skeleton, back.clips.at(0), 1));
    const auto there_rest = global_change(back.skeleton, sample(back.skeleton, back.clips.at(0), 0));
    double turn = 0;
    for (const Driver& driver : drivers(back.skeleton)) {
      const auto j = index(driver.deepest);
      const Quat change = rotation_of(there.change[j]) * rotation_of(there_rest.change[j]).conjugate();
      turn = std::max(turn, angle_between_rad(change, now.turn(edited.skeleton.find(driver.bone))));
    }
    table.measure(edits_line, "a new clip: orientations at its keys, rad", 1e-5, turn, who);
  }
  // The other way: a joint of the figure that an asset became.
  {
    const Humanoid joints = converted_to(asset, "hanim-2", options).humanoid;
    const Humanoid back = converted_to(with_moved(joints, "l_knee", by, Quat::Identity()), "openmaterial", options).humanoid;
    const JointIndex before = joints.skeleton.find("l_knee"), after = back.skeleton.find("Lower_Leg_Left");
    const Vec3 hip = joints.skeleton[joints.skeleton.find("l_hip")].rest.place;
    const Vec3 wanted = joints.skeleton[before].rest.place + by - hip;
    table.measure(edits_line, "a moved joint: its bone, m", 1e-5,
                  (back.skeleton[after].rest.place - back.skeleton[back.skeleton.find("Upper_Leg_Left")].rest.place - wanted).norm(), who);
  }
}

void level_changes(GuaranteeTable& table, std::uint32_t seed) {
  Random random(seed + 900);
  FigureOptions options;
  options.loa = 1 + static_cast<int>(seed % 3);
  options.vertices_per_joint = 4;
  Humanoid low = random_figure(random, options);
  add_motion(low, random, 3, 1.0);
  const std::string who = "random figure " + std::to_string(seed) + " of level " + std::to_string(options.loa);
  ConvertOptions up, down;
  up.loa = 4;
  down.loa = options.loa;
  const Humanoid high = converted_to(low, "hanim-2", up).humanoid;
  const Profile& profile = *MappingTables::built_in().profile("hanim-2");
  std::size_t missing = 0;
  for (const ProfileJoint& joint : profile.joints) missing += high.skeleton.find(joint.name) == JointIndex::none ? 1 : 0;
  table.measure(levels_line, "raised: joints of the level that are not there", 0, static_cast<double>(missing), who);
  // Raised, the figure looks the same in every pose.
  double mesh = 0;
  for (int k = 0; k < 3; ++k) {
    const auto here = skinned_positions(low.parts[0], global_change(low.skeleton, sample(low.skeleton, low.clips[0], k)));
    const auto there = skinned_positions(high.parts[0], global_change(high.skeleton, sample(high.skeleton, high.clips.at(0), k)));
    for (std::size_t v = 0; v < here.size(); ++v) mesh = std::max(mesh, (here[v] - there[v]).norm());
  }
  table.measure(levels_line, "raised: skinned mesh at keys, m", 1e-5, mesh, who);
  const Humanoid again = converted_to(high, "hanim-2", down).humanoid;
  const Difference d = measure(low, again);
  table.measure(levels_line, "raised and lowered: joints lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
  table.measure(levels_line, "raised and lowered: centres, m", 1e-5, d.place_m, who);
  table.measure(levels_line, "raised and lowered: weights", 1e-6, d.weight, who);
  const MotionDifference m = measure_motion(low, again, {0, 1, 2});
  table.measure(levels_line, "raised and lowered: animation at keys, rad", 1e-5, m.turn_rad, who);
  table.measure(levels_line, "raised and lowered: animation at keys, m", 1e-5, m.place_m, who);

  // Lowered with extras, a figure gets its joints back.
  options.loa = 2 + static_cast<int>(seed % 3);
  options.belongings = true;
  const Humanoid full = random_figure(random, options);
  down.loa = 1;
  up.loa = options.loa;
  const Humanoid lowered = converted_to(full, "hanim-2", down).humanoid;
  for (const Joint& joint : lowered.skeleton.joints()) {
    const double off = (joint.rest.place - full.skeleton[full.skeleton.find(joint.name)].rest.place).norm();
    table.measure(levels_line, "lowered: centres that stay, m", 1e-5, off, who);
  }
  const Humanoid raised = converted_to(lowered, "hanim-2", up).humanoid;
  const Difference back = measure(full, raised);
  table.measure(levels_line, "lowered and raised, with extras: things lost", 0, static_cast<double>(back.missing), who + " " + back.worst);
  table.measure(levels_line, "lowered and raised, with extras: centres, m", 1e-5, back.place_m, who);
  table.measure(levels_line, "lowered and raised, with extras: weights", 1e-6, back.weight, who);
  table.measure(levels_line, "lowered and raised, with extras: limits, rad", 1e-5, back.limit_rad, who);
}

}  // namespace

void measure_keys_of(GuaranteeTable& table, const Humanoid& source, const std::string& who) {
  const std::string line = "corpus: H-Anim motion on OpenMATERIAL at every key (rest pose kept)";
  ConvertOptions coarse;
  coarse.max_angle_error_rad = coarse.max_place_error_m = 10;  // keys only: none are added between them
  coarse.rest = RestPolicy::keep;
  const Humanoid asset = converted_to(source, "openmaterial", coarse).humanoid;
  // The file's own tree: the deepest joint of a chain is the one farthest from the root.
  const auto depth = [&](JointIndex joint) {
    int steps = 0;
    for (; joint != JointIndex::none; joint = source.skeleton[joint].parent) ++steps;
    return steps;
  };
  auto list = drivers(source.skeleton);
  for (Driver& driver : list) {
    for (const std::string& name : mapping().find_bone(driver.bone)->chains[0]) {
      const JointIndex joint = source.skeleton.find(name);
      if (joint != JointIndex::none && depth(joint) >= depth(driver.deepest)) driver.deepest = joint;
    }
  }
  auto times = key_times_s(source.clips.at(0));
  const std::size_t step = 1 + times.size() / 60;
  double turn = 0, place = 0;
  for (std::size_t k = 0; k < times.size(); k += step) {
    const auto now = global_change(source.skeleton, sample(source.skeleton, source.clips[0], times[k]));
    const auto then = global_change(asset.skeleton, sample(asset.skeleton, asset.clips.at(0), times[k]));
    for (const Driver& driver : list) {
      const JointIndex bone = asset.skeleton.find(driver.bone);
      if (bone == JointIndex::none) continue;
      turn = std::max(turn, angle_between_rad(rotation_of(now.change[index(driver.deepest)]), rotation_of(then.change[index(bone)])));
    }
    for (const auto& [joint, bone] : {std::pair{"l_hip", "Upper_Leg_Left"}, {"r_hip", "Upper_Leg_Right"}, {"vl5", "Lower_Spine"}}) {
      const JointIndex j = source.skeleton.find(joint), b = asset.skeleton.find(bone);
      if (j == JointIndex::none || b == JointIndex::none) continue;
      const Vec3 here = now.change[index(j)] * source.skeleton[j].rest.place + asset.kept->shift;
      place = std::max(place, (here - then.change[index(b)] * asset.skeleton[b].rest.place).norm());
    }
  }
  table.measure(line, "orientation of each group's deepest joint, rad", 1e-5, turn, who);
  table.measure(line, "places of both hips and vl5, m", 1e-5, place, who);
}

void measure_motion_lines(GuaranteeTable& table, std::size_t count) {
  for (std::uint32_t seed = 1; seed <= 3 * count; ++seed) at_keys(table, seed);
  for (std::uint32_t seed = 1; seed <= 3 * count; ++seed) own_joints(table, seed);
  for (std::uint32_t seed = 1; seed <= count / 5; ++seed) between_keys(table, seed);
}

void measure_edits(GuaranteeTable& table, std::size_t count) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    edit_asset(table, seed, true);
    edit_asset(table, seed, false);
  }
}

void measure_levels(GuaranteeTable& table, std::size_t count) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) level_changes(table, seed);
}

}  // namespace vesalius::test
