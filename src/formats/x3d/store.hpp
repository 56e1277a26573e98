#pragma once
// What a scene owns.
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/x3d/scene.hpp"

namespace vesalius::x3d {

struct Scene::Store {
  std::deque<Node> nodes;
  std::deque<std::string> texts;
  std::set<std::string, std::less<>> names;
  std::map<std::string_view, Node*> defs;
  struct TagEnd {
    std::uint32_t line, column;
  };
  std::vector<TagEnd> tag_ends;  ///< XML: where each start tag ends, as the parser tells it
  mutable std::vector<std::size_t> line_starts;
};

}  // namespace vesalius::x3d
