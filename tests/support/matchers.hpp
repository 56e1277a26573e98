#pragma once
// What tests ask of diagnostics, rotations and places.
#include <gmock/gmock.h>

#include <ostream>

#include "vesalius/diagnostics.hpp"
#include "vesalius/frames.hpp"

namespace vesalius {

/// For test output.
inline void PrintTo(const Diagnostic& diagnostic, std::ostream* out) {
  *out << to_text(diagnostic);
}
inline void PrintTo(const Diagnostics& findings, std::ostream* out) {
  for (const Diagnostic& finding : findings.items()) *out << "\n  " << to_text(finding);
  if (findings.items().empty()) *out << "no findings";
}

namespace test {

/// Diagnostics hold a finding with this code.
MATCHER_P(Reports, code, "reports " + std::string(code.id)) {
  for (const Diagnostic& finding : arg.items()) {
    if (finding.code == code) return true;
  }
  return false;
}
/// ... and on this line of the file.
MATCHER_P2(ReportsAtLine, code, line, "reports " + std::string(code.id) + " at line " + std::to_string(line)) {
  for (const Diagnostic& finding : arg.items()) {
    if (finding.code == code && finding.where.line == static_cast<std::uint32_t>(line)) return true;
  }
  return false;
}
/// ... and at this node path or JSON pointer.
MATCHER_P2(ReportsAtPath, code, path, "reports " + std::string(code.id) + " at " + std::string(path)) {
  for (const Diagnostic& finding : arg.items()) {
    if (finding.code == code && finding.where.path == path) return true;
  }
  return false;
}
MATCHER(IsEmpty, "has no findings") {
  return arg.items().empty();
}

/// Same place within metres.
MATCHER_P2(Near, expected, tolerance_m, "is within " + ::testing::PrintToString(tolerance_m) + " m") {
  const double distance = (Vec3(arg) - Vec3(expected)).norm();
  *result_listener << "which is " << distance << " m away";
  return distance <= tolerance_m;
}
/// Same orientation within radians, whatever the sign of the quaternion.
MATCHER_P2(SameTurn, expected, tolerance_rad, "is within " + ::testing::PrintToString(tolerance_rad) + " rad") {
  const double angle = angle_between_rad(arg, expected);
  *result_listener << "which is " << angle << " rad away";
  return angle <= tolerance_rad;
}

}  // namespace test
}  // namespace vesalius
