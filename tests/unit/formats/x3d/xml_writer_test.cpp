#include "formats/x3d/xml_writer.hpp"

#include <gtest/gtest.h>

namespace vesalius::x3d {
namespace {

TEST(XmlWriter, EscapesNestsAndWritesShortestNumbers) {
  XmlWriter xml;
  xml.open("X3D").attribute("a", "<&\"'>\n");
  xml.open("Group").vector("v", Vec3(0.1, -0.0, 1e-7)).boolean("b", true);
  xml.list("n", [](auto append) {
    append(1);
    append(0.25);
  });
  xml.close();
  xml.close();
  EXPECT_EQ(xml.take(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<X3D a=\"&lt;&amp;&quot;'&gt;&#10;\">\n  <Group v=\"0.1 0 1e-07\" b=\"true\" "
            "n=\"1 0.25\"/>\n</X3D>\n");
}

TEST(XmlWriter, B29StringListsKeepQuotesAndBackslashes) {
  XmlWriter xml;
  const std::vector<std::string> values{"a \"b\"", "c\\d"};
  xml.open("W").strings("info", values);
  xml.close();
  EXPECT_NE(xml.take().find("info=\"&quot;a \\&quot;b\\&quot;&quot; &quot;c\\\\d&quot;\""), std::string::npos);
}

}  // namespace
}  // namespace vesalius::x3d
