#include "foundation/numbers.hpp"
#include "report/json.hpp"
#include "report/words.hpp"

namespace vesalius {

namespace report_detail {

Json to_json(const Vec3& vector) {
  return Json::array({vector.x(), vector.y(), vector.z()});
}

namespace {

Json articulation_json(const Summary& summary) {
  const auto level_or_null = [](const std::optional<int>& level) { return level ? Json(*level) : Json(nullptr); };
  Json levels = Json::array();
  for (const LevelCount& level : summary.articulation.levels) {
    levels.push_back({{"level", level.level}, {"present", level.present}, {"expected", level.expected}});
  }
  return {{"declared", level_or_null(summary.source.declared_loa)},
          {"complete", level_or_null(summary.articulation.complete)},
          {"partial", level_or_null(summary.articulation.partial)},
          {"levels", std::move(levels)}};
}

Json counts_json(const Counts& counts) {
  return {{"joints", counts.joints},
          {"segments", counts.segments},
          {"sites", counts.sites},
          {"parts", counts.parts},
          {"vertices", counts.vertices},
          {"points", counts.points},
          {"triangles", counts.triangles},
          {"influences", counts.influences},
          {"most_influences", counts.most_influences},
          {"morphs", counts.morphs},
          {"materials", counts.materials},
          {"textures", counts.textures},
          {"clips", counts.clips},
          {"poses", counts.poses}};
}

Json conversion_json(const ConversionReport& report) {
  Json limbs = Json::array();
  for (const LimbTurn& limb : report.limbs) {
    limbs.push_back({{"bone", limb.bone}, {"angle_rad", limb.angle_rad}, {"from_profile", limb.from_profile}});
  }
  Json bones = Json::array();
  for (const BoneReport& bone : report.bones) {
    bones.push_back({{"bone", bone.bone},
                     {"joints", bone.joints},
                     {"synthesised", bone.synthesised},
                     {"pointed_by", bone.pointed_by},
                     {"table_line", bone.table_line}});
  }
  return {{"influences_dropped", report.influences_dropped},
          {"worst_dropped_weight", report.worst_dropped_weight},
          {"keys_added", report.keys_added},
          {"worst_chain_drift_m", report.worst_chain_drift_m},
          {"motion_scale", report.motion_scale},
          {"vertices_entered_body", report.vertices_entered_body},
          {"limbs", std::move(limbs)},
          {"bones", std::move(bones)}};
}

Json file_json(const ConvertedFile& file) {
  Json json{{"input", file.input}, {"status", file.status}, {"format", file.format}};
  json["source"] = file.source ? to_json(*file.source) : Json(nullptr);
  json["target"] = file.target ? to_json(*file.target) : Json(nullptr);
  json["conversion"] = file.conversion ? conversion_json(*file.conversion) : Json(nullptr);
  Json written = Json::array();
  for (const auto& [name, bytes] : file.written) written.push_back({{"file", name}, {"bytes", bytes}});
  json["written"] = std::move(written);
  json["counts"] = severity_counts(file.diagnostics);
  json["diagnostics"] = to_json(file.diagnostics);
  return json;
}

}  // namespace

Json to_json(const Summary& summary) {
  const SourceFacts& source = summary.source;
  Json json{{"name", summary.name},
            {"profile", summary.profile},
            {"format", source.format},
            {"encoding", source.encoding},
            {"format_version", source.format_version},
            {"hanim_version", source.hanim_version},
            {"declared_version", source.declared_version},
            {"humanoids_in_file", source.humanoids_in_file},
            {"articulation", articulation_json(summary)},
            {"facing", source.facing},
            {"up", source.up},
            {"metres_per_unit", source.scale},
            {"height_m", summary.height_m},
            {"height_from", summary.height_from_joints ? "joints" : "mesh"}};
  const bool boxed = !summary.box.isEmpty();
  json["box_min_m"] = boxed ? to_json(summary.box.min()) : Json(nullptr);
  json["box_max_m"] = boxed ? to_json(summary.box.max()) : Json(nullptr);
  json["coverage"] = summary.coverage;
  json["unknown_names"] = source.unknown_names;
  json["counts"] = counts_json(summary.counts);
  return json;
}

Json severity_counts(const Diagnostics& diagnostics) {
  return {{"errors", diagnostics.count(Severity::error)},
          {"warnings", diagnostics.count(Severity::warning)},
          {"notes", diagnostics.count(Severity::note)}};
}

Json to_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.items()) {
    Json item{{"severity", to_text(diagnostic.severity)},
              {"code", diagnostic.code.id},
              {"message", diagnostic.message},
              {"count", diagnostic.count}};
    if (!diagnostic.where.file.empty()) item["file"] = diagnostic.where.file;
    if (diagnostic.where.line > 0) item["line"] = diagnostic.where.line;
    if (diagnostic.where.column > 0) item["column"] = diagnostic.where.column;
    if (!diagnostic.where.path.empty()) item["path"] = diagnostic.where.path;
    list.push_back(std::move(item));
  }
  return list;
}

std::string rendered(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace report_detail

std::string report_json(std::span<const ConvertedFile> files, const Diagnostics& general, int status) {
  using namespace report_detail;
  Json list = Json::array();
  std::size_t done = 0;
  std::size_t errors = general.count(Severity::error);
  std::size_t warnings = general.count(Severity::warning);
  std::size_t notes = general.count(Severity::note);
  for (const ConvertedFile& file : files) {
    list.push_back(file_json(file));
    if (file.status == 0) ++done;
    errors += file.diagnostics.count(Severity::error);
    warnings += file.diagnostics.count(Severity::warning);
    notes += file.diagnostics.count(Severity::note);
  }
  Json json{{"report_version", 1}, {"program", "vesalius"}, {"program_version", library_version()}, {"command", "convert"}};
  json["status"] = status;
  json["inputs"] = files.size();
  json["converted"] = done;
  json["counts"] = {{"errors", errors}, {"warnings", warnings}, {"notes", notes}};
  json["diagnostics"] = to_json(general);
  json["files"] = std::move(list);
  return rendered(json);
}

std::string conversion_text(const ConvertedFile& file) {
  std::string text;
  const auto line = [&](const std::string& what) { text += "  " + what + "\n"; };
  for (const auto& [name, bytes] : file.written) line("wrote " + name + " (" + std::to_string(bytes) + " bytes)");
  if (file.source && file.target) {
    const Counts& from = file.source->counts;
    const Counts& to = file.target->counts;
    const auto change = [](std::size_t a, std::size_t b, std::string_view one, std::string_view several = {}) {
      return (a == b ? std::string() : std::to_string(a) + " -> ") + counted(b, one, several);
    };
    line(file.source->profile + " -> " + file.target->profile + ": " + change(from.joints, to.joints, "joint") + ", " +
         change(from.parts, to.parts, "part") + ", " + change(from.vertices, to.vertices, "vertex", "vertices") + ", " +
         change(from.triangles, to.triangles, "triangle") + ", " + change(from.clips, to.clips, "clip"));
  }
  if (file.conversion) {
    const ConversionReport& report = *file.conversion;
    std::string synthesised;
    for (const BoneReport& bone : report.bones) {
      if (bone.synthesised) synthesised += (synthesised.empty() ? "" : ", ") + bone.bone;
    }
    if (!synthesised.empty()) line("made up: " + synthesised);
    double turn = 0;
    for (const LimbTurn& limb : report.limbs) turn = std::max(turn, limb.angle_rad);
    constexpr double degrees_per_rad = 57.295779513082323;
    if (turn > 1e-9) line("rest pose: limbs turned by up to " + fixed_text(turn * degrees_per_rad, 1) + " degrees");
    if (report.influences_dropped > 0) {
      line(counted(report.influences_dropped, "influence") + " dropped, the largest " + fixed_text(report.worst_dropped_weight, 4));
    }
    if (report.vertices_entered_body > 0) line(counted(report.vertices_entered_body, "vertex", "vertices") + " entered the body");
    if (report.keys_added > 0) line(counted(report.keys_added, "key") + " added");
  }
  return text;
}

}  // namespace vesalius
