#include "vesalius/frames.hpp"

#include <Eigen/SVD>
#include <cmath>

namespace vesalius {

Affine Rigid::matrix() const {
  return Eigen::Translation3d(place) * turn;
}

Rigid Rigid::inverse() const {
  const Quat back = turn.conjugate();
  return {-(back * place), back};
}

Rigid operator*(const Rigid& a, const Rigid& b) {
  return {a.place + a.turn * b.place, a.turn * b.turn};
}
Vec3 operator*(const Rigid& a, const Vec3& point) {
  return a.place + a.turn * point;
}

Affine Transform::matrix() const {
  return Eigen::Translation3d(translation) * rotation * Eigen::Scaling(scale);
}

Quat storage_from_canonical(GltfFront front) {
  if (front == GltfFront::plus_z) return Quat::Identity();
  const double half = std::sqrt(0.5);
  return {half, 0, half, 0};  // +90 degrees about Y
}

Quat openmaterial_from_canonical() {
  return {0.5, 0.5, 0.5, 0.5};
}

Quat rotation_of(const Affine& map) {
  const Eigen::Matrix3d m = map.linear();
  if ((m.transpose() * m - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-12 && m.determinant() > 0) return Quat(m).normalized();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) = -u.col(2);
  return Quat(Eigen::Matrix3d(u * svd.matrixV().transpose())).normalized();
}

double angle_between_rad(const Quat& a, const Quat& b) {
  const Quat difference = a.conjugate() * b;
  return 2 * std::atan2(difference.vec().norm(), std::abs(difference.w()));
}

Quat power(const Quat& turn, double exponent) {
  const double sign = turn.w() < 0 ? -1 : 1;
  const Vec3 v = sign * turn.vec();
  const double sine = v.norm();
  if (sine < 1e-300) return Quat::Identity();
  const double half = exponent * std::atan2(sine, sign * turn.w());
  Quat result;
  result.w() = std::cos(half);
  result.vec() = std::sin(half) / sine * v;
  return result;
}

Quat least_rotation(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  const Vec3 cross = a.cross(b);
  const double w = 1 + a.dot(b);
  if (w < 1e-12) {  // opposite: half a turn about any normal
    Vec3 axis = a.unitOrthogonal();
    return {0, axis.x(), axis.y(), axis.z()};
  }
  return Quat(w, cross.x(), cross.y(), cross.z()).normalized();
}

Quat mirrored(const Quat& turn) {
  return {turn.w(), turn.x(), -turn.y(), -turn.z()};
}

}  // namespace vesalius
