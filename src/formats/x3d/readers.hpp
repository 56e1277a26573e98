#pragma once
// The readers behind read_scene: one file into a scene.
#include "formats/x3d/store.hpp"

namespace vesalius::x3d {

/// One file while it is read: where its top nodes and names go.
struct Document {
  Scene& scene;
  SourceId source = 0;
  Scope& scope;
  Node& top;            ///< holds the file's nodes in its field "children"
  bool is_main = true;  ///< only the file itself says what encoding, version and metadata the scene has
  bool strict = false;
  Diagnostics& sink;

  [[nodiscard]] std::string_view text() const { return scene.text(source); }
};

// Each fills the document from its text (UTF-8 without BOM). Findings go to the sink; what was read stays.
void read_xml(Document& document);
void read_vrml(Document& document);
void read_json(Document& document);

/// Reads one file's bytes in whatever encoding they are. False when that failed.
bool read_file_into(Scene& scene, std::string bytes, const std::string& file, bool is_main, bool strict, Scope& scope, Node& top,
                    Diagnostics& sink);

/// Inlined files, late USEs, prototypes, routes: turns what the readers left into the scene's graph.
void link(Scene& scene, Node& top, const SceneOptions& options, Diagnostics& sink);

}  // namespace vesalius::x3d
