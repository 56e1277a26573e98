// VRML97 and ClassicVRML by recursive descent; values stay slices of the source.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/findings.hpp"
#include "formats/x3d/lexer.hpp"
#include "formats/x3d/readers.hpp"

namespace vesalius::x3d {
namespace {

/// Thrown to end a parse whose reason is already in the sink.
struct Stop {};

bool is_field_type(std::string_view word) {
  return word.size() > 3 && (word.starts_with("SF") || word.starts_with("MF"));
}
bool is_event(std::string_view word) {
  return word == "eventIn" || word == "eventOut" || word == "inputOnly" || word == "outputOnly";
}
bool is_access(std::string_view word) {
  return is_event(word) || word == "field" || word == "exposedField" || word == "initializeOnly" || word == "inputOutput";
}

class Reader {
 public:
  Reader(Scene& scene, bool strict, Diagnostics& sink) : scene_(scene), strict_(strict), sink_(sink), lex_(scene.source) {}

  void run() {
    try {
      while (lex_.kind() != Token::end) {
        if (!statement(nullptr)) {
          const auto child = node(nullptr, 0);
          if (child) scene_.roots.push_back(*child);
        }
      }
    } catch (const Stop&) {
    }
    finish();
  }

 private:
  [[noreturn]] void fail(Code code, const std::string& message, std::size_t at, const Node* node) {
    sink_.error(code, message, scene_.at_byte(std::min(at, scene_.source.size()), node));
    throw Stop{};
  }
  [[nodiscard]] std::string found() const {
    if (lex_.kind() == Token::end) return "the end of the file";
    return "'" + std::string(lex_.text().substr(0, 40)) + "'";
  }
  void expect(Token kind, const char* what, const Node* node) {
    if (lex_.kind() != kind) {
      fail(lex_.kind() == Token::end ? codes::x3d_unterminated : codes::x3d_syntax, "found " + found() + "; expected " + what, lex_.begin(),
           node);
    }
    lex_.advance();
  }
  /// A node name; old exporters write names that the grammar does not allow, with dots or starting with digits.
  std::string_view name(const Node* node) {
    const std::size_t begin = lex_.begin();
    if (lex_.kind() != Token::word && lex_.kind() != Token::number) {
      fail(lex_.kind() == Token::end ? codes::x3d_unterminated : codes::x3d_syntax, "found " + found() + "; expected a name", begin, node);
    }
    bool odd = lex_.kind() == Token::number || lex_.text().front() == '+' || lex_.text().front() == '-';
    std::size_t end = lex_.end();
    // Dots and colons that touch the name belong to it, unless this is a ROUTE, whose reader does not come here.
    while (end < scene_.source.size() && (scene_.source[end] == '.' || scene_.source[end] == ':')) {
      odd = true;
      ++end;
      while (end < scene_.source.size() && is_name_char(scene_.source[end])) ++end;
    }
    lex_ = Lexer(scene_.source, end);
    const std::string_view text = std::string_view(scene_.source).substr(begin, end - begin);
    if (odd) {
      if (strict_)
        fail(codes::x3d_odd_name, "name '" + std::string(text) + "' is not allowed; a name starts with a letter and holds no dot or colon",
             begin, node);
      sink_.warning(codes::x3d_odd_name, "a name is not allowed by the grammar; it was taken as it stands", scene_.at_byte(begin));
    }
    return text;
  }
  static bool is_name_char(char c) { return c > ' ' && c != '{' && c != '}' && c != '[' && c != ']' && c != '"' && c != '#' && c != ','; }

  std::string_view word(const char* what, const Node* node) {
    if (lex_.kind() != Token::word) {
      fail(lex_.kind() == Token::end ? codes::x3d_unterminated : codes::x3d_syntax, "found " + found() + "; expected " + what, lex_.begin(),
           node);
    }
    const std::string_view text = lex_.text();
    lex_.advance();
    return text;
  }

  /// ROUTE, PROTO and the statements of ClassicVRML. False when the current token starts none.
  bool statement(const Node* node) {
    if (lex_.kind() != Token::word) return false;
    const std::string_view text = lex_.text();
    if (text == "ROUTE") {
      route(node);
    } else if (text == "PROTO") {
      proto(false);
    } else if (text == "EXTERNPROTO") {
      proto(true);
    } else if (text == "PROFILE") {
      lex_.advance();
      scene_.profile = std::string(word("a profile", node));
    } else if (text == "COMPONENT") {
      lex_.advance();
      word("a component", node);
      if (lex_.kind() == Token::colon) {
        lex_.advance();
        expect(Token::number, "a level", node);
      }
    } else if (text == "META") {
      lex_.advance();
      const std::string key = string_value(node);
      scene_.meta.emplace_back(key, string_value(node));
    } else if (text == "UNIT") {
      const std::size_t begin = lex_.begin();
      lex_.advance();
      const std::string_view category = word("a unit category", node);
      word("a unit name", node);
      const std::string_view factor = lex_.text();
      expect(Token::number, "a factor", node);
      if (!is_one(factor)) sink_.warning(codes::x3d_unit_ignored, unit_message(category, factor), scene_.at_byte(begin, node));
    } else if (text == "IMPORT") {
      lex_.advance();
      name(node);
      if (lex_.is("AS")) {
        lex_.advance();
        name(node);
      }
    } else if (text == "EXPORT") {
      lex_.advance();
      name(node);
      if (lex_.is("AS")) {
        lex_.advance();
        name(node);
      }
    } else {
      return false;
    }
    return true;
  }

  std::string string_value(const Node* node) {
    if (lex_.kind() != Token::string) fail(codes::x3d_syntax, "found " + found() + "; expected a string", lex_.begin(), node);
    Field field;
    field.style = TextStyle::vrml;
    field.text = lex_.text();
    lex_.advance();
    return parse_string(field);
  }

  void route(const Node* node) {
    Route route;
    route.offset = static_cast<Offset>(lex_.begin());
    lex_.advance();
    // Names may hold dots: the field is what follows the last one.
    const auto end_point = [&](std::string_view& of_node, std::string_view& of_field) {
      const std::size_t begin = lex_.begin();
      std::size_t end = begin;
      while (end < scene_.source.size() && is_name_char(scene_.source[end])) ++end;
      const std::string_view text = std::string_view(scene_.source).substr(begin, end - begin);
      const auto dot = text.rfind('.');
      if (dot == std::string_view::npos) fail(codes::x3d_syntax, "found " + found() + "; expected NODE.field", begin, node);
      of_node = text.substr(0, dot);
      of_field = text.substr(dot + 1);
      lex_ = Lexer(scene_.source, end);
    };
    end_point(route.from_node, route.from_field);
    if (!lex_.is("TO")) fail(codes::x3d_syntax, "found " + found() + "; expected TO", lex_.begin(), node);
    lex_.advance();
    end_point(route.to_node, route.to_field);
    scene_.routes.push_back(route);
  }

  void proto(bool external) {
    Proto proto;
    proto.offset = static_cast<Offset>(lex_.begin());
    proto.is_external = external;
    lex_.advance();
    proto.name = word("a prototype name", nullptr);
    if (lex_.kind() != Token::open_bracket)
      fail(codes::x3d_syntax, "found " + found() + "; expected '[' of the prototype's interface", lex_.begin(), nullptr);
    const std::size_t open = lex_.begin();
    lex_.advance();
    while (lex_.kind() != Token::close_bracket) {
      if (lex_.kind() == Token::end)
        fail(codes::x3d_unterminated, "the interface of PROTO '" + std::string(proto.name) + "' is not closed", open, nullptr);
      if (!(lex_.kind() == Token::word && is_access(lex_.text()))) {
        fail(codes::x3d_syntax, "found " + found() + "; expected an interface declaration", lex_.begin(), nullptr);
      }
      ProtoField field;
      field.access = word("an access type", nullptr);
      field.type = word("a field type", nullptr);
      field.name = name(nullptr);
      if (!external && !is_event(field.access)) skip_value(field.type);
      proto.interface.push_back(field);
    }
    lex_.advance();
    const std::size_t body = lex_.begin();
    if (external) {
      if (lex_.kind() == Token::open_bracket) {
        if (lex_.skip_bracket() == std::string_view::npos)
          fail(codes::x3d_unterminated, "the URL list of an EXTERNPROTO is not closed", body, nullptr);
      } else if (lex_.kind() == Token::string) {
        lex_.advance();
      }
    } else {
      if (lex_.kind() != Token::open_brace)
        fail(codes::x3d_syntax, "found " + found() + "; expected '{' of the prototype's body", lex_.begin(), nullptr);
      if (lex_.skip_balanced('{', '}') == std::string_view::npos) {
        fail(codes::x3d_unterminated, "the body of PROTO '" + std::string(proto.name) + "' is not closed", body, nullptr);
      }
    }
    proto_names_.insert(proto.name);
    scene_.protos.push_back(std::move(proto));
  }

  /// Steps over a default value in an interface.
  void skip_value(std::string_view type) {
    if (lex_.kind() == Token::open_bracket) {
      const std::size_t open = lex_.begin();
      if (lex_.skip_bracket() == std::string_view::npos) fail(codes::x3d_unterminated, "a list is not closed", open, nullptr);
      return;
    }
    if (type.ends_with("Node")) {
      if (lex_.is("NULL")) {
        lex_.advance();
        return;
      }
      if (lex_.is("USE")) {
        lex_.advance();
        name(nullptr);
        return;
      }
      if (lex_.is("DEF")) {
        lex_.advance();
        name(nullptr);
      }
      word("a node type", nullptr);
      if (lex_.kind() == Token::open_brace) {
        const std::size_t open = lex_.begin();
        if (lex_.skip_balanced('{', '}') == std::string_view::npos) fail(codes::x3d_unterminated, "a node is not closed", open, nullptr);
      }
      return;
    }
    if (lex_.is("TRUE") || lex_.is("FALSE") || lex_.kind() == Token::string) {
      lex_.advance();
      return;
    }
    while (lex_.kind() == Token::number) lex_.advance();
  }

  /// A node statement: DEF, USE or a plain node. Nothing for NULL and for a USE that is resolved later.
  std::optional<Child> node(Node* parent, std::size_t depth) {
    const auto offset = static_cast<Offset>(lex_.begin());
    if (depth >= most_depth)
      fail(codes::x3d_too_deep, "nodes are nested more than " + std::to_string(most_depth) + " deep", offset, nullptr);
    if (scene_.node_count() >= most_nodes)
      fail(codes::x3d_too_many_nodes, "there are more than " + std::to_string(most_nodes) + " nodes", offset, nullptr);
    if (lex_.is("NULL")) {
      lex_.advance();
      return std::nullopt;
    }
    if (lex_.is("USE")) {
      lex_.advance();
      const std::string_view used = name(parent);
      Node* target = scene_.find_def(used);
      if (target != nullptr) return Child{target, true, offset};
      pending_.push_back({used, parent, offset});
      return Child{nullptr, true, offset};
    }
    std::string_view def;
    if (lex_.is("DEF")) {
      lex_.advance();
      def = name(parent);
    }
    const std::string_view type = word("a node", parent);
    Node& made = scene_.add_node();
    made.type = type;
    made.def = def;
    made.offset = offset;
    made.parent = parent;
    made.is_proto_instance = is_proto(type);
    if (!def.empty()) {
      if (scene_.find_def(def) != nullptr) {
        duplicate_def_.add(sink_, "DEF '" + std::string(def) + "' occurs twice; later USEs mean the last one",
                           [&] { return scene_.at_byte(offset); });
      }
      scene_.set_def(def, &made);
    }
    const std::size_t open = lex_.begin();
    expect(Token::open_brace, ("'{' of " + std::string(type)).c_str(), &made);
    while (lex_.kind() != Token::close_brace) {
      if (lex_.kind() == Token::end) fail(codes::x3d_unterminated, "node " + std::string(type) + " is not closed", open, &made);
      if (statement(&made)) continue;
      field(made, depth);
    }
    lex_.advance();
    return Child{&made, false, offset};
  }

  [[nodiscard]] bool is_proto(std::string_view type) const { return proto_names_.contains(type); }

  void field(Node& node_, std::size_t depth) {
    if (lex_.kind() != Token::word)
      fail(codes::x3d_syntax, "found " + found() + "; expected a field of " + std::string(node_.type), lex_.begin(), &node_);
    if (is_access(lex_.text())) {
      // The interface of a Script: access, type, name, value.
      Lexer ahead = lex_;
      ahead.advance();
      if (ahead.kind() == Token::word && is_field_type(ahead.text())) {
        const bool event = is_event(lex_.text());
        lex_.advance();
        const std::string_view type = word("a field type", &node_);
        name(&node_);
        if (lex_.is("IS")) {
          lex_.advance();
          name(&node_);
        } else if (!event) {
          skip_value(type);
        }
        return;
      }
    }
    const std::string_view field_name = lex_.text();
    lex_.advance();
    if (lex_.is("IS")) {
      lex_.advance();
      name(&node_);
      return;
    }
    Field made;
    made.name = field_name;
    made.style = TextStyle::vrml;
    made.offset = static_cast<Offset>(lex_.begin());
    switch (lex_.kind()) {
      case Token::open_bracket:
        list(node_, made, depth);
        break;
      case Token::string:
        if (lex_.unterminated()) fail(codes::x3d_unterminated, "a string is not closed", lex_.begin(), &node_);
        made.text = lex_.text();
        lex_.advance();
        break;
      case Token::number: {
        const std::size_t begin = lex_.begin();
        std::size_t end = lex_.end();
        while (lex_.kind() == Token::number) {
          end = lex_.end();
          lex_.advance();
        }
        made.text = std::string_view(scene_.source).substr(begin, end - begin);
        break;
      }
      case Token::word:
        if (lex_.is("TRUE") || lex_.is("FALSE") || lex_.is("true") || lex_.is("false")) {
          made.text = lex_.text();
          lex_.advance();
        } else {
          made.is_node = true;
          const auto child = node(&node_, depth + 1);
          if (child) made.nodes.push_back(*child);
        }
        break;
      default:
        fail(lex_.kind() == Token::end ? codes::x3d_unterminated : codes::x3d_syntax,
             "found " + found() + "; expected a value of field '" + std::string(field_name) + "'", lex_.begin(), &node_);
    }
    if (node_.fields.size() >= most_fields) {
      fail(codes::x3d_too_many_fields, "node " + std::string(node_.type) + " has more than " + std::to_string(most_fields) + " fields",
           made.offset, &node_);
    }
    node_.fields.push_back(std::move(made));
  }

  void list(Node& node_, Field& made, std::size_t depth) {
    const std::size_t open = lex_.begin();
    Lexer inside = lex_;
    inside.advance();
    const bool nodes =
        inside.kind() == Token::word && !inside.is("TRUE") && !inside.is("FALSE") && !inside.is("true") && !inside.is("false");
    if (!nodes) {
      const std::size_t begin = lex_.end();
      const std::size_t end = lex_.skip_bracket();
      if (end == std::string_view::npos)
        fail(codes::x3d_unterminated, "the list of field '" + std::string(made.name) + "' is not closed", open, &node_);
      made.offset = static_cast<Offset>(begin);
      made.text = std::string_view(scene_.source).substr(begin, end - begin);
      return;
    }
    made.is_node = true;
    lex_.advance();
    while (lex_.kind() != Token::close_bracket) {
      if (lex_.kind() == Token::end)
        fail(codes::x3d_unterminated, "the list of field '" + std::string(made.name) + "' is not closed", open, &node_);
      if (statement(&node_)) continue;
      const auto child = node(&node_, depth + 1);
      if (child) made.nodes.push_back(*child);
    }
    lex_.advance();
  }

  /// Puts in what was used before it was defined, and takes out what never was.
  void finish() {
    std::map<Offset, Node*> late;
    for (const Pending& pending : pending_) {
      Node* target = scene_.find_def(pending.name);
      late[pending.offset] = target;
      if (target == nullptr) {
        unknown_use_.add(sink_, "USE '" + std::string(pending.name) + "' names no node of this file; it was left out",
                         [&] { return scene_.at_byte(pending.offset); });
      } else {
        use_before_def_.add(sink_, "USE '" + std::string(pending.name) + "' stands before the node is defined",
                            [&] { return scene_.at_byte(pending.offset); });
      }
    }
    const auto settle = [&](std::vector<Child>& children) {
      for (Child& child : children) {
        if (child.node == nullptr) child.node = late[child.offset];
      }
      std::erase_if(children, [](const Child& child) { return child.node == nullptr; });
    };
    if (pending_.empty()) return;
    settle(scene_.roots);
    // Each parent once, however many of its children are late.
    std::set<Node*> parents;
    for (const Pending& pending : pending_) {
      if (pending.parent == nullptr || !parents.insert(pending.parent).second) continue;
      for (Field& own : pending.parent->fields) settle(own.nodes);
    }
  }

  struct Pending {
    std::string_view name;
    Node* parent;
    Offset offset;
  };
  Scene& scene_;
  bool strict_;
  Diagnostics& sink_;
  Lexer lex_;
  std::vector<Pending> pending_;
  std::set<std::string_view> proto_names_;
  RepeatedWarning duplicate_def_{codes::x3d_duplicate_def, "more names are defined twice"};
  RepeatedWarning unknown_use_{codes::x3d_unknown_use, "more USEs name no node of this file; they were left out"};
  RepeatedWarning use_before_def_{codes::x3d_use_before_def, "more USEs stand before their node is defined"};
};

}  // namespace

void read_vrml(Scene& scene, bool strict, Diagnostics& sink) {
  Reader(scene, strict, sink).run();
}

}  // namespace vesalius::x3d
