#pragma once
// What a scene owns, and what is known of it only while it is built: names, imports, uses to be resolved.
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/x3d/scene.hpp"

namespace vesalius::x3d {

/// A text with what is needed to give places in it.
struct Source {
  std::string file;
  std::string text;
  TextStyle markup = TextStyle::vrml;
  struct TagEnd {
    std::uint32_t line, column;
  };
  std::vector<TagEnd> tag_ends;  ///< XML: where each start tag ends, as the parser tells it
  mutable std::vector<std::size_t> line_starts;
};

/// Names of a file or of a prototype's body.
struct Scope {
  Scope* outer = nullptr;  ///< where prototypes that are not declared here are looked up
  std::map<std::string_view, Node*> defs;
  std::map<std::string_view, const Proto*> protos;

  /// ROUTE statements as written.
  struct NamedRoute {
    std::string_view from_node, from_field, to_node, to_field;
    Offset offset = 0;
    SourceId source = 0;
  };
  std::vector<NamedRoute> routes;
  struct Import {
    std::string_view inline_def, exported, as;
    Offset offset = 0;
    SourceId source = 0;
  };
  std::vector<Import> imports;
  std::map<std::string_view, std::string_view> exports;  ///< name outside -> DEF
  /// A USE of a name that nothing had defined yet: child number `child` of field number `field` of the parent.
  struct Pending {
    std::string_view name;
    Node* parent;
    std::size_t field, child;
  };
  std::vector<Pending> pending;
  /// Instances of what nothing had declared yet.
  std::vector<Node*> undeclared;

  [[nodiscard]] const Proto* find_proto(std::string_view name) const;
  [[nodiscard]] Node* find(std::string_view name) const;
};

struct Scene::Store {
  std::deque<Node> nodes;
  std::deque<Node> holders;
  std::deque<Proto> protos;
  std::deque<std::string> texts;
  std::set<std::string, std::less<>> names;
  std::deque<Source> sources;
  std::deque<Scope> file_scopes;  ///< one per file that was read; the first is the file itself
  std::size_t fields = 0;
  std::vector<std::pair<const Node*, Node*>> bodies;  ///< instances, and what holds all nodes of their expanded bodies
};

/// What the readers and the linker see of a scene.
struct Building {
  static Scene::Store& store(Scene& scene) { return *scene.store_; }
};

}  // namespace vesalius::x3d
