#pragma once
// The two people of the samples: shapes, colours, skin weights.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "anatomy.hpp"
#include "mesh.hpp"
#include "skeleton.hpp"

namespace samples {

struct Colour {
  double red, green, blue;
  double shininess;
};

/// A mesh of one material. `rigid_joint` names the joint that moves it where only one does.
struct Part {
  std::string name;
  Colour colour;
  Mesh mesh;
  std::string rigid_joint;
};

/// Joint and its weight; the weights of a point sum to one.
using Influences = std::vector<std::pair<int, double>>;

/// Which joints move a point of the skin, at most four. Frame and unit as everywhere here.
class SkinWeights {
 public:
  SkinWeights(const Skeleton& skeleton, const Anatomy& anatomy);
  [[nodiscard]] Influences at(const Vec3& p) const;

 private:
  struct Chain {
    std::vector<int> joints;       ///< proximal to distal
    std::vector<double> softness;  ///< half width of the blend at each joint, metres along the chain
    std::vector<Vec3> places;      ///< of the joints, then the end
  };
  using Dense = std::vector<double>;

  [[nodiscard]] Chain chain(std::initializer_list<std::string_view> left_names, std::initializer_list<double> softness, const Vec3& end,
                            bool right) const;
  /// Adds `share` of the chain's weights at `p`; what lies before its first blend goes to `before`.
  void add_chain(const Chain& chain, const Vec3& p, double share, int before, Dense& weights) const;
  void add_trunk(const Vec3& p, double share, Dense& weights) const;

  struct Side {
    Chain clavicle, arm, leg;
    std::vector<Chain> fingers;
    int wrist = 0;
  };
  const Skeleton& skeleton_;
  const Anatomy& anatomy_;
  Chain spine_;
  std::array<Side, 2> sides_;  ///< left, right
};

/// A person in a T-shirt and shorts, barefoot. Parts overlap where one covers another.
[[nodiscard]] std::vector<Part> standard_person(const Anatomy& anatomy);

/// A person with long sleeves, trousers and shoes, cut into closed solids: every part is moved by one joint of level 1.
[[nodiscard]] std::vector<Part> legacy_person(const Anatomy& anatomy, const Skeleton& skeleton);

}  // namespace samples
