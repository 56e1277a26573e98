#pragma once
// What all readers do alike while they build a graph.
#include <set>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/findings.hpp"
#include "formats/x3d/readers.hpp"

namespace vesalius::x3d {

/// Thrown to end a parse whose reason is already in the sink.
struct Stop {};

/// Adds nodes, fields and names to a document within the limits.
class Builder {
 public:
  explicit Builder(Document& document) : document_(document), scope_(&document.scope) {}

  /// A node in its scope, told as an instance when a prototype of that name is declared. Reports a second DEF of a name.
  Node& node(std::string_view type, std::string_view def, Offset offset, Node* parent);
  /// Gives a node its name when that comes after its other members.
  void define(Node& node, std::string_view def, Offset offset);
  /// Tells a node whose type turned out to be a prototype's name as its instance.
  void instance_of(Node& node);
  /// A new field; the limits are checked first.
  Field& field(Node& owner, std::string_view name, Offset offset, TextStyle style);
  /// The node field of that name, made when absent; returns its number.
  std::size_t node_field(Node& owner, std::string_view name, Offset offset, TextStyle style);
  void attach(Node& owner, std::size_t field, Child child) { owner.fields[field].nodes.push_back(child); }
  /// A USE: the node if it is known, else a place that is filled when the file has been read.
  void use(Node& owner, std::size_t field, std::string_view name, Offset offset);
  void check_depth(std::size_t depth, Offset offset);
  /// Errors end the parse.
  [[noreturn]] void fail(Code code, const std::string& message, Offset offset, const Node* node = nullptr);

  /// Declares a prototype in the current scope.
  Proto& declare(std::string_view name, bool external, Offset offset);
  /// Gives a prototype its name when that comes late.
  void rename(Proto& proto, std::string_view name);
  /// Opens and closes the scope of a prototype's body.
  void enter(Proto& proto);
  void leave();
  [[nodiscard]] Scope& scope() noexcept { return *scope_; }
  /// Whether a node only holds others: the top of a file, a prototype's defaults or body.
  [[nodiscard]] bool is_holder(const Node& node) const { return &node == &document_.top || holders_.contains(&node); }

 private:
  Document& document_;
  Scope* scope_;
  std::set<const Node*> holders_;
  RepeatedWarning duplicate_def_{codes::x3d_duplicate_def, "more names are defined twice"};
};

}  // namespace vesalius::x3d
