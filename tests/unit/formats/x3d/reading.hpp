#pragma once
// Reads text into a scene for tests.
#include <memory>
#include <string>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/scene.hpp"
#include "support/matchers.hpp"

namespace vesalius::x3d {

struct ReadText {
  Diagnostics findings;
  std::unique_ptr<Scene> scene;
  explicit ReadText(std::string text, bool strict = false) : scene(read_scene(std::move(text), {"test", {}, false, strict}, findings)) {}

  /// The node behind "type/field/field": first root of a type, then first children.
  [[nodiscard]] const Node* at(std::initializer_list<std::string_view> path) const {
    const Node* node = nullptr;
    for (const std::string_view step : path) {
      if (node == nullptr) {
        for (const Child& root : scene->roots) {
          if (root.node->type == step) node = root.node;
        }
      } else {
        const Field* field = node->find(step);
        node = field == nullptr || field->nodes.empty() ? nullptr : field->nodes.front().node;
      }
      if (node == nullptr) return nullptr;
    }
    return node;
  }
  [[nodiscard]] std::vector<double> numbers(const Node& node, std::string_view field) {
    std::vector<double> values;
    if (const Field* found = node.find(field)) static_cast<void>(parse_doubles(*scene, node, *found, values, findings));
    return values;
  }
  [[nodiscard]] std::vector<std::int32_t> integers(const Node& node, std::string_view field) {
    std::vector<std::int32_t> values;
    if (const Field* found = node.find(field)) static_cast<void>(parse_ints(*scene, node, *found, values, findings));
    return values;
  }
};

/// First finding with a code, or null.
inline const Diagnostic* find(const Diagnostics& findings, Code code) {
  for (const Diagnostic& finding : findings.items()) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

inline const std::string xml_head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<X3D profile='Immersive' version='4.0'><Scene>\n";
inline const std::string xml_tail = "</Scene></X3D>\n";

}  // namespace vesalius::x3d
