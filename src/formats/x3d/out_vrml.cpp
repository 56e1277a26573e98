// ClassicVRML and VRML97.
#include "formats/x3d/out_tree.hpp"

namespace vesalius::x3d {
namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c != '\0') out += c;
  }
  out += '"';
}

void append_values(std::string& out, OutNode& node, std::size_t depth) {
  for (OutField& field : node.fields) {
    if (field.kind == OutField::Kind::nodes) continue;
    out.append(2 * depth, ' ');
    (out += field.name) += ' ';
    switch (field.kind) {
      case OutField::Kind::string:
        append_quoted(out, field.text);
        break;
      case OutField::Kind::strings:
        out += "[ ";
        for (const std::string& value : field.strings) {
          append_quoted(out, value);
          out += ' ';
        }
        out += ']';
        break;
      case OutField::Kind::truth:
        out += field.text == "true" ? "TRUE" : "FALSE";
        break;
      case OutField::Kind::list:
        ((out += "[ ") += field.text) += " ]";
        break;
      default:
        out += field.text;
    }
    out += '\n';
    std::string().swap(field.text);
  }
}

void append_node(std::string& out, OutNode& top) {
  struct Step {
    OutNode* node;
    std::size_t indent = 0;
    std::size_t field = 0, child = 0;
  };
  std::vector<Step> stack;
  /// Writes the head of a node; false when it is a USE and done.
  const auto begin = [&](OutNode& node, std::size_t indent) {
    if (!node.use.empty()) {
      ((out += "USE ") += node.use) += '\n';
      return;
    }
    if (!node.def.empty()) ((out += "DEF ") += node.def) += ' ';
    (out += node.type) += " {\n";
    append_values(out, node, indent + 1);
    stack.push_back({&node, indent});
  };
  begin(top, 0);
  while (!stack.empty()) {
    Step& step = stack.back();
    OutNode& node = *step.node;
    while (step.field < node.fields.size() && node.fields[step.field].kind != OutField::Kind::nodes) ++step.field;
    if (step.field == node.fields.size()) {
      out.append(2 * step.indent, ' ');
      out += "}\n";
      stack.pop_back();
      continue;
    }
    const OutField& field = node.fields[step.field];
    const bool single = holds_one_node(field.name);
    const std::size_t indent = step.indent + 1;
    if (step.child == 0) {
      out.append(2 * indent, ' ');
      out += field.name;
      out += single ? " " : " [\n";
    }
    if (step.child == field.nodes.size()) {
      if (!single) {
        out.append(2 * indent, ' ');
        out += "]\n";
      }
      ++step.field;
      step.child = 0;
      continue;
    }
    OutNode& child = *field.nodes[step.child++];
    if (!single) out.append(2 * (indent + 1), ' ');
    begin(child, single ? indent : indent + 1);
  }
}

}  // namespace

std::string to_vrml(OutScene scene, bool vrml97) {
  std::string out;
  if (vrml97) {
    out = "#VRML V2.0 utf8\n\n";
    // VRML97 has no META; WorldInfo says what the file is.
    std::vector<std::string> info;
    std::string title;
    for (const auto& [name, content] : scene.meta) {
      if (name == "title")
        title = content;
      else
        info.push_back(name + "=" + content);
    }
    out += "WorldInfo {\n  title ";
    append_quoted(out, title);
    out += "\n  info [ ";
    for (const std::string& line : info) {
      append_quoted(out, line);
      out += ' ';
    }
    out += "]\n}\n\n";
  } else {
    out = "#X3D V" + scene.version + " utf8\n\nPROFILE " + scene.profile + "\n";
    for (const auto& [name, level] : scene.components) out += "COMPONENT " + name + ":" + std::to_string(level) + "\n";
    for (const auto& [name, content] : scene.meta) {
      out += "META ";
      append_quoted(out, name);
      out += ' ';
      append_quoted(out, content);
      out += '\n';
    }
    out += '\n';
  }
  out += scene.prototypes;
  for (OutNode* root : scene.roots) append_node(out, *root);
  for (const OutRoute& route : scene.routes)
    out += "ROUTE " + route.from_node + "." + route.from_field + " TO " + route.to_node + "." + route.to_field + "\n";
  return out;
}

}  // namespace vesalius::x3d
