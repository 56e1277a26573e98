// info strings, metadata nodes and document metadata.
#include <algorithm>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/metadata.hpp"
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {
namespace {

/// The model's key for a key of an info string.
std::string key_of(std::string_view key) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {{"authorName", "author"},
                                                                     {"authorEmail", "author_email"},
                                                                     {"creationDate", "creation_date"},
                                                                     {"usageRestrictions", "licence"},
                                                                     {"humanoidVersion", "humanoid_version"}};
  for (const auto& [theirs, ours] : names) {
    if (key == theirs) return std::string(ours);
  }
  return std::string(key);
}

void add(Humanoid& humanoid, std::string_view key, const std::string& value) {
  if (value.empty()) return;
  auto& values = humanoid.metadata[key_of(key)];
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

}  // namespace

void read_metadata(const Reading& reading, const Node& node, Humanoid& humanoid) {
  for (const std::string& entry : reading.strings(node, "info")) {
    const auto equals = entry.find('=');
    if (equals != std::string::npos) {
      add(humanoid, entry.substr(0, equals), entry.substr(equals + 1));
    } else {
      add(humanoid, "info", entry);
    }
  }
  // Metadata nodes of the humanoid and sets in it, without recursion.
  std::vector<const Node*> stack;
  const auto push = [&](const Node& owner) {
    for (const std::string_view field : {"metadata", "value"}) {
      if (const Field* list = owner.find(field); list != nullptr && list->is_node) {
        for (auto it = list->nodes.rbegin(); it != list->nodes.rend(); ++it) stack.push_back(it->node);
      }
    }
  };
  push(node);
  const auto take_kept = [&](const std::string& text, const Node& entry) {
    auto kept = kept_from_json(text);
    if (kept) {
      humanoid.kept = std::move(*kept.value);
      return;
    }
    for (const Diagnostic& fault : kept.diagnostics.items()) {
      reading.sink.warning(codes::hanim_kept_dropped, fault.message + " at '" + fault.where.path + "'; they were dropped",
                           reading.scene.locate(entry));
    }
  };
  // VRML97 has no metadata nodes: the same texts stand in a WorldInfo.
  for (const Child& root : reading.scene.roots) {
    if (root.node->type != "WorldInfo" || reading.text(*root.node, "title") != kept_name) continue;
    for (const std::string& line : reading.strings(*root.node, "info")) {
      const auto equals = line.find('=');
      if (equals == std::string::npos) continue;
      const std::string name = line.substr(0, equals);
      if (name == kept_name) take_kept(line.substr(equals + 1), *root.node);
      if (name.starts_with("xoma:")) humanoid.asset_blocks[name.substr(5)] += line.substr(equals + 1);
    }
  }
  while (!stack.empty()) {
    const Node& entry = *stack.back();
    stack.pop_back();
    const std::string name = reading.text(entry, "name");
    if (entry.type == "MetadataString" && name == kept_name) {
      std::string text;
      for (const std::string& piece : reading.strings(entry, "value")) text += piece;
      take_kept(text, entry);
    } else if (entry.type == "MetadataString") {
      for (const std::string& value : reading.strings(entry, "value")) {
        if (name.starts_with("xoma:")) {
          humanoid.asset_blocks[name.substr(5)] += value;
        } else {
          add(humanoid, name, value);
        }
      }
    } else if (entry.type == "MetadataFloat" || entry.type == "MetadataDouble" || entry.type == "MetadataInteger") {
      if (const Field* value = entry.find("value")) add(humanoid, name, std::string(value->text));
    }
    push(entry);
  }
  for (const auto& [name, content] : reading.scene.meta) {
    if (name == "creator") add(humanoid, "author", content);
    if (name == "rights") add(humanoid, "copyright", content);
    if (name == "license") add(humanoid, "licence_file", content);
    if (name == "description") add(humanoid, "description", content);
  }
}

}  // namespace vesalius::hanim
