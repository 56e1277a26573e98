// X3D JSON: one walk over the text, values stay slices of it; nlohmann-json tells the place of a mistake, and checks all of it when
// reading is strict.
#include <nlohmann/json.hpp>

#include "formats/x3d/building.hpp"
#include "formats/x3d/defaults.hpp"
#include "formats/x3d/node_types.hpp"

namespace vesalius::x3d {
namespace {

/// Takes nothing in; where the text breaks the grammar is all that it learns.
struct PlaceOfMistake : nlohmann::json_sax<nlohmann::json> {
  std::size_t byte = 0;
  bool found = false;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    found = true;
    byte = position > 0 ? position - 1 : 0;
    return false;
  }
};

/// The text is not JSON at this byte.
struct NotJson {
  std::size_t at = 0;
};

/// Steps through a text, and checks of its grammar what it steps on: brackets, names, colons, commas, ends of strings.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  /// First character of the next value; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  /// Steps over the next value and gives it as it stands. What is in a list is not looked at.
  std::string_view raw() {
    const char first = peek();
    const std::size_t begin = at_;
    if (first == '"') {
      string();
    } else if (first == '{' || first == '[') {
      nested();
    } else {
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      const bool number = first == '-' || (first >= '0' && first <= '9');
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (!number && word != "true" && word != "false" && word != "null") throw NotJson{begin};
    }
    return text_.substr(begin, at_ - begin);
  }
  /// Calls each(name, offset of the name) for every member of an object; what it leaves unread is stepped over.
  template <class Each>
  void object(Each&& each) {
    if (peek() != '{') return;
    entries('}', [&] {
      if (peek() != '"') throw NotJson{at_};
      const std::size_t begin = at_;
      string();
      const std::string_view name = text_.substr(begin + 1, at_ - begin - 2);
      if (peek() != ':') throw NotJson{at_};
      ++at_;
      peek();
      const std::size_t value = at_;
      each(name, static_cast<Offset>(begin));
      if (at_ == value) raw();
    });
  }
  /// Each object of a list, or the one object that stands in its place.
  template <class Each>
  void objects(Each&& each) {
    if (peek() == '{') {
      each();
    } else if (peek() == '[') {
      entries(']', [&] {
        const std::size_t value = (peek(), at_);
        if (peek() == '{') each();
        if (at_ == value) raw();
      });
    }
  }
  /// Whether the next value is a list whose first value is an object.
  bool at_list_of_objects() {
    if (peek() != '[') return false;
    const std::size_t inside = text_.find_first_not_of(" \t\r\n", at_ + 1);
    return inside != std::string_view::npos && text_[inside] == '{';
  }
  /// Only white space may be left.
  void expect_end() {
    if (peek() != '\0') throw NotJson{at_};
  }

 private:
  /// What stands between brackets, with commas between.
  template <class Each>
  void entries(char close, Each&& each) {
    ++at_;
    if (peek() == close) {
      ++at_;
      return;
    }
    for (;;) {
      each();
      const char mark = peek();
      if (mark != ',' && mark != close) throw NotJson{at_};
      ++at_;
      if (mark == close) return;
    }
  }
  void nested() {
    std::string open;
    do {
      if (at_ >= text_.size()) throw NotJson{at_};
      const char c = text_[at_];
      if (c == '"') {
        string();
        continue;
      }
      if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
      if (c == '}' || c == ']') {
        if (open.back() != c) throw NotJson{at_};
        open.pop_back();
      }
      ++at_;
    } while (!open.empty());
  }
  void string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ >= text_.size()) throw NotJson{text_.size()};
    ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

using Texts = std::vector<std::pair<std::string, std::string>>;

std::string text_of(std::string_view raw) {
  Field field;
  field.style = TextStyle::json;
  field.text = raw;
  return parse_string(field);
}

std::string get(const Texts& members, std::string_view key) {
  for (const auto& [name, value] : members) {
    if (name == key) return value;
  }
  return {};
}

/// A name without the '@' of attributes.
std::string_view plain(std::string_view key) {
  return key.starts_with('@') ? key.substr(1) : key;
}

class Reader {
 public:
  explicit Reader(Document& document)
      : document_(document), scene_(document.scene), build_(document), text_(document.text()), json_(text_) {}

  void run() {
    scene_.set_markup(document_.source, TextStyle::json);
    try {
      if (document_.strict) report_mistake(text_.size());
      if (document_.sink.has_errors()) return;
      bool any = false;
      json_.object([&](std::string_view key, Offset) {
        if (key != "X3D") return;
        any = true;
        x3d();
      });
      json_.expect_end();
      if (!any) build_.fail(codes::x3d_syntax, "there is no member 'X3D' in the outermost object; expected X3D JSON", 0);
    } catch (const Stop&) {
    } catch (const NotJson& found) {
      report_mistake(found.at);
    }
  }

 private:
  /// Where the text breaks the grammar first, as a whole parser says; `found` is where it was noticed. Nothing when it does not.
  void report_mistake(std::size_t found) {
    PlaceOfMistake mistake;
    nlohmann::json::sax_parse(text_, &mistake);
    if (!mistake.found && found >= text_.size()) return;
    const std::size_t begin = mistake.found ? mistake.byte : found;
    const bool ends = begin >= text_.find_last_not_of(" \t\r\n") + 1;
    document_.sink.error(ends ? codes::x3d_unterminated : codes::x3d_syntax,
                         ends ? "the text ends inside an object or list; expected it to be closed"
                              : "found '" + std::string(text_.substr(begin, 20)) + "'; expected well-formed JSON",
                         scene_.at_byte(document_.source, begin));
  }

  std::string_view kept() { return scene_.keep(text_of(json_.raw())); }
  std::string_view name_value() { return scene_.intern(text_of(json_.raw())); }
  /// Members of the next object as texts, without the '@' of their names.
  Texts members() {
    Texts result;
    json_.object([&](std::string_view key, Offset) { result.emplace_back(plain(key), text_of(json_.raw())); });
    return result;
  }

  void x3d() {
    json_.object([&](std::string_view key, Offset) {
      if (plain(key) == "version") {
        const std::string value = text_of(json_.raw());
        if (document_.is_main) scene_.version = value;
      } else if (plain(key) == "profile") {
        const std::string value = text_of(json_.raw());
        if (document_.is_main) scene_.profile = value;
      } else if (key == "head") {
        head();
      } else if (key == "Scene" || key == "scene") {
        json_.objects([&] { members_of(document_.top, 0); });
      }
    });
  }

  void head() {
    json_.object([&](std::string_view key, Offset offset) {
      json_.objects([&] {
        const Texts texts = members();
        if (key == "meta" && document_.is_main) scene_.meta.emplace_back(get(texts, "name"), get(texts, "content"));
        if (key != "unit" || is_one(get(texts, "conversionFactor"))) return;
        document_.sink.warning(codes::x3d_unit_ignored, unit_message(get(texts, "category"), get(texts, "conversionFactor")),
                               scene_.locate(document_.source, offset));
      });
    });
  }

  /// What stands among nodes and is none. False when the name is none of these.
  bool statement(std::string_view name, Offset offset, Node& owner, std::size_t depth) {
    if (name == "ROUTE") {
      json_.objects([&] {
        const Texts texts = members();
        build_.scope().routes.push_back({scene_.keep(get(texts, "fromNode")), scene_.keep(get(texts, "fromField")),
                                         scene_.keep(get(texts, "toNode")), scene_.keep(get(texts, "toField")), offset, document_.source});
      });
    } else if (name == "IMPORT" || name == "EXPORT") {
      json_.objects([&] { name_across_files(name == "IMPORT", members(), offset); });
    } else if (name == "ProtoDeclare" || name == "ExternProtoDeclare") {
      json_.objects([&] { proto(name == "ExternProtoDeclare", offset, depth); });
    } else if (name == "IS") {
      json_.objects([&] { json_.object([&](std::string_view, Offset) { json_.objects([&] { connect(members(), offset, owner); }); }); });
    } else if (name == "field" || name == "fieldValue") {
      json_.objects([&] { given_field(owner, nullptr, offset, depth); });
    } else {
      return name.starts_with('#') || name.starts_with("//");  // comments and script text
    }
    return true;
  }

  void name_across_files(bool import, const Texts& texts, Offset offset) {
    const std::string as = get(texts, "AS");
    if (import) {
      std::string exported = get(texts, "importedDEF");
      if (exported.empty()) exported = get(texts, "exportedDEF");
      build_.scope().imports.push_back(
          {scene_.keep(get(texts, "inlineDEF")), scene_.keep(exported), scene_.keep(as.empty() ? exported : as), offset, document_.source});
    } else {
      const std::string def = get(texts, "localDEF");
      build_.scope().exports[scene_.keep(as.empty() ? def : as)] = scene_.keep(def);
    }
  }

  void connect(const Texts& texts, Offset offset, Node& owner) {
    if (build_.is_holder(owner)) return;
    Field& link = build_.field(owner, scene_.intern(get(texts, "nodeField")), offset, TextStyle::json);
    link.text = scene_.keep(get(texts, "protoField"));
    link.is_link = true;
  }

  /// A field that stands in an object of its own: {"@name", "@value" or "-children"}.
  void given_field(Node& owner, Proto* proto, Offset offset, std::size_t depth) {
    ProtoField declared;
    build_.field(owner, {}, offset, TextStyle::json);
    const std::size_t number = owner.fields.size() - 1;
    json_.object([&](std::string_view key, Offset) {
      const std::string_view name = plain(key);
      if (name == "name") {
        declared.name = name_value();
        owner.fields[number].name = declared.name;
      } else if (name == "type") {
        declared.type = name_value();
      } else if (name == "accessType") {
        declared.access = name_value();
      } else if (name == "value") {
        value_into(owner.fields[number]);
      } else if (key.starts_with('-') || key == "children") {
        owner.fields[number].is_node = true;
        nodes(owner, number, depth + 1);
      }
    });
    if (proto != nullptr) proto->interface.push_back(declared);
  }

  void value_into(Field& field) {
    field.text = json_.raw();
    field.offset = static_cast<Offset>(field.text.data() - text_.data());
  }

  void proto(bool external, Offset offset, std::size_t depth) {
    build_.check_depth(depth, offset);
    Proto& made = build_.declare({}, external, offset);
    const auto interface_field = [&] { given_field(*made.defaults, &made, offset, depth + 1); };
    json_.object([&](std::string_view key, Offset) {
      if (plain(key) == "name") {
        build_.rename(made, name_value());
      } else if (plain(key) == "url") {
        Field urls;
        urls.style = TextStyle::json;
        urls.text = json_.raw();
        made.urls = parse_strings(urls);
      } else if (key == "ProtoInterface") {
        json_.objects([&] {
          json_.object([&](std::string_view inner, Offset) {
            if (inner == "field") json_.objects(interface_field);
          });
        });
      } else if (key == "field") {
        json_.objects(interface_field);
      } else if (key == "ProtoBody") {
        build_.enter(made);
        json_.objects([&] { members_of(*made.body, depth + 1); });
        build_.leave();
      }
    });
  }

  /// Node objects of a field: {"Type": {...}} each.
  void nodes(Node& owner, std::size_t field, std::size_t depth) {
    json_.objects([&] {
      json_.object([&](std::string_view name, Offset offset) {
        if (statement(name, offset, owner, depth)) return;
        json_.objects([&] { node(name, offset, owner, field, depth); });
      });
    });
  }

  void node(std::string_view type, Offset offset, Node& owner, std::size_t field, std::size_t depth) {
    build_.check_depth(depth, offset);
    const bool instance = type == "ProtoInstance";
    Node& made = build_.node(scene_.intern(type), {}, offset, build_.is_holder(owner) ? nullptr : &owner);
    build_.attach(owner, field, {&made, offset, document_.source, false});
    std::string_view container;
    const std::string_view use = members_of(made, depth, &container);
    if (!container.empty() && !build_.is_holder(owner)) {
      // The field that the node itself names wins over where it stands.
      owner.fields[field].nodes.pop_back();
      field = build_.node_field(owner, container, offset, TextStyle::json);
      build_.attach(owner, field, {&made, offset, document_.source, false});
    }
    if (!use.empty()) {
      owner.fields[field].nodes.pop_back();
      build_.use(owner, field, use, offset);
    } else if (instance) {
      build_.instance_of(made);
    }
  }

  [[nodiscard]] bool is_type(std::string_view name) {
    return is_standard_type(name) || humanoid_type(name) != name || build_.scope().find_proto(name) != nullptr || name == "ProtoInstance";
  }

  /// Fields and children of a node, or of what holds nodes. Returns the name of a USE.
  std::string_view members_of(Node& node, std::size_t depth, std::string_view* container = nullptr) {
    std::string_view use;
    const bool holder = build_.is_holder(node);
    json_.object([&](std::string_view key, Offset offset) {
      if (key.empty() || statement(key, offset, node, depth)) return;
      const bool marked = key.front() == '@', child = key.front() == '-';
      const std::string_view name = marked || child ? key.substr(1) : key;
      const auto field_of = [&](std::string_view field) { return build_.node_field(node, scene_.intern(field), offset, TextStyle::json); };
      if (name == "DEF") {
        build_.define(node, kept(), offset);
      } else if (name == "USE") {
        use = kept();
      } else if (node.type == "ProtoInstance" && name == "name") {
        node.type = name_value();
      } else if (name == "containerField") {
        const std::string_view given = name_value();
        if (container != nullptr) *container = given;
      } else if (child || (!marked && (key == "children" || ((json_.at_list_of_objects() || json_.peek() == '{') && !is_type(key))))) {
        nodes(node, field_of(name), depth + 1);
      } else if (!marked && json_.at_list_of_objects()) {
        // Nodes of one type, without the name of their field.
        const std::size_t field = field_of(holder ? std::string_view("children") : default_container(node.type, name, false));
        json_.objects([&] { this->node(key, offset, node, field, depth + 1); });
      } else if (!marked && json_.peek() == '{') {
        // A node right below its parent, without the name of its field.
        this->node(key, offset, node, field_of(holder ? std::string_view("children") : default_container(node.type, name, false)),
                   depth + 1);
      } else if (!holder) {
        value_into(build_.field(node, scene_.intern(name), offset, TextStyle::json));
      }
    });
    return use;
  }

  Document& document_;
  Scene& scene_;
  Builder build_;
  std::string_view text_;
  Cursor json_;
};

}  // namespace

void read_json(Document& document) {
  Reader(document).run();
}

}  // namespace vesalius::x3d
