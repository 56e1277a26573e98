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

#include "formats/x3d/codes.hpp"
#include "formats/x3d/defaults.hpp"
#include "formats/x3d/findings.hpp"
#include "formats/x3d/readers.hpp"
#include "foundation/xerces.hpp"

namespace vesalius::x3d {
namespace {

namespace xc = xercesc;

/// Thrown to end a parse whose reason is already in the sink.
struct Stop {};

class Handler : public xc::DefaultHandler {
 public:
  Handler(Scene& scene, Diagnostics& sink) : scene_(scene), sink_(sink) {}

  void setDocumentLocator(const xc::Locator* locator) override { locator_ = locator; }

  void startElement(const XMLCh*, const XMLCh*, const XMLCh* qname, const xc::Attributes& attributes) override {
    if (skip_ > 0) {
      ++skip_;
      return;
    }
    if (stack_.size() >= most_depth) {
      sink_.error(codes::x3d_too_deep, "elements are nested more than " + std::to_string(most_depth) + " deep", here());
      throw Stop{};
    }
    if (scene_.node_count() >= most_nodes) {
      sink_.error(codes::x3d_too_many_nodes, "there are more than " + std::to_string(most_nodes) + " nodes", here());
      throw Stop{};
    }
    const std::string_view name = narrow(qname);
    Frame frame;
    if (name == "X3D") {
      scene_.version = value(attributes, "version");
      scene_.profile = value(attributes, "profile");
    } else if (name == "Scene" || name == "head") {
      // Their children speak for themselves.
    } else if (name == "meta") {
      scene_.meta.emplace_back(value(attributes, "name"), value(attributes, "content"));
    } else if (name == "unit") {
      const std::string factor = value(attributes, "conversionFactor");
      if (!is_one(factor)) {
        sink_.warning(codes::x3d_unit_ignored, unit_message(value(attributes, "category"), factor), here());
      }
      skip_ = 1;
      return;
    } else if (name == "component" || name == "IS" || name == "IMPORT" || name == "EXPORT") {
      skip_ = 1;
      return;
    } else if (name == "ROUTE") {
      Route route;
      route.from_node = scene_.keep(value(attributes, "fromNode"));
      route.from_field = scene_.keep(value(attributes, "fromField"));
      route.to_node = scene_.keep(value(attributes, "toNode"));
      route.to_field = scene_.keep(value(attributes, "toField"));
      route.offset = place();
      scene_.routes.push_back(route);
    } else if (name == "ProtoDeclare" || name == "ExternProtoDeclare") {
      Proto proto;
      proto.name = scene_.keep(value(attributes, "name"));
      proto.is_external = name == "ExternProtoDeclare";
      proto.offset = place();
      scene_.protos.push_back(std::move(proto));
      frame.is_proto = true;
    } else if (name == "ProtoBody") {
      skip_ = 1;
      return;
    } else if (name == "ProtoInterface") {
      frame.is_proto = true;
    } else if (name == "field") {
      if (!stack_.empty() && stack_.back().is_proto) {
        scene_.protos.back().interface.push_back(
            {scene_.keep(value(attributes, "accessType")), scene_.keep(value(attributes, "type")), scene_.keep(value(attributes, "name"))});
      }
      skip_ = 1;  // default values and Script fields hold nothing that is drawn
      return;
    } else if (name == "fieldValue") {
      Node* instance = top();
      if (instance != nullptr) {
        const Offset offset = place();
        check_field_count(*instance, offset);
        Field& field = instance->fields.emplace_back();
        field.name = scene_.keep(value(attributes, "name"));
        field.offset = offset;
        const XMLCh* text = attributes.getValue(value_name_.data());
        if (text != nullptr) field.text = scene_.keep(utf8(text));
        frame.node = instance;
        frame.field = instance->fields.size() - 1;
        frame.has_field = true;
      }
    } else {
      frame.node = add_node(name, attributes);
    }
    stack_.push_back(frame);
  }

  void endElement(const XMLCh*, const XMLCh*, const XMLCh*) override {
    if (skip_ > 0) {
      --skip_;
      return;
    }
    if (!stack_.empty()) stack_.pop_back();
  }

  xc::InputSource* resolveEntity(const XMLCh*, const XMLCh*) override { return new xc::MemBufInputSource(nothing_, 0, "empty"); }
  void warning(const xc::SAXParseException&) override {}
  void error(const xc::SAXParseException& e) override { fatalError(e); }
  void fatalError(const xc::SAXParseException& e) override {
    const std::size_t byte = scene_.byte_at(static_cast<std::uint32_t>(e.getLineNumber()), static_cast<std::uint32_t>(e.getColumnNumber()));
    sink_.error(codes::x3d_not_well_formed, utf8(e.getMessage()), scene_.at_byte(byte, top()));
    throw Stop{};
  }

  /// USE of a name that was defined later, or never.
  void finish() {
    for (const Pending& pending : pending_) {
      Node* node = scene_.find_def(pending.name);
      if (node == nullptr) {
        unknown_use_.add(sink_, "USE '" + std::string(pending.name) + "' names no node of this file; it was left out",
                         [&] { return scene_.locate(pending.offset); });
        continue;
      }
      use_before_def_.add(sink_, "USE '" + std::string(pending.name) + "' stands before the node is defined",
                          [&] { return scene_.locate(pending.offset); });
      attach(pending.parent, pending.field, {node, true, pending.offset}, pending.container);
    }
  }

 private:
  struct Frame {
    Node* node = nullptr;
    std::size_t field = 0;
    bool has_field = false;  ///< children go into fields[field] of node (a fieldValue)
    bool is_proto = false;
  };
  struct Pending {
    std::string_view name, container;
    Node* parent;
    std::size_t field;
    Offset offset;
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
  Offset place() {
    return scene_.add_tag_end(static_cast<std::uint32_t>(locator_->getLineNumber()),
                              static_cast<std::uint32_t>(locator_->getColumnNumber()));
  }
  Location here() { return scene_.locate(place(), top()); }
  Node* top() { return stack_.empty() ? nullptr : stack_.back().node; }

  Node* add_node(std::string_view element, const xc::Attributes& attributes) {
    const bool instance = element == "ProtoInstance";
    const std::string_view type = instance ? scene_.intern(value(attributes, "name")) : scene_.intern(element);
    const Offset offset = place();
    std::string_view use, container, def;
    const XMLSize_t count = attributes.getLength();
    Node* node = nullptr;
    for (XMLSize_t i = 0; i < count; ++i) {
      const std::string_view name = narrow(attributes.getQName(i));
      if (name == "USE") {
        use = scene_.keep(utf8(attributes.getValue(i)));
      } else if (name == "containerField") {
        container = scene_.intern(utf8(attributes.getValue(i)));
      }
    }
    Node* parent = top();
    const std::size_t field = !stack_.empty() && stack_.back().has_field ? stack_.back().field : no_field;
    if (!use.empty()) {
      Node* target = scene_.find_def(use);
      if (container.empty() && parent != nullptr) container = default_container(parent->type, type, true);
      if (target == nullptr) {
        pending_.push_back({use, container, parent, field, offset});
      } else {
        attach(parent, field, {target, true, offset}, container);
      }
      return nullptr;
    }
    node = &scene_.add_node();
    node->type = type;
    node->offset = offset;
    node->parent = parent;
    node->is_proto_instance = instance;
    node->container_field = container;
    node->fields.reserve(count);
    for (XMLSize_t i = 0; i < count; ++i) {
      const std::string_view name = narrow(attributes.getQName(i));
      if (name == "containerField" || (instance && name == "name") || name == "class" || name == "id") continue;
      const std::string_view key = name == "DEF" ? std::string_view("DEF") : scene_.intern(name);
      const XMLCh* wide = attributes.getValue(i);
      std::string text;
      append_utf8(text, wide, xc::XMLString::stringLen(wide));
      const std::string_view kept = scene_.keep(std::move(text));
      if (key == "DEF") {
        def = kept;
        continue;
      }
      Field& own = node->fields.emplace_back();
      own.name = key;
      own.text = kept;
      own.offset = offset;
    }
    if (!def.empty()) {
      node->def = def;
      if (scene_.find_def(def) != nullptr) {
        duplicate_def_.add(sink_, "DEF '" + std::string(def) + "' occurs twice; later USEs mean the last one",
                           [&] { return scene_.locate(offset); });
      }
      scene_.set_def(def, node);
    }
    if (container.empty() && parent != nullptr) container = default_container(parent->type, type, false);
    attach(parent, field, {node, false, offset}, container);
    return node;
  }

  void check_field_count(const Node& node, Offset offset) {
    if (node.fields.size() < most_fields) return;
    sink_.error(codes::x3d_too_many_fields, "node " + std::string(node.type) + " has more than " + std::to_string(most_fields) + " fields",
                scene_.locate(offset, &node));
    throw Stop{};
  }

  void attach(Node* parent, std::size_t field, const Child& child, std::string_view container) {
    if (parent == nullptr) {
      scene_.roots.push_back(child);
      return;
    }
    if (field != no_field) {
      parent->fields[field].nodes.push_back(child);
      parent->fields[field].is_node = true;
      return;
    }
    const auto found = std::ranges::find_if(parent->fields, [&](const Field& f) { return f.is_node && f.name == container; });
    if (found == parent->fields.end()) check_field_count(*parent, child.offset);
    Field& own = found != parent->fields.end() ? *found : parent->fields.emplace_back();
    own.name = container;
    own.offset = child.offset;
    own.is_node = true;
    own.nodes.push_back(child);
  }

  static constexpr std::size_t no_field = static_cast<std::size_t>(-1);
  RepeatedWarning duplicate_def_{codes::x3d_duplicate_def, "more names are defined twice"};
  RepeatedWarning unknown_use_{codes::x3d_unknown_use, "more USEs name no node of this file; they were left out"};
  RepeatedWarning use_before_def_{codes::x3d_use_before_def, "more USEs stand before their node is defined"};
  Scene& scene_;
  Diagnostics& sink_;
  const xc::Locator* locator_ = nullptr;
  std::vector<Frame> stack_;
  std::vector<Pending> pending_;
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
bool declares_entities(const Scene& scene, Diagnostics& sink) {
  const std::string_view text = scene.source;
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
      sink.error(codes::x3d_entity_declaration,
                 "the document declares entities of its own; only the five built-in ones and character references are read",
                 scene.at_byte(at));
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

}  // namespace

void read_xml(Scene& scene, bool, Diagnostics& sink) {
  scene.encoding = "X3D XML";
  if (declares_entities(scene, sink)) return;
  start_xerces();
  Handler handler(scene, sink);
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
    const xc::MemBufInputSource source(reinterpret_cast<const XMLByte*>(scene.source.data()), scene.source.size(), "memory");
    // The text is UTF-8 by now, whatever its declaration says.
    const_cast<xc::MemBufInputSource&>(source).setEncoding(xc::XMLUni::fgUTF8EncodingString);
    reader->parse(source);
  } catch (const Stop&) {
    return;
  } catch (const xc::XMLException& e) {
    sink.error(codes::x3d_not_well_formed, utf8(e.getMessage()), {scene.file, 0, 0, {}});
    return;
  } catch (const xc::SAXException& e) {
    sink.error(codes::x3d_not_well_formed, utf8(e.getMessage()), {scene.file, 0, 0, {}});
    return;
  }
  handler.finish();
}

}  // namespace vesalius::x3d
