#pragma once
// The naked body as fields. Everything is symmetrical: x may have either sign.
#include "implicit.hpp"
#include "skeleton.hpp"

namespace samples {

class Anatomy {
 public:
  explicit Anatomy(const Skeleton& skeleton);

  [[nodiscard]] double torso(const Vec3& p) const;  ///< pelvis to the base of the neck
  [[nodiscard]] double neck(const Vec3& p) const;
  [[nodiscard]] double head(const Vec3& p) const;     ///< with ears and nose, without eyes
  [[nodiscard]] double cranium(const Vec3& p) const;  ///< the head without face and ears
  [[nodiscard]] double lips(const Vec3& p) const;
  [[nodiscard]] double eyebrow(const Vec3& p) const;
  [[nodiscard]] double arm(const Vec3& p) const;  ///< shoulder to wrist
  [[nodiscard]] double hand(const Vec3& p) const;
  [[nodiscard]] double leg(const Vec3& p) const;   ///< hip to ankle
  [[nodiscard]] double foot(const Vec3& p) const;  ///< with toes
  [[nodiscard]] double shoe(const Vec3& p) const;
  [[nodiscard]] double whole(const Vec3& p) const;

 private:
  struct Cone {
    Vec3 a, b;
    double radius_a, radius_b;
  };
  Loft torso_, neck_, face_, arm_, leg_;
  std::vector<Cone> palm_;
  std::vector<std::vector<Cone>> fingers_;
};

}  // namespace samples
