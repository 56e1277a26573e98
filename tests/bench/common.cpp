#include "common.hpp"

#include <memory>
#include <xercesc/framework/MemBufInputSource.hpp>
#include <xercesc/sax2/DefaultHandler.hpp>
#include <xercesc/sax2/SAX2XMLReader.hpp>
#include <xercesc/sax2/XMLReaderFactory.hpp>
#include <xercesc/util/XMLUni.hpp>

#include "figure.hpp"

namespace vesalius::bench {

std::size_t vertices_wanted() {
  const char* text = std::getenv("VESALIUS_BENCH_VERTICES");
  return text == nullptr ? 200'000 : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

const std::string& figure() {
  static const std::string text = figure_x3d(tables(), vertices_wanted());
  return text;
}

// As for any file that is read once, the parser is made and its buffers grow within the time.
void scan(const std::string& text) {
  const std::unique_ptr<xercesc::SAX2XMLReader> reader(xercesc::XMLReaderFactory::createXMLReader());
  reader->setProperty(xercesc::XMLUni::fgXercesScannerName, const_cast<XMLCh*>(xercesc::XMLUni::fgWFXMLScanner));
  reader->setFeature(xercesc::XMLUni::fgSAX2CoreNameSpaces, false);
  reader->setFeature(xercesc::XMLUni::fgXercesSchema, false);
  xercesc::DefaultHandler nothing;
  reader->setContentHandler(&nothing);
  reader->setErrorHandler(&nothing);
  const xercesc::MemBufInputSource source(reinterpret_cast<const XMLByte*>(text.data()), text.size(), "figure", false);
  reader->parse(source);
}

}  // namespace vesalius::bench
