#include "mapping/quarter_turn.hpp"

#include <cmath>

namespace vesalius {

Eigen::Matrix3d nearest_quarter_turn(const MeasuredAxes& axes) {
  const auto unit = [](int code) { return Vec3((code % 2 == 0 ? 1 : -1) * Vec3::Unit(code / 2)); };
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double most = -4;
  for (int u = 0; u < 6; ++u) {
    for (int f = 0; f < 6; ++f) {
      const Vec3 up = unit(u), forward = unit(f);
      if (std::abs(up.dot(forward)) > 0.5) continue;
      const double fit = up.dot(axes.up) + forward.dot(axes.forward);
      if (fit <= most) continue;
      most = fit;
      best.row(0) = up.cross(forward);
      best.row(1) = up;
      best.row(2) = forward;
    }
  }
  return best;
}

std::string axis_name(const Vec3& direction) {
  Eigen::Index i = 0;
  direction.cwiseAbs().maxCoeff(&i);
  return std::string(direction[i] < 0 ? "-" : "+") + "XYZ"[i];
}

}  // namespace vesalius
