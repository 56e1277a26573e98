#pragma once
// The two sample files as text.
#include <string>
#include <vector>

#include "clips.hpp"
#include "figure.hpp"
#include "skeleton.hpp"

namespace samples {

/// A named place on the body, or a view of it.
struct SitePlace {
  std::string name;
  std::string segment;  ///< version 2 name of the segment that it is fixed to
  Vec3 place;
  bool is_view = false;
};

/// Landmarks on the skin, finger tips, toes, crown, and the views out of the eyes.
[[nodiscard]] std::vector<SitePlace> site_places(const Anatomy& body);

/// How far a point of the face moves when the person smiles.
[[nodiscard]] Vec3 smile(const Vec3& p);
[[nodiscard]] Vec3 raised_brows(const Vec3& p);

/// Middle of the segment's mass, roughly.
[[nodiscard]] Vec3 mass_centre(const Skeleton& skeleton, int joint);

/// X3D 4.0, XML encoding: version 2 names, level 3, seamless skin, displacers, sites, limits, masses, a waving clip.
[[nodiscard]] std::string standard_x3d(const Skeleton& skeleton, const Anatomy& body, const std::vector<Part>& parts);

/// VRML97 with the nodes of H-Anim 1.1 as prototypes: version 1 names, level 1, rigid segments, a walking clip.
[[nodiscard]] std::string legacy_vrml(const Skeleton& skeleton, const Anatomy& body, const std::vector<Part>& parts);

}  // namespace samples
