#pragma once
// The joints of the sample humanoids: a standing adult of 1.75 m with arms down, symmetrical.
#include <string>
#include <string_view>
#include <vector>

#include "implicit.hpp"

namespace samples {

struct Limits {
  Vec3 lower, upper;  ///< radians about x, y, z
};

struct Joint {
  std::string name;            ///< of version 2
  std::string legacy_name;     ///< of version 1
  std::string segment;         ///< of version 2
  std::string legacy_segment;  ///< of version 1
  int level = 0;               ///< lowest level of articulation that has it
  int parent = -1;             ///< index; parents come first
  Vec3 centre;
  double segment_mass_kg = 0;
  bool limited = false;
  Limits limits;
};

class Skeleton {
 public:
  /// The 94 joints of level 3.
  Skeleton();
  [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }
  /// Index by version 2 name; the name must exist.
  [[nodiscard]] int index(std::string_view name) const;
  [[nodiscard]] const Vec3& centre(std::string_view name) const { return joints_[index(name)].centre; }
  /// Nearest ancestor that exists at the level, -1 for the root.
  [[nodiscard]] int parent_at_level(int joint, int level) const;

 private:
  std::vector<Joint> joints_;
};

/// Ends of the fingers (1 thumb ... 5 little) and of the second toe, left side.
[[nodiscard]] Vec3 finger_tip(int finger);
[[nodiscard]] Vec3 toe_tip();
[[nodiscard]] Vec3 crown();

}  // namespace samples
