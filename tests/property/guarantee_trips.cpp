// There and back: figures of both vocabularies, with and without extras.
#include <algorithm>
#include <cmath>

#include "property/converting.hpp"
#include "property/guarantees.hpp"
#include "property/measure.hpp"
#include "property/random_figure.hpp"

namespace vesalius::test {
namespace {

const std::string asset_back = "OpenMATERIAL to H-Anim (levels 3 and 4) and back, with extras";
const std::string asset_plain = "the same without extras, arms within 15 degrees of the profile";
const std::string figure_back = "H-Anim (levels 0 to 4) to OpenMATERIAL and back, with extras";
const std::string weights_line = "weights";

/// Sums and losses of weights, of a figure in which every vertex has a weight.
void measure_weights(GuaranteeTable& table, const Humanoid& asset, const std::string& who) {
  double worst = 0;
  for (const Part& part : asset.parts) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) worst = std::max(worst, std::abs(weight_sum(part.influences.of(v)) - 1));
  }
  table.measure(weights_line, "sum to 1", 1e-6, worst, who);
}

/// Mass properties of segments of the same name.
double segments_apart(const Humanoid& a, const Humanoid& b) {
  double worst = 0;
  for (const Segment& segment : a.segments) {
    const auto other = std::ranges::find_if(b.segments, [&](const Segment& s) { return s.name == segment.name; });
    if (other == b.segments.end() || other->centre_of_mass.has_value() != segment.centre_of_mass.has_value() ||
        other->moments_of_inertia.has_value() != segment.moments_of_inertia.has_value())
      return 1;
    worst = std::max(worst, std::abs(other->mass_kg - segment.mass_kg));
    if (segment.centre_of_mass) worst = std::max(worst, (*segment.centre_of_mass - *other->centre_of_mass).norm());
    if (segment.moments_of_inertia)
      worst = std::max(worst, (*segment.moments_of_inertia - *other->moments_of_inertia).cwiseAbs().maxCoeff());
  }
  return worst;
}

/// Greatest difference of the bones' changes of orientation from rest.
double changes_apart(const Humanoid& a, const Humanoid& b, const std::vector<double>& times_s) {
  double worst = 0;
  for (const double t : times_s) {
    const auto here = global_change(a.skeleton, sample(a.skeleton, a.clips.at(0), t));
    const auto there = global_change(b.skeleton, sample(b.skeleton, b.clips.at(0), t));
    for (std::size_t j = 0; j < a.skeleton.size(); ++j) {
      const JointIndex other = b.skeleton.find(a.skeleton.joints()[j].name);
      if (other == JointIndex::none) continue;
      worst = std::max(worst, angle_between_rad(rotation_of(here.change[j]), rotation_of(there.change[index(other)])));
    }
  }
  return worst;
}

/// Without extras a share of the static root below 1e-3 cannot be told from rounding, and is scaled away by design.
void without_small_shares(Humanoid& asset) {
  for (Part& part : asset.parts) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      for (Influence& influence : part.influences.of(v)) {
        if (influence.joint == joint_index(0) && influence.weight < 2e-3) influence.weight = 0;
      }
      const double sum = weight_sum(part.influences.of(v));
      for (Influence& influence : part.influences.of(v)) influence.weight /= sum;
    }
  }
}

void assets(GuaranteeTable& table, std::uint32_t seed) {
  Random random(seed);
  Humanoid asset = random_asset(random);
  add_motion(asset, random, 3, 0.5);
  const std::string who = "random asset " + std::to_string(seed);
  ConvertOptions options;
  options.loa = 3 + static_cast<int>(seed % 2);
  {
    const Humanoid back = converted_to(converted_to(asset, "hanim-2", options).humanoid, "openmaterial").humanoid;
    const Difference d = measure(asset, back);
    table.measure(asset_back, "bones lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
    table.measure(asset_back, "bone origins, m", 1e-5, d.place_m, who);
    table.measure(asset_back, "bone frames, rad", 1e-5, d.turn_rad, who);
    table.measure(asset_back, "weights", 1e-6, d.weight, who);
    table.measure(asset_back, "mesh at rest, m", 1e-5, d.mesh_m, who);
    const MotionDifference keys = measure_motion(asset, back, {0, 1, 2});
    table.measure(asset_back, "animation at keys, rad", 1e-5, keys.turn_rad, who);
    table.measure(asset_back, "animation at keys, m", 1e-5, keys.place_m, who);
    const MotionDifference between = measure_motion(asset, back, {0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.3, 1.5, 1.7});
    table.measure(asset_back, "animation between keys, rad", 1e-5, between.turn_rad, who);
    table.measure(asset_back, "animation between keys, m", 1e-5, between.place_m, who);
  }
  without_small_shares(asset);
  ConvertOptions plain = plain_options();
  plain.loa = options.loa;
  const Humanoid back = converted_to(converted_to(asset, "hanim-2", plain).humanoid, "openmaterial", plain_options()).humanoid;
  const Difference d = measure(asset, back);
  table.measure(asset_plain, "bones lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
  table.measure(asset_plain, "bone origins, m", 1e-5, d.place_m, who);
  table.measure(asset_plain, "weights", 1e-6, d.weight, who);
  table.measure(asset_plain, "mesh at rest, m", 1e-5, d.mesh_m, who);
  table.measure(asset_plain, "change of orientation at keys, rad", 1e-5, changes_apart(asset, back, {0, 1, 2}), who);
}

void figures(GuaranteeTable& table, std::uint32_t seed) {
  Random random(seed);
  FigureOptions options;
  options.loa = static_cast<int>(seed % 5);
  options.vertices_per_joint = 6;
  options.most_influences = 1 + seed % 6;
  options.belongings = true;
  const Humanoid source = random_figure(random, options);
  const std::string who = "random figure " + std::to_string(seed) + " of level " + std::to_string(options.loa);
  const Humanoid asset = converted_to(source, "openmaterial").humanoid;
  measure_weights(table, asset, who);
  const Humanoid back = converted_to(asset, "hanim-2").humanoid;
  const Difference d = measure(source, back);
  table.measure(figure_back, "joints, sites or limits lost", 0, static_cast<double>(d.missing), who + " " + d.worst);
  table.measure(figure_back, "centres, m", 1e-5, d.place_m, who);
  table.measure(figure_back, "weights", 1e-5, d.weight, who);
  table.measure(figure_back, "mesh at rest, m", 1e-5, d.mesh_m, who);
  table.measure(figure_back, "sites, m", 1e-5, d.site_m, who);
  table.measure(figure_back, "displacers, m", 1e-5, d.displacer_m, who);
  table.measure(figure_back, "limits, rad", 1e-5, d.limit_rad, who);
  table.measure(figure_back, "mass, centre and moments of inertia", 1e-5, segments_apart(source, back), who);
  table.measure(weights_line, "lost there and back", 1e-6, d.weight, who);
}

}  // namespace

void measure_round_trips(GuaranteeTable& table, std::size_t count) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) assets(table, seed);
  for (std::uint32_t seed = 1; seed <= 3 * count; ++seed) figures(table, seed);
}

}  // namespace vesalius::test
