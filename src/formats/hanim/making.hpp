#pragma once
// Makes nodes that a file means but does not write as the standard does.
#include <cmath>
#include <span>
#include <string>

#include "formats/x3d/scene.hpp"
#include "foundation/numbers.hpp"
#include "vesalius/frames.hpp"

namespace vesalius::hanim {

class Maker {
 public:
  /// New nodes take their place in the file from `origin`.
  Maker(x3d::Scene& scene, const x3d::Node& origin) : scene_(scene), origin_(origin) {}

  x3d::Node& node(std::string_view type, x3d::Node* parent) {
    x3d::Node& made = scene_.add_node();
    made.type = type;
    made.offset = origin_.offset;
    made.source = origin_.source;
    made.parent = parent;
    return made;
  }
  /// A value as XML writes it; a field of that name is replaced.
  void text(x3d::Node& owner, std::string_view name, std::string value) {
    x3d::Field& field = fresh(owner, name);
    field.text = scene_.keep(std::move(value));
    field.style = x3d::TextStyle::xml;
  }
  void numbers(x3d::Node& owner, std::string_view name, std::span<const double> values) {
    std::string list;
    for (const double value : values) {
      if (!list.empty()) list += ' ';
      list += number_text(std::isfinite(value) ? value : 0.0);
    }
    text(owner, name, std::move(list));
  }
  void child(x3d::Node& owner, std::string_view name, x3d::Node& node, bool is_use) {
    for (x3d::Field& field : owner.fields) {
      if (field.is_node && field.name == name) {
        field.nodes.push_back({&node, origin_.offset, origin_.source, is_use});
        return;
      }
    }
    x3d::Field& field = fresh(owner, name);
    field.is_node = true;
    field.nodes.push_back({&node, origin_.offset, origin_.source, is_use});
  }

 private:
  x3d::Field& fresh(x3d::Node& owner, std::string_view name) {
    std::erase_if(owner.fields, [&](const x3d::Field& field) { return field.name == name; });
    x3d::Field& field = owner.fields.emplace_back();
    field.name = name;
    field.offset = origin_.offset;
    field.source = origin_.source;
    return field;
  }
  x3d::Scene& scene_;
  const x3d::Node& origin_;
};

}  // namespace vesalius::hanim
