#include "formats/openmaterial/xoma.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "formats/gltf/text_scan.hpp"
#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"
#include "foundation/numbers.hpp"

namespace vesalius::openmaterial {
namespace {

using Json = nlohmann::ordered_json;

/// Single strings of the standard and the model's keys.
constexpr std::pair<const char*, const char*> texts[] = {{"name", "asset_name"}, {"description", "description"},
                                                         {"uuid", "uuid"},       {"assetVersion", "asset_version"},
                                                         {"license", "licence"}, {"creationDate", "creation_date"}};
/// Lists of strings.
constexpr std::pair<const char*, const char*> lists[] = {{"copyrights", "copyright"}, {"authors", "author"}};
/// Fields that are measured when writing; a source's values are not carried.
constexpr const char* measured[] = {"openMaterial3dVersion", "objectClass",        "assetType",          "animated",
                                    "triangleCount",         "meshCount",          "textureResolutions", "normalMapFormat",
                                    "boundingBox",           "pbrMaterialWorkflow"};

bool is_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < 36; ++i) {
    const char c = text[i];
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return false;
  }
  return true;
}

/// x.y.z
bool is_version(const std::string& text) {
  int dots = 0;
  bool digit = false;
  for (const char c : text) {
    if (c == '.') {
      if (!digit) return false;
      ++dots;
      digit = false;
    } else if (c >= '0' && c <= '9') {
      digit = true;
    } else {
      return false;
    }
  }
  return dots == 2 && digit;
}

/// YYYYMMDDTHHMMSSZ
bool is_date(const std::string& text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return false;
  for (std::size_t i = 0; i < 15; ++i) {
    if (i != 8 && (text[i] < '0' || text[i] > '9')) return false;
  }
  return true;
}

/// Millimetres are what a box in metres needs; more digits are noise of single precision.
double rounded(double value) {
  return std::round(value * 1e6) / 1e6 + 0.0;
}

}  // namespace

void import_xoma(std::string_view text, const std::string& file, Humanoid& humanoid, Diagnostics& sink) {
  text = gltf::without_bom(text);
  if (gltf::nests_deeper(text)) {
    sink.warning(codes::openmaterial_bad_xoma, "brackets nest deeper than any asset file's; the file was left out", {file, 0, 0, {}});
    return;
  }
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& e) {
    const auto [line, column] = gltf::line_and_column(text, e.byte == 0 ? 0 : e.byte - 1);
    sink.warning(codes::openmaterial_bad_xoma, "this is not JSON; the file was left out", {file, line, column, {}});
    return;
  }
  const auto metadata = json.find("metadata");
  if (!json.is_object() || metadata == json.end() || !metadata->is_object()) {
    sink.warning(codes::openmaterial_bad_xoma, "there is no 'metadata' object; the file was left out", {file, 1, 1, {}});
    return;
  }
  for (const auto& [key, value] : metadata->items()) {
    const auto one = std::ranges::find_if(texts, [&](const auto& t) { return key == t.first; });
    const auto many = std::ranges::find_if(lists, [&](const auto& t) { return key == t.first; });
    if (one != std::end(texts) && value.is_string()) {
      humanoid.metadata[one->second] = {value.get<std::string>()};
    } else if (many != std::end(lists) && value.is_array()) {
      auto& all = humanoid.metadata[many->second];
      all.clear();
      for (const Json& entry : value) {
        if (entry.is_string()) all.push_back(entry.get<std::string>());
      }
    } else if (key == "humanClassData" && value.is_object() && value.contains("mass") && value["mass"].is_number()) {
      humanoid.metadata["mass"] = {number_text(value["mass"].get<double>())};
    } else if (std::ranges::none_of(measured, [&](const char* m) { return key == m; })) {
      humanoid.asset_blocks["metadata/" + key] = value.dump();
    }
  }
  for (const auto& [key, value] : json.items()) {
    if (key == "metadata" || key == "$schema") continue;
    if (key == "customProperties" && value.is_object() && value.contains("vesalius") && value["vesalius"].is_object()) {
      for (const auto& [name, values] : value["vesalius"].items()) {
        if (!values.is_array()) continue;
        auto& all = humanoid.metadata[name];
        for (const Json& entry : values) {
          if (entry.is_string()) all.push_back(entry.get<std::string>());
        }
      }
      Json rest = value;
      rest.erase("vesalius");
      if (!rest.empty()) humanoid.asset_blocks[key] = rest.dump();
      continue;
    }
    humanoid.asset_blocks[key] = value.dump();
  }
}

std::string xoma_text(const Humanoid& humanoid, const std::string& base_name, const AssetFacts& facts, const GltfWriteOptions& options,
                      Diagnostics& sink) {
  const std::string file = base_name + ".xoma";
  std::map<std::string, std::vector<std::string>> given = humanoid.metadata;
  std::map<std::string, std::vector<std::string>> asked;
  for (const auto& [key, value] : options.metadata) asked[key].push_back(value);
  for (const auto& [key, values] : asked) {
    std::string own = key;
    for (const auto& [standard, ours] : texts) {
      if (key == standard) own = ours;
    }
    for (const auto& [standard, ours] : lists) {
      if (key == standard) own = ours;
    }
    given[own] = values;
  }
  const auto guess = [&](Code code, const std::string& what) {
    if (options.strict) {
      sink.error(code, what, {file, 0, 0, "/metadata"});
    } else {
      sink.warning(code, what, {file, 0, 0, "/metadata"});
    }
  };
  const auto first = [&](const char* key) {
    const auto found = given.find(key);
    return found == given.end() || found->second.empty() ? std::string() : found->second.front();
  };
  const auto all = [&](const char* key, const char* standard) {
    Json list = Json::array();
    if (const auto found = given.find(key); found != given.end()) {
      for (const std::string& value : found->second) list.push_back(value);
    }
    if (list.empty()) {
      guess(codes::openmaterial_metadata, std::string("'") + standard + "' is not known; 'unknown' was written");
      list.push_back("unknown");
    }
    return list;
  };
  Json json;
  json["$schema"] = "https://raw.githubusercontent.com/asam-ev/OpenMATERIAL-3D/refs/tags/v1.1.0/schemas/asset_schema.json";
  Json& metadata = json["metadata"];
  metadata["name"] = !first("asset_name").empty() ? first("asset_name") : !humanoid.name.empty() ? humanoid.name : base_name;
  if (!first("description").empty()) metadata["description"] = first("description");
  const std::string uuid = first("uuid");
  if (!uuid.empty() && !is_uuid(uuid))
    guess(codes::openmaterial_metadata, "uuid '" + uuid + "' is not of the form 8-4-4-4-12; one made from the content was written");
  metadata["uuid"] = is_uuid(uuid) ? uuid : uuid_of(facts.content);
  const std::string version = first("asset_version");
  metadata["assetVersion"] = is_version(version) ? version : "1.0.0";
  metadata["openMaterial3dVersion"] = "1.1.0";
  metadata["copyrights"] = all("copyright", "copyrights");
  std::string licence = first("licence");
  if (licence.empty()) {
    guess(codes::openmaterial_metadata, "'license' is not known; 'unknown' was written");
    licence = "unknown";
  }
  metadata["license"] = licence;
  metadata["authors"] = all("author", "authors");
  for (const char* key : {"modelCreationTool", "modelingMethod", "validationDescription"}) {
    if (const auto block = humanoid.asset_blocks.find(std::string("metadata/") + key); block != humanoid.asset_blocks.end())
      metadata[key] = Json::parse(block->second, nullptr, false);
    if (const auto value = asked.find(key); value != asked.end()) metadata[key] = value->second.front();
  }
  if (const std::string date = first("creation_date"); is_date(date)) metadata["creationDate"] = date;
  metadata["assetType"] = "object";
  metadata["objectClass"] = "human";
  metadata["animated"] = facts.animated;
  metadata["pbrMaterialWorkflow"] = "metallic";
  metadata["triangleCount"] = facts.triangles;
  metadata["meshCount"] = facts.meshes;
  Json resolutions = Json::array();
  for (const std::string& resolution : facts.texture_resolutions) resolutions.push_back(resolution);
  if (resolutions.empty()) resolutions.push_back("");
  metadata["textureResolutions"] = resolutions;
  metadata["normalMapFormat"] = "none";
  const auto range = [&](double a, double b) { return Json::array({rounded(std::min(a, b)), rounded(std::max(a, b))}); };
  const Quat to_text = openmaterial_from_canonical();
  const Vec3 low = to_text * facts.box.min(), high = to_text * facts.box.max();
  metadata["boundingBox"] = {{"x", range(low.x(), high.x())}, {"y", range(low.y(), high.y())}, {"z", range(low.z(), high.z())}};
  std::optional<double> mass = options.mass_kg;
  if (!mass) mass = parse_number(first("mass"));
  if (!mass) {
    double sum = 0;
    for (const Segment& segment : humanoid.segments) sum += segment.mass_kg;
    if (sum > 0) mass = sum;
  }
  if (mass) {
    metadata["humanClassData"] = {{"mass", rounded(*mass)}};
  } else {
    guess(codes::openmaterial_no_mass,
          "the mass of the human is not known; humanClassData was left out, against rule asam.net:xom:1.0.0:xoma.human_class_data_defined");
  }
  for (const auto& [key, block] : humanoid.asset_blocks) {
    if (!key.starts_with("metadata/")) json[key] = Json::parse(block, nullptr, false);
    const std::string own = key.starts_with("metadata/") ? key.substr(9) : std::string();
    if (!own.empty() && !metadata.contains(own)) metadata[own] = Json::parse(block, nullptr, false);
  }
  // Keys that the standard has no place for.
  Json custom = json.contains("customProperties") && json["customProperties"].is_object() ? json["customProperties"] : Json::object();
  Json own = Json::object();
  for (const auto& [key, values] : given) {
    const bool known = key == "mass" || std::ranges::any_of(texts, [&](const auto& t) { return key == t.second; }) ||
                       std::ranges::any_of(lists, [&](const auto& t) { return key == t.second; }) || key == "modelCreationTool" ||
                       key == "modelingMethod" || key == "validationDescription";
    if (known && !(key == "creation_date" && !is_date(values.empty() ? "" : values.front()))) continue;
    own[key] = values;
  }
  if (!own.empty() && options.extras) custom["vesalius"] = own;
  if (!custom.empty()) json["customProperties"] = custom;
  // The schema reference stands on the second line.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vesalius::openmaterial
