#pragma once
// The node graph that every X3D and VRML encoding fills. A document, not a model: what the file says, prototypes expanded and inlined
// files in place, no defaults of the standard's own nodes.
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vesalius/diagnostics.hpp"

namespace vesalius::x3d {

/// A byte offset into the text of a source; places are made from it only when a diagnostic needs them.
using Offset = std::uint32_t;
/// Which text of a scene: the file itself is 0, files that it inlines or takes prototypes from follow.
using SourceId = std::uint16_t;

/// How the raw text of a value is written.
enum class TextStyle : std::uint8_t {
  xml,   ///< attribute value: SFString is bare, MFString quoted
  vrml,  ///< slice of the source between brackets (or one value); strings are quoted, '#' starts a comment outside strings
  json,  ///< slice of the source: a JSON value
};

struct Node;
struct Proto;

/// One occurrence of a node in a field. A USE gives the very node that DEF named.
struct Child {
  Node* node = nullptr;
  Offset offset = 0;  ///< of this occurrence
  SourceId source = 0;
  bool is_use = false;
};

/// One field of a node: raw text, or nodes, never both. MFNode fields keep their order.
struct Field {
  std::string_view name;     ///< lives as long as the Scene
  std::string_view text;     ///< raw value, empty for nodes; of a link, the prototype's field
  std::vector<Child> nodes;  ///< children in file order
  Offset offset = 0;         ///< of the value in the source
  SourceId source = 0;
  TextStyle style = TextStyle::xml;
  bool is_node = false;
  bool is_link = false;  ///< IS: takes the value of a field of the prototype around it; only inside prototypes
};

struct Node {
  std::string_view type;  ///< "HAnimJoint", "Joint" (PROTO instance), "IndexedFaceSet" ...
  std::string_view def;   ///< empty when unnamed
  std::vector<Field> fields;
  Node* parent = nullptr;        ///< where it was written (not where it is used)
  const Proto* proto = nullptr;  ///< what it is an instance of, when the file declares that
  Offset offset = 0;
  SourceId source = 0;
  bool is_proto_instance = false;

  [[nodiscard]] const Field* find(std::string_view name) const noexcept;
};

/// A ROUTE between nodes, seen through prototypes.
struct Route {
  const Node* from = nullptr;
  const Node* to = nullptr;
  std::string_view from_field, to_field;
  Offset offset = 0;
  SourceId source = 0;
};

/// The field that an event belongs to: "rotation" for "set_rotation" and "rotation_changed".
[[nodiscard]] std::string_view plain_field(std::string_view event) noexcept;

/// Interface of a PROTO or EXTERNPROTO.
struct ProtoField {
  std::string_view access;  ///< "field", "exposedField", "eventIn", "eventOut" or the X3D words
  std::string_view type;    ///< "SFVec3f"
  std::string_view name;
};
struct Scope;
struct Proto {
  std::string_view name;
  bool is_external = false;
  std::vector<ProtoField> interface;
  std::vector<std::string> urls;  ///< of an EXTERNPROTO
  Node* defaults = nullptr;       ///< holds the default values as fields
  Node* body = nullptr;           ///< holds the nodes of the body in its field "children"
  std::shared_ptr<Scope> scope;   ///< names inside the body
  Offset offset = 0;
  SourceId source = 0;

  [[nodiscard]] const ProtoField* find(std::string_view field) const noexcept;
};

/// XML children sit in the field that containerField names, else in the one that the reader's table of defaults gives for parent and child
/// type (a DEF joint below a humanoid is its skeleton, a USE one belongs to its joints); VRML and JSON children sit in the field written.
class Scene {
 public:
  std::string encoding;  ///< "X3D XML", "ClassicVRML", "VRML97", "X3D JSON"
  std::string version;   ///< "4.0", "97"
  std::string profile;
  std::vector<std::pair<std::string, std::string>> meta;  ///< head meta name, content (XML) or META statements
  std::vector<Child> roots;
  std::vector<Route> routes;

  Node& add_node();
  Node& add_holder();  ///< a node that only holds others and is not counted
  Proto& add_proto();
  [[nodiscard]] std::size_t node_count() const noexcept;
  [[nodiscard]] const std::deque<Proto>& protos() const noexcept;
  std::string_view keep(std::string text);         ///< moves a text into the scene's store
  std::string_view intern(std::string_view text);  ///< one copy of each name
  /// Instances with the holders of their expanded bodies: what stands in a body beside its first node is drawn nowhere, and may yet tell.
  [[nodiscard]] const std::vector<std::pair<const Node*, Node*>>& bodies() const noexcept;
  /// A node of the file itself by its DEF name.
  [[nodiscard]] const Node* find_def(std::string_view name) const;

  /// Adds a text; `file` names it in diagnostics. Nothing when there are too many.
  std::optional<SourceId> add_source(std::string file, std::string text);
  [[nodiscard]] const std::string& file(SourceId source = 0) const;
  [[nodiscard]] const std::string& text(SourceId source) const;
  void set_markup(SourceId source, TextStyle style);
  /// XML knows only where a start tag ends: the offset of a node or attribute is the number of its tag end.
  Offset add_tag_end(SourceId source, std::uint32_t line, std::uint32_t column);

  /// Line, column and node path, found in the source when asked for.
  [[nodiscard]] Location locate(SourceId source, Offset offset, const Node* node = nullptr) const;
  [[nodiscard]] Location locate(const Node& node) const { return locate(node.source, node.offset, &node); }
  [[nodiscard]] Location locate(const Child& child) const { return locate(child.source, child.offset, child.node); }
  [[nodiscard]] Location locate(const Route& route) const { return locate(route.source, route.offset); }
  [[nodiscard]] Location locate(const Node& node, const Field& field) const;  ///< of the field's value
  [[nodiscard]] Location at_byte(SourceId source, std::size_t byte, const Node* node = nullptr) const;
  /// Byte in the source of a tag or, with a name, of that attribute's value (XML); the offset itself (others).
  [[nodiscard]] std::size_t byte_of(SourceId source, Offset offset, std::string_view attribute) const;
  /// Byte of a place as an XML parser counts it: 1-based lines, columns in UTF-16 units.
  [[nodiscard]] std::size_t byte_at(SourceId source, std::uint32_t line, std::uint32_t column) const;
  /// Byte in the source of the byte `into` of a field's text. In XML these run apart after a character reference or a two-byte line end.
  [[nodiscard]] std::size_t byte_in_value(const Field& field, std::size_t into) const;
  /// Whether a node contains itself by USE, and which.
  [[nodiscard]] bool has_use_cycle(const Node** where) const;

  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

 private:
  friend struct Building;
  struct Store;
  void index_lines(SourceId source) const;
  std::unique_ptr<Store> store_;
};

/// Limits that every reader keeps before it allocates.
inline constexpr std::size_t most_depth = 1000;  ///< nesting of nodes
inline constexpr std::size_t most_nodes = 1'000'000;
inline constexpr std::size_t most_fields = 1000;  ///< of one node; they are searched in order
inline constexpr std::size_t most_fields_in_all = 5'000'000;
inline constexpr std::size_t most_sources = 100;  ///< files that one file may draw in
inline constexpr std::size_t most_inline_depth = 16;

struct SceneOptions {
  std::string file;                             ///< name for diagnostics
  std::optional<std::filesystem::path> folder;  ///< where relative URIs lead; nothing: no other file is read
  bool allow_outside = false;                   ///< follow URIs that leave the folder
  bool strict = false;
};

/// Reads any encoding, plain or gzipped, told apart by its content ('<', "#VRML V2.0", "#X3D", '{'), in UTF-8, UTF-16 or Windows-1252.
/// Prototypes are expanded but for instances of the humanoid's own nodes, whose fields say all; files that EXTERNPROTO and Inline name are
/// read from the folder, never from the network. Errors: x3d.*.
[[nodiscard]] std::unique_ptr<Scene> read_scene(std::string bytes, const SceneOptions& options, Diagnostics& sink);

// Values, parsed when asked for, one pass. Separators: white space, comma; '#' comments in VRML text; brackets and quotes in JSON.
// A value that does not parse is reported (x3d.bad_number with the place of the number) and yields nothing.
[[nodiscard]] bool parse_doubles(const Scene&, const Node&, const Field&, std::vector<double>& out, Diagnostics& sink);
[[nodiscard]] bool parse_ints(const Scene&, const Node&, const Field&, std::vector<std::int32_t>& out, Diagnostics& sink);
[[nodiscard]] std::string parse_string(const Field&);                ///< SFString
[[nodiscard]] std::vector<std::string> parse_strings(const Field&);  ///< MFString
[[nodiscard]] std::optional<bool> parse_bool(const Field&);          ///< SFBool in any encoding's spelling

}  // namespace vesalius::x3d
