// X3D JSON.
#include <algorithm>

#include "formats/x3d/out_tree.hpp"

namespace vesalius::x3d {
namespace {

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      ((out += "\\u00") += digits[static_cast<unsigned char>(c) >> 4]) += digits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_list(std::string& out, const std::string& numbers) {
  const std::size_t begin = out.size();
  out += '[';
  out += numbers;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), ' ', ',');
  out += ']';
}

void append_values(std::string& out, OutNode& node, bool& first) {
  const auto key = [&](std::string_view name) {
    if (!first) out += ',';
    first = false;
    ((out += "\"@") += name) += "\":";
  };
  if (!node.use.empty()) {
    key("USE");
    append_quoted(out, node.use);
  }
  if (!node.def.empty()) {
    key("DEF");
    append_quoted(out, node.def);
  }
  for (OutField& field : node.fields) {
    if (field.kind == OutField::Kind::nodes) continue;
    key(field.name);
    switch (field.kind) {
      case OutField::Kind::string:
        append_quoted(out, field.text);
        break;
      case OutField::Kind::strings:
        out += '[';
        for (std::size_t i = 0; i < field.strings.size(); ++i) {
          if (i > 0) out += ',';
          append_quoted(out, field.strings[i]);
        }
        out += ']';
        break;
      case OutField::Kind::vector:
      case OutField::Kind::list:
        append_list(out, field.text);
        break;
      default:
        out += field.text;
    }
    std::string().swap(field.text);
  }
}

void append_node(std::string& out, OutNode& top) {
  struct Step {
    OutNode* node;
    std::size_t field = 0, child = 0;
    bool first = true;
  };
  std::vector<Step> stack;
  const auto line = [&](std::size_t depth) {
    out += '\n';
    out.append(depth, ' ');
  };
  const auto begin = [&](OutNode& node) {
    ((out += "{\"") += node.type) += "\":{";
    stack.push_back({&node});
    append_values(out, node, stack.back().first);
  };
  begin(top);
  while (!stack.empty()) {
    Step& step = stack.back();
    OutNode& node = *step.node;
    while (step.field < node.fields.size() && node.fields[step.field].kind != OutField::Kind::nodes) ++step.field;
    if (step.field == node.fields.size()) {
      out += "}}";
      stack.pop_back();
      continue;
    }
    const OutField& field = node.fields[step.field];
    const bool single = holds_one_node(field.name);
    if (step.child == 0) {
      if (!step.first) out += ',';
      step.first = false;
      line(2 + stack.size());
      ((out += "\"-") += field.name) += single ? "\":" : "\":[";
    }
    if (step.child == field.nodes.size()) {
      if (!single) out += ']';
      ++step.field;
      step.child = 0;
      continue;
    }
    if (step.child > 0) out += ',';
    OutNode& child = *field.nodes[step.child++];
    if (!single) line(3 + stack.size());
    begin(child);
  }
}

}  // namespace

std::string to_x3d_json(OutScene scene) {
  std::string out = "{\"X3D\":{\n \"encoding\":\"UTF-8\",\n \"@profile\":\"" + scene.profile + "\",\n \"@version\":\"" + scene.version +
                    "\",\n \"@xsd:noNamespaceSchemaLocation\":\"https://www.web3d.org/specifications/x3d-" + scene.version +
                    ".xsd\",\n \"JSON schema\":\"https://www.web3d.org/specifications/x3d-" + scene.version +
                    "-JSONSchema.json\",\n \"head\":{";
  const auto entries = [&](std::string_view name, std::size_t count, auto&& each) {
    ((out += "\n  \"") += name) += "\":[";
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ',';
      out += "\n   {";
      each(i);
      out += '}';
    }
    out += ']';
  };
  entries("component", scene.components.size(), [&](std::size_t i) {
    out += "\"@name\":\"" + scene.components[i].first + "\",\"@level\":" + std::to_string(scene.components[i].second);
  });
  out += ',';
  entries("meta", scene.meta.size(), [&](std::size_t i) {
    out += "\"@name\":";
    append_quoted(out, scene.meta[i].first);
    out += ",\"@content\":";
    append_quoted(out, scene.meta[i].second);
  });
  out += "\n },\n \"Scene\":{\n  \"-children\":[";
  bool first = true;
  const auto next = [&] {
    if (!first) out += ',';
    first = false;
    out += "\n   ";
  };
  for (OutNode* root : scene.roots) {
    next();
    append_node(out, *root);
  }
  for (const OutRoute& route : scene.routes) {
    next();
    out += "{\"ROUTE\":{\"@fromNode\":";
    append_quoted(out, route.from_node);
    out += ",\"@fromField\":";
    append_quoted(out, route.from_field);
    out += ",\"@toNode\":";
    append_quoted(out, route.to_node);
    out += ",\"@toField\":";
    append_quoted(out, route.to_field);
    out += "}}";
  }
  return out += "\n  ]\n }\n}}\n";
}

}  // namespace vesalius::x3d
