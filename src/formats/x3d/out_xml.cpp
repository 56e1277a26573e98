// X3D XML.
#include "formats/x3d/defaults.hpp"
#include "formats/x3d/out_tree.hpp"

namespace vesalius::x3d {
namespace {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        // Control characters that XML cannot hold are left out.
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  ((out += ' ') += name) += "=\"";
  append_escaped(out, value);
  out += '"';
}

std::string quoted(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += ' ';
    text += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

void append_start(std::string& out, OutNode& node, std::string_view field) {
  (out += '<') += node.type;
  if (!node.use.empty()) append_attribute(out, "USE", node.use);
  if (!node.def.empty()) append_attribute(out, "DEF", node.def);
  // The standard's default depends on the child alone. Players disagree on that of metadata: it is always written.
  const bool metadata = node.type.starts_with("Metadata");
  if (!field.empty() && (metadata || field != default_container({}, node.type, false))) append_attribute(out, "containerField", field);
  for (OutField& own : node.fields) {
    if (own.kind == OutField::Kind::nodes) continue;
    if (own.kind == OutField::Kind::strings) {
      append_attribute(out, own.name, quoted(own.strings));
    } else if (own.kind == OutField::Kind::string) {
      append_attribute(out, own.name, own.text);
    } else {
      (((out += ' ') += own.name) += "=\"") += own.text;  // numbers need no escapes
      out += '"';
    }
    std::string().swap(own.text);
  }
}

/// The node with everything below it; deep figures must not need a deep call stack.
void append_node(std::string& out, OutNode& top, std::size_t indent) {
  struct Step {
    OutNode* node;
    std::size_t field = 0, child = 0;
    bool opened = false;
  };
  const auto begin = [&](OutNode& node, std::string_view field, std::size_t depth) {
    out.append(2 * depth, ' ');
    append_start(out, node, field);
  };
  std::vector<Step> stack{{&top}};
  begin(top, {}, indent);
  while (!stack.empty()) {
    Step& step = stack.back();
    OutNode& node = *step.node;
    while (step.field < node.fields.size() &&
           (node.fields[step.field].kind != OutField::Kind::nodes || step.child == node.fields[step.field].nodes.size())) {
      ++step.field;
      step.child = 0;
    }
    const std::size_t depth = indent + stack.size() - 1;
    if (step.field == node.fields.size()) {
      if (step.opened) {
        out.append(2 * depth, ' ');
        ((out += "</") += node.type) += ">\n";
      } else {
        out += "/>\n";
      }
      stack.pop_back();
      continue;
    }
    if (!step.opened) out += ">\n";
    step.opened = true;
    const OutField& field = node.fields[step.field];
    OutNode& child = *field.nodes[step.child++];
    begin(child, field.name, depth + 1);
    stack.push_back({&child});
  }
}

}  // namespace

std::string to_x3d_xml(OutScene scene) {
  const std::string& version = scene.version;
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D " + version +
                    "//EN\" \"https://www.web3d.org/specifications/x3d-" + version + ".dtd\">\n<X3D profile=\"" + scene.profile +
                    "\" version=\"" + version +
                    "\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema-instance\" "
                    "xsd:noNamespaceSchemaLocation=\"https://www.web3d.org/specifications/x3d-" +
                    version + ".xsd\">\n  <head>\n";
  for (const auto& [name, level] : scene.components)
    out += "    <component name=\"" + name + "\" level=\"" + std::to_string(level) + "\"/>\n";
  for (const auto& [name, content] : scene.meta) {
    out += "    <meta";
    append_attribute(out, "name", name);
    append_attribute(out, "content", content);
    out += "/>\n";
  }
  out += "  </head>\n  <Scene>\n";
  for (OutNode* root : scene.roots) append_node(out, *root, 2);
  for (const OutRoute& route : scene.routes) {
    out += "    <ROUTE";
    append_attribute(out, "fromNode", route.from_node);
    append_attribute(out, "fromField", route.from_field);
    append_attribute(out, "toNode", route.to_node);
    append_attribute(out, "toField", route.to_field);
    out += "/>\n";
  }
  return out += "  </Scene>\n</X3D>\n";
}

}  // namespace vesalius::x3d
