// Converts a few joints from X3D to an OpenMATERIAL asset and reads it back, with nothing but the installed headers.
#include <iostream>
#include <span>
#include <string_view>
#include <vesalius/convert.hpp>
#include <vesalius/hanim_io.hpp>
#include <vesalius/openmaterial_io.hpp>

namespace {

constexpr std::string_view figure = R"(<?xml version="1.0" encoding="UTF-8"?>
<X3D profile="Immersive" version="4.0"><head><component level="2" name="HAnim"/></head><Scene>
<HAnimHumanoid DEF="ann" name="ann" version="2.0" loa="1">
<HAnimJoint DEF="ann_root" name="humanoid_root" containerField="skeleton" center="0 0.9 0">
<HAnimJoint DEF="ann_sacroiliac" name="sacroiliac" center="0 0.92 0">
<HAnimJoint DEF="ann_l_hip" name="l_hip" center="0.1 0.9 0"><HAnimJoint DEF="ann_l_knee" name="l_knee" center="0.1 0.5 0">
<HAnimJoint DEF="ann_l_talocrural" name="l_talocrural" center="0.1 0.08 0"/></HAnimJoint></HAnimJoint>
<HAnimJoint DEF="ann_r_hip" name="r_hip" center="-0.1 0.9 0"><HAnimJoint DEF="ann_r_knee" name="r_knee" center="-0.1 0.5 0">
<HAnimJoint DEF="ann_r_talocrural" name="r_talocrural" center="-0.1 0.08 0"/></HAnimJoint></HAnimJoint>
</HAnimJoint>
<HAnimJoint DEF="ann_vl5" name="vl5" center="0 1.0 0"><HAnimJoint DEF="ann_skullbase" name="skullbase" center="0 1.55 0"/></HAnimJoint>
</HAnimJoint>
</HAnimHumanoid></Scene></X3D>)";

template <class T>
bool failed(const char* step, const vesalius::Result<T>& result) {
  for (const auto& finding : result.diagnostics.items()) std::cout << "  " << to_text(finding) << '\n';
  if (!result) std::cout << step << " failed\n";
  return !result;
}

}  // namespace

int main() {
  const auto& tables = vesalius::MappingTables::built_in();
  const auto human = vesalius::read_hanim(std::as_bytes(std::span(figure)), tables);
  if (failed("reading", human)) return 1;
  const auto converted = vesalius::convert(*human, tables, {.to = "openmaterial"});
  if (failed("converting", converted)) return 1;
  const auto asset = vesalius::openmaterial_to_files(converted->humanoid, "ann", tables);
  if (failed("writing", asset)) return 1;
  const auto again = vesalius::read_openmaterial(asset->files.front().second, tables);
  if (failed("reading back", again)) return 1;
  const bool same = again->skeleton.size() == converted->humanoid.skeleton.size();
  std::cout << human->skeleton.size() << " joints became " << again->skeleton.size() << " bones\n";
  return same && again->skeleton.size() > human->skeleton.size() ? 0 : 1;
}
