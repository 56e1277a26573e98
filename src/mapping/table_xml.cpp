#include "mapping/table_xml.hpp"

#include <memory>
#include <xercesc/framework/MemBufInputSource.hpp>
#include <xercesc/sax/Locator.hpp>
#include <xercesc/sax2/Attributes.hpp>
#include <xercesc/sax2/DefaultHandler.hpp>
#include <xercesc/sax2/SAX2XMLReader.hpp>
#include <xercesc/sax2/XMLReaderFactory.hpp>
#include <xercesc/util/XMLUni.hpp>
#include <xercesc/validators/common/Grammar.hpp>

#include "foundation/xerces.hpp"
#include "mapping/codes.hpp"
#include "mapping/embedded.hpp"

namespace vesalius::mapping_detail {

std::string Element::text(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? std::string() : found->second;
}

std::vector<std::string> Element::words(std::string_view attribute) const {
  std::vector<std::string> result;
  std::string word;
  for (const char c : text(attribute) + " ") {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (!word.empty()) result.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return result;
}

namespace {

namespace xc = xercesc;

constexpr std::size_t most_depth = 16;

/// Builds the element tree; every fault becomes a finding with its place.
class Handler : public xc::DefaultHandler {
 public:
  Handler(const std::string& file, Diagnostics& sink) : file_(file), sink_(sink) {}

  void setDocumentLocator(const xc::Locator* locator) override { locator_ = locator; }

  void startElement(const XMLCh*, const XMLCh* local, const XMLCh*, const xc::Attributes& attributes) override {
    if (stack_.size() >= most_depth) {
      sink_.error(codes::mapping_schema, "elements are nested too deeply", place());
      throw xc::SAXException("too deep");
    }
    Element element;
    element.name = utf8(local);
    element.where = place();
    for (XMLSize_t i = 0; i < attributes.getLength(); ++i)
      element.attributes[utf8(attributes.getLocalName(i))] = utf8(attributes.getValue(i));
    stack_.push_back(std::move(element));
  }
  void endElement(const XMLCh*, const XMLCh*, const XMLCh*) override {
    Element done = std::move(stack_.back());
    stack_.pop_back();
    if (stack_.empty()) {
      root = std::move(done);
    } else {
      stack_.back().children.push_back(std::move(done));
    }
  }
  xc::InputSource* resolveEntity(const XMLCh*, const XMLCh*) override { return new xc::MemBufInputSource(nothing_, 0, "empty"); }
  void startEntity(const XMLCh*) override {}
  void startDTD(const XMLCh*, const XMLCh*, const XMLCh*) override {
    sink_.error(codes::mapping_not_xml, "a table has no DOCTYPE", place());
    throw xc::SAXException("doctype");
  }

  void warning(const xc::SAXParseException& e) override { add(e, codes::mapping_schema); }
  void error(const xc::SAXParseException& e) override { add(e, codes::mapping_schema); }
  void fatalError(const xc::SAXParseException& e) override { add(e, codes::mapping_not_xml); }

  std::optional<Element> root;

 private:
  [[nodiscard]] Location place() const {
    Location where{file_, 0, 0, {}};
    if (locator_ != nullptr) {
      where.line = static_cast<std::uint32_t>(locator_->getLineNumber());
      where.column = static_cast<std::uint32_t>(locator_->getColumnNumber());
    }
    return where;
  }
  void add(const xc::SAXParseException& e, Code code) {
    Location where{file_, static_cast<std::uint32_t>(e.getLineNumber()), static_cast<std::uint32_t>(e.getColumnNumber()), {}};
    std::string path;
    for (const Element& element : stack_) path += "/" + element.name;
    where.path = path;
    sink_.error(code, utf8(e.getMessage()), std::move(where));
  }

  const std::string& file_;
  Diagnostics& sink_;
  const xc::Locator* locator_ = nullptr;
  std::vector<Element> stack_;
  const XMLByte nothing_[1] = {0};
};

/// Name of the first element, found without a parser: it decides which schema applies.
std::string_view root_name(std::string_view xml) {
  for (std::size_t i = 0; i + 1 < xml.size(); ++i) {
    if (xml[i] != '<') continue;
    if (xml.substr(i, 4) == "<!--") {
      const auto end = xml.find("-->", i);
      if (end == std::string_view::npos) return {};
      i = end;
      continue;
    }
    if (xml[i + 1] == '?' || xml[i + 1] == '!') continue;
    std::size_t end = i + 1;
    while (end < xml.size() && xml[end] != ' ' && xml[end] != '>' && xml[end] != '/' && xml[end] != '\n' && xml[end] != '\r' &&
           xml[end] != '\t')
      ++end;
    return xml.substr(i + 1, end - i - 1);
  }
  return {};
}

}  // namespace

std::optional<Element> read_table(std::string_view xml, const std::string& file, Diagnostics& sink) {
  if (xml.starts_with("\xEF\xBB\xBF")) xml.remove_prefix(3);
  const std::string_view root = root_name(xml);
  const std::string_view schema = root == "profile"   ? profile_schema()
                                  : root == "mapping" ? mapping_schema()
                                  : root == "rigs"    ? rigs_schema()
                                                      : std::string_view();
  if (schema.empty()) {
    sink.error(codes::mapping_unknown_kind,
               "found '" + std::string(root.substr(0, 60)) + "' as the outermost element; expected 'profile', 'mapping' or 'rigs'",
               {file, 1, 1, {}});
    return std::nullopt;
  }
  start_xerces();
  const std::size_t faults = sink.count(Severity::error);
  try {
    const std::unique_ptr<xc::SAX2XMLReader> reader(xc::XMLReaderFactory::createXMLReader());
    Handler handler(file, sink);
    reader->setFeature(xc::XMLUni::fgSAX2CoreNameSpaces, true);
    reader->setFeature(xc::XMLUni::fgSAX2CoreValidation, true);
    reader->setFeature(xc::XMLUni::fgXercesDynamic, false);
    reader->setFeature(xc::XMLUni::fgXercesSchema, true);
    reader->setFeature(xc::XMLUni::fgXercesSchemaFullChecking, false);
    reader->setFeature(xc::XMLUni::fgXercesLoadExternalDTD, false);
    reader->setFeature(xc::XMLUni::fgXercesLoadSchema, false);
    reader->setFeature(xc::XMLUni::fgXercesDisableDefaultEntityResolution, true);
    reader->setFeature(xc::XMLUni::fgXercesUseCachedGrammarInParse, true);
    reader->setErrorHandler(&handler);
    reader->setEntityResolver(&handler);
    const xc::MemBufInputSource schema_source(reinterpret_cast<const XMLByte*>(schema.data()), schema.size(), "schema");
    reader->loadGrammar(schema_source, xc::Grammar::SchemaGrammarType, true);
    reader->setContentHandler(&handler);
    reader->setLexicalHandler(&handler);
    const xc::MemBufInputSource source(reinterpret_cast<const XMLByte*>(xml.data()), xml.size(), file.c_str());
    reader->parse(source);
    if (sink.count(Severity::error) > faults) return std::nullopt;
    return std::move(handler.root);
  } catch (const xc::XMLException& e) {
    sink.error(codes::mapping_not_xml, utf8(e.getMessage()), {file, 0, 0, {}});
  } catch (const xc::SAXException& e) {
    if (sink.count(Severity::error) == faults) sink.error(codes::mapping_not_xml, utf8(e.getMessage()), {file, 0, 0, {}});
  }
  return std::nullopt;
}

}  // namespace vesalius::mapping_detail
