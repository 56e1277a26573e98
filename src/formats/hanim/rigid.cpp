// Rigid segments from a skin, for versions of H-Anim without one.
#include <algorithm>
#include <cmath>
#include <map>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/writing.hpp"

namespace vesalius::hanim {

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

namespace {

/// The joint with the largest weight over a triangle; the root where nothing weighs.
JointIndex owner_of(const Part& part, const std::array<std::uint32_t, 3>& triangle) {
  std::map<JointIndex, double> sums;
  for (const std::uint32_t v : triangle) {
    for (const Influence& influence : part.influences.of(v)) sums[influence.joint] += influence.weight;
  }
  JointIndex best = joint_index(0);
  double most = 0;
  for (const auto& [joint, weight] : sums) {
    if (weight > most) {
      most = weight;
      best = joint;
    }
  }
  return best;
}

/// The triangles of some surfaces that one joint owns, with the vertices they use.
class Piece {
 public:
  Piece(const Part& source, const std::string& name, const std::string& segment) : source_(source) {
    part.name = name;
    part.segment = segment;
  }
  void add(std::size_t surface, std::optional<std::size_t> material, const std::array<std::uint32_t, 3>& triangle) {
    const auto [entry, fresh] = surfaces_.emplace(surface, part.surfaces.size());
    if (fresh) part.surfaces.emplace_back().material = material;
    std::array<std::uint32_t, 3> own{};
    for (std::size_t k = 0; k < 3; ++k) own[k] = vertex(triangle[k]);
    part.surfaces[entry->second].triangles.push_back(own);
  }
  void finish(JointIndex joint) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      part.influences.items.push_back({joint, 1.0});
      part.influences.end_vertex();
    }
    for (const Morph& morph : source_.morphs) {
      Morph own = morph;
      own.kind = MorphKind::segment_displacer;
      own.joint = joint;
      own.vertices.clear();
      own.displacements.clear();
      own.normal_displacements.clear();
      std::map<std::uint32_t, Vec3> moves;
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        const auto found = vertices_.find(morph.vertices[i]);
        if (found != vertices_.end()) moves.emplace(found->second, morph.displacements[i]);
      }
      for (const auto& [v, by] : moves) {
        own.vertices.push_back(v);
        own.displacements.push_back(by);
      }
      if (!own.vertices.empty()) part.morphs.push_back(std::move(own));
    }
  }
  Part part;

 private:
  std::uint32_t vertex(std::uint32_t v) {
    const auto [entry, fresh] = vertices_.emplace(v, static_cast<std::uint32_t>(part.positions.size()));
    if (fresh) {
      part.positions.push_back(source_.positions[v]);
      if (!source_.normals.empty()) part.normals.push_back(source_.normals[v]);
      if (!source_.uvs.empty()) part.uvs.push_back(source_.uvs[v]);
      if (!source_.colours.empty()) part.colours.push_back(source_.colours[v]);
    }
    return entry->second;
  }
  const Part& source_;
  std::map<std::uint32_t, std::uint32_t> vertices_;
  std::map<std::size_t, std::size_t> surfaces_;
};

}  // namespace

Humanoid with_rigid_segments(const Humanoid& humanoid, const Profile& profile, Diagnostics& sink) {
  Humanoid result = humanoid;
  result.parts.clear();
  std::size_t skins = 0, mixed = 0, points = 0, tracks = 0;
  for (const Clip& clip : humanoid.clips) tracks += clip.morphs.size();
  for (Clip& clip : result.clips) clip.morphs.clear();  // their parts are cut up, and version 1.1 has no weights
  const auto segment_of = [&](JointIndex joint) {
    for (const Segment& segment : result.segments) {
      if (segment.joint == joint) return segment.name;
    }
    const ProfileJoint* known = profile.find(humanoid.skeleton[joint].name);
    Segment made;
    made.name = known != nullptr && !known->segment.empty() ? known->segment : humanoid.skeleton[joint].name + "_segment";
    made.joint = joint;
    result.segments.push_back(made);
    return made.name;
  };
  for (const Part& part : humanoid.parts) {
    if (!part.segment.empty()) {
      result.parts.push_back(part);
      continue;
    }
    ++skins;
    std::map<JointIndex, Piece> pieces;
    for (std::size_t s = 0; s < part.surfaces.size(); ++s) {
      for (const auto& triangle : part.surfaces[s].triangles) {
        const JointIndex owner = owner_of(part, triangle);
        auto piece = pieces.find(owner);
        if (piece == pieces.end()) {
          const std::string segment = segment_of(owner);
          piece = pieces.emplace(owner, Piece(part, part.name + "_" + segment, segment)).first;
        }
        piece->second.add(s, part.surfaces[s].material, triangle);
      }
    }
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      ++points;
      if (part.influences.of(v).size() > 1) ++mixed;
    }
    for (auto& [joint, piece] : pieces) {
      piece.finish(joint);
      result.parts.push_back(std::move(piece.part));
    }
  }
  if (skins > 0) {
    sink.warning(codes::hanim_rigid_segments, "H-Anim 1.1 has no skin: it was cut into rigid segments by the largest weight; " +
                                                  std::to_string(mixed) + " of " + std::to_string(points) +
                                                  " vertices moved with several joints");
  }
  if (tracks > 0)
    sink.warning(codes::hanim_motion, std::to_string(tracks) + " displacers change their weight over time; H-Anim 1.1 has no place for it");
  return result;
}

}  // namespace vesalius::hanim
