// X3D XML: one SAX2 pass of Xerces-C over the text in memory.
#include <algorithm>
#include <memory>
#include <xercesc/framework/MemBufInputSource.hpp>
#include <xercesc/sax/Locator.hpp>
#include <xercesc/sax2/Attributes.hpp>
#include <xercesc/sax2/DefaultHandler.hpp>
#include <xercesc/sax2/SAX2XMLReader.hpp>
#include <xercesc/sax2/XMLReaderFactory.hpp>
#include <xercesc/util/XMLString.hpp>
#include <xercesc/util/XMLUni.hpp>

#include "formats/x3d/building.hpp"
#include "formats/x3d/defaults.hpp"
#include "foundation/xerces.hpp"

namespace vesalius::x3d {
namespace {

namespace xc = xercesc;

class Handler : public xc::DefaultHandler {
 public:
  explicit Handler(Document& document) : document_(document), scene_(document.scene), sink_(document.sink), build_(document) {
    stack_.push_back({&document.top});
  }

  void setDocumentLocator(const xc::Locator* locator) override { locator_ = locator; }

  void startElement(const XMLCh*, const XMLCh*, const XMLCh* qname, const xc::Attributes& attributes) override {
    if (skip_ > 0) {
      ++skip_;
      return;
    }
    if (stack_.size() >= most_depth) build_.check_depth(stack_.size(), place());
    const std::string_view name = narrow(qname);
    Frame frame = stack_.back();
    frame.leaves_scope = false;
    if (name == "X3D") {
      if (document_.is_main) {
        scene_.version = value(attributes, "version");
        scene_.profile = value(attributes, "profile");
      }
    } else if (name == "Scene" || name == "head") {
      // Their children speak for themselves.
    } else if (name == "meta") {
      if (document_.is_main) scene_.meta.emplace_back(value(attributes, "name"), value(attributes, "content"));
    } else if (name == "unit") {
      const std::string factor = value(attributes, "conversionFactor");
      if (!is_one(factor)) sink_.warning(codes::x3d_unit_ignored, unit_message(value(attributes, "category"), factor), here());
      skip_ = 1;
      return;
    } else if (name == "component") {
      skip_ = 1;
      return;
    } else if (name == "IMPORT" || name == "EXPORT") {
      name_across_files(name == "IMPORT", attributes);
      skip_ = 1;
      return;
    } else if (name == "ROUTE") {
      build_.scope().routes.push_back({kept(attributes, "fromNode"), kept(attributes, "fromField"), kept(attributes, "toNode"),
                                       kept(attributes, "toField"), place(), document_.source});
    } else if (name == "ProtoDeclare" || name == "ExternProtoDeclare") {
      Proto& proto = build_.declare(kept(attributes, "name"), name == "ExternProtoDeclare", place());
      if (proto.is_external) proto.urls = strings(value(attributes, "url"));
      frame = {nullptr, no_field, &proto};
    } else if (name == "ProtoInterface") {
      // Its field elements follow.
    } else if (name == "ProtoBody") {
      if (frame.proto == nullptr) {
        skip_ = 1;
        return;
      }
      build_.enter(*frame.proto);
      frame = {frame.proto->body};
      frame.leaves_scope = true;
    } else if (name == "field") {
      if (frame.proto != nullptr) {
        frame.proto->interface.push_back({kept(attributes, "accessType"), kept(attributes, "type"), kept(attributes, "name")});
        frame = {frame.proto->defaults};
      }
      if (!given_field(frame, attributes)) {
        skip_ = 1;
        return;
      }
    } else if (name == "fieldValue") {
      if (!given_field(frame, attributes)) {
        skip_ = 1;
        return;
      }
    } else if (name == "IS") {
      // The connect elements follow.
    } else if (name == "connect") {
      if (frame.owner != nullptr && !build_.is_holder(*frame.owner)) {
        Field& link = build_.field(*frame.owner, kept(attributes, "nodeField"), place(), TextStyle::xml);
        link.text = kept(attributes, "protoField");
        link.is_link = true;
      }
      skip_ = 1;
      return;
    } else if (frame.proto != nullptr && frame.owner == nullptr) {
      skip_ = 1;  // a node where only an interface or a body can be
      return;
    } else {
      frame = {add_node(name, attributes)};
      if (frame.owner == nullptr) {
        skip_ = 1;  // what a USE has inside
        return;
      }
    }
    stack_.push_back(frame);
  }

  void endElement(const XMLCh*, const XMLCh*, const XMLCh*) override {
    if (skip_ > 0) {
      --skip_;
      return;
    }
    if (stack_.back().leaves_scope) build_.leave();
    stack_.pop_back();
  }

  xc::InputSource* resolveEntity(const XMLCh*, const XMLCh*) override { return new xc::MemBufInputSource(nothing_, 0, "empty"); }
  void warning(const xc::SAXParseException&) override {}
  void error(const xc::SAXParseException& e) override { fatalError(e); }
  void fatalError(const xc::SAXParseException& e) override {
    const std::size_t byte =
        scene_.byte_at(document_.source, static_cast<std::uint32_t>(e.getLineNumber()), static_cast<std::uint32_t>(e.getColumnNumber()));
    sink_.error(codes::x3d_not_well_formed, utf8(e.getMessage()), scene_.at_byte(document_.source, byte, top()));
    throw Stop{};
  }

 private:
  static constexpr std::size_t no_field = static_cast<std::size_t>(-1);
  struct Frame {
    Node* owner = nullptr;         ///< where child nodes go
    std::size_t field = no_field;  ///< into this field of it (a fieldValue), else by containerField
    Proto* proto = nullptr;        ///< a declaration that is read
    bool leaves_scope = false;     ///< its end ends a prototype's body
  };

  /// An ASCII name in a buffer that the next call overwrites.
  std::string_view narrow(const XMLCh* text) {
    buffer_.clear();
    append_utf8(buffer_, text, xc::XMLString::stringLen(text));
    return buffer_;
  }
  static std::string value(const xc::Attributes& attributes, const char* name) {
    std::vector<XMLCh> wide(name, name + std::char_traits<char>::length(name));
    wide.push_back(0);
    const XMLCh* text = attributes.getValue(wide.data());
    return text == nullptr ? std::string() : utf8(text);
  }
  std::string_view kept(const xc::Attributes& attributes, const char* name) { return scene_.keep(value(attributes, name)); }
  static std::vector<std::string> strings(const std::string& text) {
    Field field;
    field.text = text;
    return parse_strings(field);
  }
  Offset place() {
    return scene_.add_tag_end(document_.source, static_cast<std::uint32_t>(locator_->getLineNumber()),
                              static_cast<std::uint32_t>(locator_->getColumnNumber()));
  }
  Location here() { return scene_.locate(document_.source, place(), top()); }
  /// The node around the current place, or null.
  Node* top() {
    Node* owner = stack_.empty() ? nullptr : stack_.back().owner;
    return owner == nullptr || build_.is_holder(*owner) ? nullptr : owner;
  }

  void name_across_files(bool import, const xc::Attributes& attributes) {
    const std::string as = value(attributes, "AS");
    if (import) {
      Scope::Import made{kept(attributes, "inlineDEF"), kept(attributes, "importedDEF"), {}, place(), document_.source};
      if (made.exported.empty()) made.exported = kept(attributes, "exportedDEF");
      made.as = as.empty() ? made.exported : scene_.keep(as);
      build_.scope().imports.push_back(made);
    } else {
      const std::string_view def = kept(attributes, "localDEF");
      build_.scope().exports[as.empty() ? def : scene_.keep(as)] = def;
    }
  }

  /// A field that stands in an element of its own, with its value in an attribute or as child nodes.
  bool given_field(Frame& frame, const xc::Attributes& attributes) {
    if (frame.owner == nullptr) return false;
    Field& field = build_.field(*frame.owner, kept(attributes, "name"), place(), TextStyle::xml);
    if (const XMLCh* text = attributes.getValue(value_name_.data()); text != nullptr) field.text = scene_.keep(utf8(text));
    frame.field = frame.owner->fields.size() - 1;
    return true;
  }

  Node* add_node(std::string_view element, const xc::Attributes& attributes) {
    const bool instance = element == "ProtoInstance";
    const std::string_view type = instance ? scene_.intern(value(attributes, "name")) : scene_.intern(element);
    const Offset offset = place();
    std::string_view use, container, def;
    const XMLSize_t count = attributes.getLength();
    for (XMLSize_t i = 0; i < count; ++i) {
      const std::string_view name = narrow(attributes.getQName(i));
      if (name == "USE") {
        use = scene_.keep(utf8(attributes.getValue(i)));
      } else if (name == "containerField") {
        container = scene_.intern(utf8(attributes.getValue(i)));
      } else if (name == "DEF") {
        def = scene_.keep(utf8(attributes.getValue(i)));
      }
    }
    const Frame around = stack_.back();
    Node& owner = *around.owner;
    const auto field_of = [&](bool is_use) {
      if (around.field != no_field) {
        owner.fields[around.field].is_node = true;
        return around.field;
      }
      std::string_view name = "children";
      if (!container.empty()) {
        name = container;
      } else if (!build_.is_holder(owner)) {
        name = default_container(owner.type, type, is_use);
      }
      return build_.node_field(owner, name, offset, TextStyle::xml);
    };
    if (!use.empty()) {
      build_.use(owner, field_of(true), use, offset);
      return nullptr;
    }
    Node& node = build_.node(type, def, offset, top());
    if (instance) build_.instance_of(node);
    node.fields.reserve(count);
    for (XMLSize_t i = 0; i < count; ++i) {
      const std::string_view name = narrow(attributes.getQName(i));
      if (name == "containerField" || name == "DEF" || (instance && name == "name") || name == "class" || name == "id") continue;
      const XMLCh* wide = attributes.getValue(i);
      std::string text;
      append_utf8(text, wide, xc::XMLString::stringLen(wide));
      build_.field(node, scene_.intern(name), offset, TextStyle::xml).text = scene_.keep(std::move(text));
    }
    build_.attach(owner, field_of(false), {&node, offset, document_.source, false});
    return &node;
  }

  Document& document_;
  Scene& scene_;
  Diagnostics& sink_;
  Builder build_;
  const xc::Locator* locator_ = nullptr;
  std::vector<Frame> stack_;
  std::size_t skip_ = 0;  ///< depth inside an element whose content is not read
  std::string buffer_;
  const std::array<XMLCh, 6> value_name_{'v', 'a', 'l', 'u', 'e', 0};
  const XMLByte nothing_[1] = {0};
};

/// End of the quoted text, comment or processing instruction that starts at `at` inside a DOCTYPE; `at` when none does.
std::size_t skip_opaque(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 4) == "<!--") return behind("-->", at + 4);
  if (text.substr(at, 2) == "<?") return behind("?>", at + 2);
  if (text[at] == '"' || text[at] == '\'') return behind(text.substr(at, 1), at + 1);
  return at;
}

/// Refuses an internal subset that declares entities: the scanner skips DOCTYPEs, so that what it declares would silently be missing.
bool declares_entities(const Document& document) {
  const std::string_view text = document.text();
  bool in_doctype = false, in_subset = false;
  for (std::size_t at = 0; at < text.size();) {
    const bool opaque = in_doctype || text[at] == '<';  // before the DOCTYPE only markup counts
    const std::size_t next = opaque ? skip_opaque(text, at) : at;
    if (next != at) {
      at = next;
    } else if (!in_doctype) {
      if (text[at] == '<' && text.substr(at, 9) != "<!DOCTYPE") return false;
      in_doctype = text[at] == '<';
      ++at;
    } else if (text.substr(at, 8) == "<!ENTITY") {
      document.sink.error(codes::x3d_entity_declaration,
                          "the document declares entities of its own; only the five built-in ones and character references are read",
                          document.scene.at_byte(document.source, at));
      return true;
    } else {
      if (text[at] == '[') in_subset = true;
      if (text[at] == ']') in_subset = false;
      if (text[at] == '>' && !in_subset) return false;
      ++at;
    }
  }
  return false;
}

/// Refuses a tag with more attributes than any node has fields: the parser compares each of them with each other.
bool has_too_many_attributes(const Document& document) {
  const std::string_view text = document.text();
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::size_t begin = at;
    std::size_t values = 0;
    if (text.substr(at, 9) == "<![CDATA[") {
      at = std::min(text.find("]]>", at), text.size());
      continue;
    }
    if (const std::size_t behind = skip_opaque(text, at); behind != at) {
      at = behind;
      continue;
    }
    for (++at; at < text.size() && text[at] != '>' && text[at] != '<';) {
      if (text[at] != '"' && text[at] != '\'') {
        ++at;
        continue;
      }
      const std::size_t end = text.find(text[at], at + 1);
      if (end == std::string_view::npos) return false;
      at = end + 1;
      if (++values > most_fields) {
        document.sink.error(codes::x3d_too_many_fields, "an element has more than " + std::to_string(most_fields) + " attributes",
                            document.scene.at_byte(document.source, begin));
        return true;
      }
    }
  }
  return false;
}

}  // namespace

void read_xml(Document& document) {
  document.scene.set_markup(document.source, TextStyle::xml);
  if (declares_entities(document) || has_too_many_attributes(document)) return;
  start_xerces();
  Handler handler(document);
  const std::string_view text = document.text();
  const auto failed = [&](const std::string& message) {
    document.sink.error(codes::x3d_not_well_formed, message, {document.scene.file(document.source), 0, 0, {}});
  };
  try {
    const std::unique_ptr<xc::SAX2XMLReader> reader(xc::XMLReaderFactory::createXMLReader());
    reader->setProperty(xc::XMLUni::fgXercesScannerName, const_cast<XMLCh*>(xc::XMLUni::fgWFXMLScanner));
    reader->setFeature(xc::XMLUni::fgSAX2CoreNameSpaces, false);
    reader->setFeature(xc::XMLUni::fgSAX2CoreValidation, false);
    reader->setFeature(xc::XMLUni::fgXercesSchema, false);
    reader->setFeature(xc::XMLUni::fgXercesLoadExternalDTD, false);
    reader->setFeature(xc::XMLUni::fgXercesDisableDefaultEntityResolution, true);
    reader->setContentHandler(&handler);
    reader->setErrorHandler(&handler);
    reader->setEntityResolver(&handler);
    xc::MemBufInputSource source(reinterpret_cast<const XMLByte*>(text.data()), text.size(), "memory");
    // The text is UTF-8 by now, whatever its declaration says.
    source.setEncoding(xc::XMLUni::fgUTF8EncodingString);
    reader->parse(source);
  } catch (const Stop&) {
  } catch (const xc::XMLException& e) {
    failed(utf8(e.getMessage()));
  } catch (const xc::SAXException& e) {
    failed(utf8(e.getMessage()));
  }
}

}  // namespace vesalius::x3d
