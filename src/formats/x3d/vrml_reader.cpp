// VRML97 and ClassicVRML by recursive descent; values stay slices of the source.
#include <algorithm>

#include "formats/x3d/building.hpp"
#include "formats/x3d/lexer.hpp"

namespace vesalius::x3d {
namespace {

bool is_field_type(std::string_view word) {
  return word.size() > 3 && (word.starts_with("SF") || word.starts_with("MF"));
}
bool is_event(std::string_view word) {
  return word == "eventIn" || word == "eventOut" || word == "inputOnly" || word == "outputOnly";
}
bool is_access(std::string_view word) {
  return is_event(word) || word == "field" || word == "exposedField" || word == "initializeOnly" || word == "inputOutput";
}
bool is_truth(const Lexer& lex) {
  return lex.is("TRUE") || lex.is("FALSE") || lex.is("true") || lex.is("false");
}
bool is_name_char(char c) {
  return c > ' ' && c != '{' && c != '}' && c != '[' && c != ']' && c != '"' && c != '#' && c != ',';
}

class Reader {
 public:
  explicit Reader(Document& document)
      : document_(document), scene_(document.scene), text_(document.text()), build_(document), lex_(text_) {}

  void run() {
    scene_.set_markup(document_.source, TextStyle::vrml);
    try {
      nodes_until(Token::end, document_.top, 0);
    } catch (const Stop&) {
    }
  }

 private:
  [[nodiscard]] Offset here() const { return static_cast<Offset>(std::min(lex_.begin(), text_.size())); }
  [[nodiscard]] std::string found() const {
    if (lex_.kind() == Token::end) return "the end of the file";
    return "'" + std::string(lex_.text().substr(0, 40)) + "'";
  }
  [[nodiscard]] Code wrong() const { return lex_.kind() == Token::end ? codes::x3d_unterminated : codes::x3d_syntax; }
  [[noreturn]] void unexpected(const std::string& expected, const Node* node) {
    build_.fail(wrong(), "found " + found() + "; expected " + expected, here(), node);
  }
  void expect(Token kind, const std::string& what, const Node* node) {
    if (lex_.kind() != kind) unexpected(what, node);
    lex_.advance();
  }
  std::string_view word(const char* what, const Node* node) {
    if (lex_.kind() != Token::word) unexpected(what, node);
    const std::string_view text = lex_.text();
    lex_.advance();
    return text;
  }
  /// A node name; old exporters write names that the grammar does not allow, with dots or starting with digits.
  std::string_view name(const Node* node) {
    const Offset begin = here();
    if (lex_.kind() != Token::word && lex_.kind() != Token::number) unexpected("a name", node);
    bool odd = lex_.kind() == Token::number || lex_.text().front() == '+' || lex_.text().front() == '-';
    std::size_t end = lex_.end();
    // Dots and colons that touch the name belong to it, unless this is a ROUTE, whose reader does not come here.
    while (end < text_.size() && (text_[end] == '.' || text_[end] == ':')) {
      odd = true;
      ++end;
      while (end < text_.size() && is_name_char(text_[end])) ++end;
    }
    if (end != lex_.end()) {
      lex_ = Lexer(text_, end);
    } else {
      lex_.advance();
    }
    const std::string_view text = text_.substr(begin, end - begin);
    if (odd) {
      if (document_.strict) {
        build_.fail(codes::x3d_odd_name,
                    "name '" + std::string(text) + "' is not allowed; a name starts with a letter and holds no dot or colon", begin, node);
      }
      odd_name_.add(document_.sink, "a name is not allowed by the grammar; it was taken as it stands",
                    [&] { return scene_.locate(document_.source, begin); });
    }
    return text;
  }
  std::string string_value(const Node* node) {
    if (lex_.kind() != Token::string) unexpected("a string", node);
    Field field;
    field.style = TextStyle::vrml;
    field.text = lex_.text();
    lex_.advance();
    return parse_string(field);
  }

  /// Nodes and statements up to a closing token, into the owner's children.
  void nodes_until(Token close, Node& owner, std::size_t depth) {
    const Offset open = here();
    while (lex_.kind() != close) {
      if (lex_.kind() == Token::end) build_.fail(codes::x3d_unterminated, "what opens here is not closed", open, &owner);
      if (statement(&owner, depth)) continue;
      node_into(owner, build_.node_field(owner, "children", here(), TextStyle::vrml), depth);
    }
  }

  /// ROUTE, PROTO and the statements of ClassicVRML. False when the current token starts none.
  bool statement(const Node* node, std::size_t depth) {
    if (lex_.kind() != Token::word) return false;
    const std::string_view text = lex_.text();
    const Offset begin = here();
    if (text == "ROUTE") {
      route(node);
    } else if (text == "PROTO") {
      proto(depth);
    } else if (text == "EXTERNPROTO") {
      extern_proto();
    } else if (text == "PROFILE") {
      lex_.advance();
      const std::string_view profile = word("a profile", node);
      if (document_.is_main) scene_.profile = std::string(profile);
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
      std::string value = string_value(node);
      if (document_.is_main) scene_.meta.emplace_back(key, std::move(value));
    } else if (text == "UNIT") {
      lex_.advance();
      const std::string_view category = word("a unit category", node);
      word("a unit name", node);
      const std::string_view factor = lex_.text();
      expect(Token::number, "a factor", node);
      if (!is_one(factor))
        document_.sink.warning(codes::x3d_unit_ignored, unit_message(category, factor), scene_.locate(document_.source, begin, node));
    } else if (text == "IMPORT") {
      import(node);
    } else if (text == "EXPORT") {
      lex_.advance();
      const std::string_view def = name(node);
      build_.scope().exports[alias_or(def, node)] = def;
    } else {
      return false;
    }
    return true;
  }

  std::string_view alias_or(std::string_view otherwise, const Node* node) {
    if (!lex_.is("AS")) return otherwise;
    lex_.advance();
    return name(node);
  }

  /// NODE.field; names may hold dots: the field is what follows the last one.
  void end_point(std::string_view& of_node, std::string_view& of_field, const Node* node) {
    const std::size_t begin = lex_.begin();
    std::size_t end = begin;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    const std::string_view text = text_.substr(begin, end - begin);
    const auto dot = text.rfind('.');
    if (dot == std::string_view::npos) unexpected("NODE.field", node);
    of_node = text.substr(0, dot);
    of_field = text.substr(dot + 1);
    lex_ = Lexer(text_, end);
  }

  void route(const Node* node) {
    Scope::NamedRoute route;
    route.offset = here();
    route.source = document_.source;
    lex_.advance();
    end_point(route.from_node, route.from_field, node);
    if (!lex_.is("TO")) unexpected("TO", node);
    lex_.advance();
    end_point(route.to_node, route.to_field, node);
    build_.scope().routes.push_back(route);
  }

  void import(const Node* node) {
    Scope::Import import;
    import.offset = here();
    import.source = document_.source;
    lex_.advance();
    end_point(import.inline_def, import.exported, node);
    import.as = alias_or(import.exported, node);
    build_.scope().imports.push_back(import);
  }

  /// The interface in brackets; `with_values` for PROTO, whose fields have defaults.
  void interface(Proto& proto, bool with_values, std::size_t depth) {
    const Offset open = here();
    expect(Token::open_bracket, "'[' of the prototype's interface", nullptr);
    while (lex_.kind() != Token::close_bracket) {
      if (lex_.kind() == Token::end)
        build_.fail(codes::x3d_unterminated, "the interface of PROTO '" + std::string(proto.name) + "' is not closed", open);
      if (lex_.kind() != Token::word || !is_access(lex_.text())) unexpected("an interface declaration", nullptr);
      ProtoField field;
      field.access = word("an access type", nullptr);
      field.type = word("a field type", nullptr);
      field.name = name(nullptr);
      if (with_values && !is_event(field.access)) value(*proto.defaults, field.name, depth);
      proto.interface.push_back(field);
    }
    lex_.advance();
  }

  void proto(std::size_t depth) {
    const Offset offset = here();
    build_.check_depth(depth, offset);
    lex_.advance();
    Proto& proto = build_.declare(word("a prototype name", nullptr), false, offset);
    interface(proto, true, depth);
    const Offset body = here();
    if (lex_.kind() != Token::open_brace) unexpected("'{' of the prototype's body", nullptr);
    lex_.advance();
    build_.enter(proto);
    const Offset begin = here();
    while (lex_.kind() != Token::close_brace) {
      if (lex_.kind() == Token::end)
        build_.fail(codes::x3d_unterminated, "the body of PROTO '" + std::string(proto.name) + "' is not closed", body);
      if (statement(nullptr, depth + 1)) continue;
      node_into(*proto.body, build_.node_field(*proto.body, "children", begin, TextStyle::vrml), depth + 1);
    }
    lex_.advance();
    build_.leave();
  }

  void extern_proto() {
    const Offset offset = here();
    lex_.advance();
    Proto& proto = build_.declare(word("a prototype name", nullptr), true, offset);
    interface(proto, false, 0);
    if (lex_.kind() == Token::string) {
      proto.urls.push_back(string_value(nullptr));
      return;
    }
    const Offset open = here();
    if (lex_.kind() != Token::open_bracket) unexpected("the URL list of an EXTERNPROTO", nullptr);
    lex_.advance();
    while (lex_.kind() == Token::string && !lex_.unterminated()) proto.urls.push_back(string_value(nullptr));
    if (lex_.kind() != Token::close_bracket) build_.fail(wrong(), "the URL list of an EXTERNPROTO is not closed", open);
    lex_.advance();
  }

  /// A node statement: DEF, USE or a plain node, or NULL, into a field of the owner.
  void node_into(Node& owner, std::size_t field, std::size_t depth) {
    const Offset offset = here();
    build_.check_depth(depth, offset);
    Node* parent = build_.is_holder(owner) ? nullptr : &owner;
    if (lex_.is("NULL")) {
      lex_.advance();
      return;
    }
    if (lex_.is("USE")) {
      lex_.advance();
      build_.use(owner, field, name(parent), offset);
      return;
    }
    std::string_view def;
    if (lex_.is("DEF")) {
      lex_.advance();
      def = name(parent);
    }
    const std::string_view type = word("a node", parent);
    Node& made = build_.node(type, def, offset, parent);
    build_.attach(owner, field, {&made, offset, document_.source, false});
    const Offset open = here();
    if (lex_.kind() != Token::open_brace) unexpected("'{' of " + std::string(type), &made);
    lex_.advance();
    while (lex_.kind() != Token::close_brace) {
      if (lex_.kind() == Token::end) build_.fail(codes::x3d_unterminated, "node " + std::string(type) + " is not closed", open, &made);
      if (!statement(&made, depth)) this->field(made, depth);
    }
    lex_.advance();
  }

  void field(Node& node, std::size_t depth) {
    if (lex_.kind() != Token::word) unexpected("a field of " + std::string(node.type), &node);
    if (is_access(lex_.text())) {
      // The interface of a Script: access, type, name, value.
      Lexer ahead = lex_;
      ahead.advance();
      if (ahead.kind() == Token::word && is_field_type(ahead.text())) {
        const bool event = is_event(lex_.text());
        lex_.advance();
        lex_.advance();
        const std::string_view own = name(&node);
        if (lex_.is("IS") || !event) value(node, own, depth);
        return;
      }
    }
    const std::string_view own = lex_.text();
    lex_.advance();
    value(node, own, depth);
  }

  /// The value of a field: IS, a list, strings, numbers, a truth value or nodes.
  void value(Node& node, std::string_view field_name, std::size_t depth) {
    const Offset begin = here();
    if (lex_.is("IS")) {
      lex_.advance();
      Field& made = build_.field(node, field_name, begin, TextStyle::vrml);
      const std::size_t number = node.fields.size() - 1;
      made.is_link = true;
      const std::string_view of = name(&node);
      node.fields[number].text = of;
      return;
    }
    switch (lex_.kind()) {
      case Token::open_bracket:
        list(node, field_name, depth);
        return;
      case Token::string:
        if (lex_.unterminated()) build_.fail(codes::x3d_unterminated, "a string is not closed", begin, &node);
        build_.field(node, field_name, begin, TextStyle::vrml).text = lex_.text();
        lex_.advance();
        return;
      case Token::number: {
        std::size_t end = lex_.end();
        while (lex_.kind() == Token::number) {
          end = lex_.end();
          lex_.advance();
        }
        build_.field(node, field_name, begin, TextStyle::vrml).text = text_.substr(begin, end - begin);
        return;
      }
      case Token::word:
        if (is_truth(lex_)) {
          build_.field(node, field_name, begin, TextStyle::vrml).text = lex_.text();
          lex_.advance();
        } else {
          node_into(node, build_.node_field(node, field_name, begin, TextStyle::vrml), depth + 1);
        }
        return;
      default:
        unexpected("a value of field '" + std::string(field_name) + "'", &node);
    }
  }

  void list(Node& node, std::string_view field_name, std::size_t depth) {
    const Offset open = here();
    Lexer inside = lex_;
    inside.advance();
    if (inside.kind() != Token::word || is_truth(inside)) {
      Field& made = build_.field(node, field_name, open, TextStyle::vrml);
      const std::size_t begin = lex_.end();
      const std::size_t end = lex_.skip_bracket();
      if (end == std::string_view::npos)
        build_.fail(codes::x3d_unterminated, "the list of field '" + std::string(field_name) + "' is not closed", open, &node);
      made.offset = static_cast<Offset>(begin);
      made.text = text_.substr(begin, end - begin);
      return;
    }
    // A field that is given twice keeps the nodes of both.
    const std::size_t number = build_.node_field(node, field_name, open, TextStyle::vrml);
    lex_.advance();
    while (lex_.kind() != Token::close_bracket) {
      if (lex_.kind() == Token::end)
        build_.fail(codes::x3d_unterminated, "the list of field '" + std::string(field_name) + "' is not closed", open, &node);
      if (!statement(&node, depth)) node_into(node, number, depth + 1);
    }
    lex_.advance();
  }

  Document& document_;
  Scene& scene_;
  std::string_view text_;
  Builder build_;
  Lexer lex_;
  RepeatedWarning odd_name_{codes::x3d_odd_name, "more names are not allowed by the grammar; they were taken as they stand"};
};

}  // namespace

void read_vrml(Document& document) {
  Reader(document).run();
}

}  // namespace vesalius::x3d
