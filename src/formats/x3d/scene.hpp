#pragma once
// The node graph that every X3D and VRML encoding fills. A document, not a model: what the file says, nothing resolved, no defaults.
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vesalius/diagnostics.hpp"

namespace vesalius::x3d {

/// A byte offset into Scene::source; places are made from it only when a diagnostic needs them.
using Offset = std::uint32_t;

/// How the raw text of a value is written.
enum class TextStyle : std::uint8_t {
  xml,   ///< attribute value: SFString is bare, MFString quoted
  vrml,  ///< slice of the source between brackets (or one value); strings are quoted, '#' starts a comment outside strings
};

struct Node;

/// One occurrence of a node in a field. A USE gives the very node that DEF named.
struct Child {
  Node* node = nullptr;
  bool is_use = false;
  Offset offset = 0;  ///< of this occurrence
};

/// One field of a node: raw text, or nodes, never both. MFNode fields keep their order.
struct Field {
  std::string_view name;  ///< lives as long as the Scene
  std::string_view text;  ///< raw value, empty for nodes
  TextStyle style = TextStyle::xml;
  Offset offset = 0;         ///< of the value in the source
  std::vector<Child> nodes;  ///< children in file order
  bool is_node = false;
};

struct Node {
  std::string_view type;             ///< "HAnimJoint", "Joint" (PROTO instance), "IndexedFaceSet" ...
  std::string_view def;              ///< empty when unnamed
  std::string_view container_field;  ///< XML only: the containerField attribute when it is given
  Offset offset = 0;
  std::vector<Field> fields;
  Node* parent = nullptr;  ///< where it was written (not where it is used)
  bool is_proto_instance = false;

  [[nodiscard]] const Field* find(std::string_view name) const noexcept;
};

struct Route {
  std::string_view from_node, from_field, to_node, to_field;
  Offset offset = 0;
};

/// Interface of a PROTO or EXTERNPROTO; bodies are skipped.
struct ProtoField {
  std::string_view access;  ///< "field", "exposedField", "eventIn", "eventOut" or the X3D words
  std::string_view type;    ///< "SFVec3f"
  std::string_view name;
};
struct Proto {
  std::string_view name;
  bool is_external = false;
  std::vector<ProtoField> interface;
  Offset offset = 0;
};

/// XML children sit in the field that containerField names, else in the one that the reader's table of defaults gives for parent and child
/// type (a DEF joint below a humanoid is its skeleton, a USE one belongs to its joints); VRML children sit in the field written.
class Scene {
 public:
  std::string encoding;  ///< "X3D XML", "ClassicVRML", "VRML97"
  std::string version;   ///< "4.0", "97"
  std::string profile;
  std::vector<std::pair<std::string, std::string>> meta;  ///< head meta name, content (XML) or META statements
  std::vector<Child> roots;
  std::vector<Route> routes;
  std::vector<Proto> protos;

  std::string file;    ///< name for diagnostics
  std::string source;  ///< the whole text; every string_view of VRML points here

  Node& add_node();
  [[nodiscard]] std::size_t node_count() const noexcept;
  std::string_view keep(std::string text);         ///< moves a text into the scene's store
  std::string_view intern(std::string_view text);  ///< one copy of each name
  [[nodiscard]] const Node* find_def(std::string_view name) const;
  [[nodiscard]] Node* find_def(std::string_view name);
  void set_def(std::string_view name, Node* node);
  /// XML knows only where a start tag ends: the offset of a node or attribute is the number of its tag end.
  Offset add_tag_end(std::uint32_t line, std::uint32_t column);

  /// Line, column and node path, found in the source when asked for.
  [[nodiscard]] Location locate(Offset offset, const Node* node = nullptr) const;
  [[nodiscard]] Location locate(const Node& node) const { return locate(node.offset, &node); }
  [[nodiscard]] Location locate(const Node& node, const Field& field) const;  ///< of the field's value
  [[nodiscard]] Location at_byte(std::size_t byte, const Node* node = nullptr) const;
  /// Byte in the source of a tag or, with a name, of that attribute's value (XML); the offset itself (VRML).
  [[nodiscard]] std::size_t byte_of(Offset offset, std::string_view attribute) const;
  /// Byte of a place as an XML parser counts it: 1-based lines, columns in UTF-16 units.
  [[nodiscard]] std::size_t byte_at(std::uint32_t line, std::uint32_t column) const;
  /// Byte in the source of the byte `into` of a field's text. In XML these run apart after a character reference or a two-byte line end.
  [[nodiscard]] std::size_t byte_in_value(const Field& field, std::size_t into) const;
  /// Whether a node contains itself by USE, and which.
  [[nodiscard]] bool has_use_cycle(const Node** where) const;

  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

 private:
  struct Store;
  void index_lines() const;
  std::unique_ptr<Store> store_;
};

/// Limits that every reader keeps before it allocates.
inline constexpr std::size_t most_depth = 1000;  ///< nesting of nodes
inline constexpr std::size_t most_nodes = 10'000'000;
inline constexpr std::size_t most_fields = 1000;  ///< of one node; they are searched in order

/// Reads any encoding of which the reader exists; detects it by the first bytes (BOM, '<', "#VRML V2.0", "#X3D"). Errors: x3d.*.
[[nodiscard]] std::unique_ptr<Scene> read_scene(std::string bytes, const std::string& file, bool strict, Diagnostics& sink);

// Values, parsed when asked for, one pass of std::from_chars. Separators: white space, comma; '#' comments in VRML text.
// A value that does not parse is reported (x3d.bad_number with the place of the number) and yields nothing.
[[nodiscard]] bool parse_doubles(const Scene&, const Node&, const Field&, std::vector<double>& out, Diagnostics& sink);
[[nodiscard]] bool parse_ints(const Scene&, const Node&, const Field&, std::vector<std::int32_t>& out, Diagnostics& sink);
[[nodiscard]] std::string parse_string(const Field&);                ///< SFString
[[nodiscard]] std::vector<std::string> parse_strings(const Field&);  ///< MFString

}  // namespace vesalius::x3d
