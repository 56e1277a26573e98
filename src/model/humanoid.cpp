#include "vesalius/humanoid.hpp"

#include <cmath>
#include <set>

#include "model/codes.hpp"

namespace vesalius {
namespace {

/// Collects what is wrong, with a name for where.
class Walker {
 public:
  explicit Walker(const Humanoid& humanoid) : h_(humanoid) {}

  Diagnostics run() {
    for (const Part& part : h_.parts) check(part);
    for (const Material& material : h_.materials) {
      expect(!material.base_texture || *material.base_texture < h_.textures.size(),
             "material '" + material.name + "' names a texture that is not there");
    }
    for (const Site& site : h_.sites) {
      expect(valid(site.joint), "site '" + site.name + "' names a joint that is not there");
      expect(site.rest.place.allFinite() && std::abs(site.rest.turn.norm() - 1) < 1e-6, "site '" + site.name + "' has a bad frame");
      expect(site.scale.allFinite(), "site '" + site.name + "' has a scale that is not finite");
    }
    for (const Segment& segment : h_.segments) {
      expect(valid(segment.joint), "segment '" + segment.name + "' names a joint that is not there");
      expect(std::isfinite(segment.mass_kg) && segment.mass_kg >= 0 && (!segment.centre_of_mass || segment.centre_of_mass->allFinite()) &&
                 (!segment.moments_of_inertia || segment.moments_of_inertia->allFinite()),
             "segment '" + segment.name + "' has mass properties that are negative or not finite");
    }
    for (const Clip& clip : h_.clips) check(clip);
    for (const NamedPose& pose : h_.poses) {
      expect(pose.pose.parent_from_joint.size() == h_.skeleton.size(), "pose '" + pose.name + "' has not one entry per joint");
      for (const Transform& local : pose.pose.parent_from_joint) {
        expect(local.translation.allFinite() && local.scale.allFinite() && std::abs(local.rotation.norm() - 1) < 1e-6,
               "pose '" + pose.name + "' has a transform that is not finite or not of unit rotation");
      }
    }
    return std::move(sink_);
  }

 private:
  void expect(bool holds, const std::string& fault) {
    if (!holds) sink_.error(codes::model_invariant, fault);
  }
  [[nodiscard]] bool valid(JointIndex joint) const { return joint == JointIndex::none || index(joint) < h_.skeleton.size(); }

  void check(const Part& part) {
    const std::string who = "part '" + part.name + "': ";
    const std::size_t n = part.positions.size();
    const auto sized = [&](std::size_t size, const char* what) { expect(size == 0 || size == n, who + what + " are not one per vertex"); };
    sized(part.normals.size(), "normals");
    sized(part.uvs.size(), "texture coordinates");
    sized(part.colours.size(), "colours");
    sized(part.points.size(), "points");
    expect(part.influences.vertices() == n, who + "influences are not one list per vertex");
    expect(part.kept_influences.vertices() == 0 || part.kept_influences.vertices() == n,
           who + "kept influences are not one list per vertex");
    for (const Vec3& position : part.positions) expect(position.allFinite(), who + "a position is not finite");
    for (const Vec3& normal : part.normals)
      expect(normal.allFinite() && std::abs(normal.norm() - 1) < 1e-3, who + "a normal has not length 1");
    for (const Influence& influence : part.influences.items) {
      expect(influence.joint != JointIndex::none && valid(influence.joint), who + "an influence names a joint that is not there");
      expect(std::isfinite(influence.weight) && influence.weight >= 0, who + "a weight is negative or not finite");
    }
    for (std::size_t i = 1; i < part.influences.begin.size(); ++i) {
      expect(part.influences.begin[i - 1] <= part.influences.begin[i] && part.influences.begin[i] <= part.influences.items.size(),
             who + "influence lists are out of order");
    }
    for (const Surface& surface : part.surfaces) {
      expect(!surface.material || *surface.material < h_.materials.size(), who + "a surface names a material that is not there");
      for (const auto& triangle : surface.triangles) {
        expect(triangle[0] < n && triangle[1] < n && triangle[2] < n, who + "a triangle names a vertex that is not there");
      }
    }
    for (const Morph& morph : part.morphs) {
      const std::string which = who + "morph '" + morph.name + "': ";
      expect(morph.displacements.size() == morph.vertices.size(), which + "displacements are not one per vertex");
      expect(morph.normal_displacements.empty() || morph.normal_displacements.size() == morph.vertices.size(),
             which + "normal displacements are not one per vertex");
      expect(valid(morph.joint), which + "names a joint that is not there");
      expect(std::isfinite(morph.weight), which + "its weight is not finite");
      for (const auto* list : {&morph.displacements, &morph.normal_displacements}) {
        for (const Vec3& move : *list) expect(move.allFinite(), which + "a displacement is not finite");
      }
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        expect(morph.vertices[i] < n && (i == 0 || morph.vertices[i - 1] < morph.vertices[i]),
               which + "vertices are not ascending or not there");
      }
    }
  }

  static bool finite(double value) { return std::isfinite(value); }
  static bool finite(const Vec3& value) { return value.allFinite(); }
  static bool finite(const Quat& value) { return value.coeffs().allFinite(); }

  template <class T>
  void check_track(const Track<T>& track, const std::string& who) {
    expect(track.values.size() == track.times_s.size(), who + "has not one value per key");
    for (const T& value : track.values) expect(finite(value), who + "has a value that is not finite");
    for (std::size_t i = 0; i < track.times_s.size(); ++i) {
      expect(std::isfinite(track.times_s[i]) && (i == 0 || track.times_s[i - 1] < track.times_s[i]), who + "has keys that do not ascend");
    }
  }

  void check(const Clip& clip) {
    std::set<JointIndex> seen;
    expect(std::isfinite(clip.duration_s) && clip.duration_s >= 0, "clip '" + clip.name + "' has a length that is negative or not finite");
    for (const JointTracks& joint : clip.joints) {
      const std::string who = "clip '" + clip.name + "': a track ";
      expect(joint.joint != JointIndex::none && valid(joint.joint), who + "names a joint that is not there");
      expect(seen.insert(joint.joint).second, who + "occurs twice for one joint");
      check_track(joint.rotation, who);
      check_track(joint.translation, who);
      check_track(joint.scale, who);
      for (const Quat& q : joint.rotation.values) expect(std::abs(q.norm() - 1) < 1e-6, who + "has a rotation that is not of length 1");
    }
    for (const MorphTrack& morph : clip.morphs) {
      expect(morph.part < h_.parts.size() && morph.morph < h_.parts[morph.part].morphs.size(),
             "clip '" + clip.name + "' moves a morph that is not there");
      check_track(morph.weight, "clip '" + clip.name + "': a morph track ");
    }
  }

  const Humanoid& h_;
  Diagnostics sink_;
};

}  // namespace

Diagnostics broken_invariants(const Humanoid& humanoid) {
  return Walker(humanoid).run();
}

}  // namespace vesalius
