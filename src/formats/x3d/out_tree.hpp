#pragma once
// A scene to be written: nodes with their values as text, the same for every encoding.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foundation/numbers.hpp"
#include "vesalius/frames.hpp"

namespace vesalius::x3d {

struct OutNode;

struct OutField {
  enum class Kind : unsigned char { string, strings, truth, number, vector, list, nodes };
  std::string name;
  Kind kind = Kind::string;
  std::string text;  ///< numbers with blanks between, "true", or the string itself
  std::vector<std::string> strings;
  std::vector<OutNode*> nodes;
};

struct OutNode {
  std::string type, def, use;
  std::vector<OutField> fields;
};

struct OutRoute {
  std::string from_node, from_field, to_node, to_field;
};

struct OutScene {
  std::string version = "4.0";
  std::string profile = "Immersive";
  std::vector<std::pair<std::string, int>> components;
  std::vector<std::pair<std::string, std::string>> meta;
  std::string prototypes;  ///< VRML97 text that stands before the nodes
  std::vector<OutNode*> roots;
  std::vector<OutRoute> routes;
  std::deque<OutNode> store;
};

/// Builds a scene node by node. Fields keep their order; nodes of one field stand together.
/// Single precision; what is beyond it becomes its largest number, since text has no infinity.
[[nodiscard]] inline float finite(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(std::isnan(value) ? 0.0 : value, -most, most));
}

class SceneWriter {
 public:
  explicit SceneWriter(OutScene& scene) : scene_(scene) {}

  /// A node in the field `field` of the open node; the field's usual name when empty. At the top `field` does not count.
  SceneWriter& open(std::string_view type, std::string_view field = {});
  /// A USE of what was written before.
  void use(std::string_view type, std::string_view def, std::string_view field = {});
  void close();
  SceneWriter& def(std::string_view name);
  SceneWriter& string(std::string_view name, std::string_view value);
  SceneWriter& strings(std::string_view name, std::span<const std::string> values);
  SceneWriter& number(std::string_view name, double value);  ///< shortest decimal of the single-precision value
  SceneWriter& integer(std::string_view name, long long value);
  SceneWriter& vector(std::string_view name, const Vec3& value);
  SceneWriter& rotation(std::string_view name, const Quat& value);  ///< SFRotation
  SceneWriter& boolean(std::string_view name, bool value);
  /// Number lists straight into the text: `each(append)` calls append(float or integer) for every number.
  template <class Each>
  SceneWriter& list(std::string_view name, Each&& each) {
    std::string& out = add(name, OutField::Kind::list).text;
    each([&](auto value) {
      if (!out.empty()) out += ' ';
      if constexpr (std::integral<decltype(value)>) {
        out += std::to_string(value);
      } else {
        append_number(out, finite(value));
      }
    });
    return *this;
  }
  void route(OutRoute route) { scene_.routes.push_back(std::move(route)); }

 private:
  OutField& add(std::string_view name, OutField::Kind kind);
  OutScene& scene_;
  std::vector<OutNode*> stack_;
};

/// Whether a field of that name holds one node, not a list of nodes.
[[nodiscard]] bool holds_one_node(std::string_view field);

// Each takes the scene apart as it writes, so that a large one is not in memory twice.
[[nodiscard]] std::string to_x3d_xml(OutScene scene);
/// ClassicVRML, or VRML97 with the scene's prototypes.
[[nodiscard]] std::string to_vrml(OutScene scene, bool vrml97);
[[nodiscard]] std::string to_x3d_json(OutScene scene);

}  // namespace vesalius::x3d
