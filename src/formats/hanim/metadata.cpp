#include "formats/hanim/metadata.hpp"

#include <array>

#include "formats/hanim/codes.hpp"

namespace vesalius::hanim {
namespace {

/// Keys that the model calls otherwise than the standard's info strings.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> key_pairs{
    {{"authorName", "author"}, {"usageRestrictions", "usage_restrictions"}}};
/// Entries of the file's head that tell about the humanoid, where the humanoid itself does not.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> head_pairs{
    {{"title", "title"}, {"creator", "author"}, {"rights", "copyright"}, {"license", "licence"}, {"description", "description"}}};

std::vector<std::string> values_of(const x3d::Node& node) {
  const x3d::Field* value = node.find("value");
  if (value == nullptr || value->is_node) return {};
  return node.type == "MetadataString" ? x3d::parse_strings(*value) : std::vector{std::string(value->text)};
}

void read_node_metadata(Reading& in, const x3d::Node& root, MetadataRead& out) {
  struct Visit {
    const x3d::Node* node;
    std::string prefix;
    int depth;
  };
  std::vector<Visit> stack{{&root, "", 0}};
  std::vector<std::int32_t> counts;
  std::vector<std::string> names;
  std::size_t visits = 0;
  while (!stack.empty() && ++visits < 100'000) {
    const Visit visit = stack.back();
    stack.pop_back();
    const std::string name = read_string(*visit.node, "name");
    if (visit.node->type == "MetadataSet") {
      if (visit.depth > 8) continue;
      // The outermost set is only a holder; what it calls itself is not part of the keys when it is the humanoid's info.
      const std::string prefix = name.empty() || name == info_set ? visit.prefix : visit.prefix + name + ".";
      if (const x3d::Field* value = visit.node->find("value")) {
        for (auto child = value->nodes.rbegin(); child != value->nodes.rend(); ++child)
          stack.push_back({child->node, prefix, visit.depth + 1});
      }
      continue;
    }
    if (!visit.node->type.starts_with("Metadata")) continue;
    std::vector<std::string> values = values_of(*visit.node);
    if (name == kept_name) {
      std::string text;
      for (const std::string& value : values) text += value;
      Result<Kept> kept = kept_from_json(text);
      if (kept) {
        out.kept = std::move(*kept.value);
      } else {
        for (const Diagnostic& fault : kept.diagnostics.items()) {
          in.sink.warning(fault.code, fault.message + "; what an earlier conversion kept is not used", in.scene.locate(*visit.node));
        }
      }
    } else if (name == part_names_name) {
      names = std::move(values);
    } else if (name == part_points_name) {
      read_ints(in, *visit.node, "value", counts);
    } else if (name == asset_blocks_name) {
      for (std::size_t i = 0; i + 1 < values.size(); i += 2) out.asset_blocks[values[i]] = values[i + 1];
    } else if (!name.empty()) {
      auto& list = out.metadata[model_key(visit.prefix + name)];
      list.insert(list.end(), values.begin(), values.end());
    }
  }
  if (names.size() == counts.size()) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      out.parts.push_back({names[i], counts[i] > 0 ? static_cast<std::size_t>(counts[i]) : 0});
    }
  }
}

}  // namespace

std::string model_key(const std::string& key) {
  for (const auto& [file, model] : key_pairs) {
    if (key == file) return std::string(model);
  }
  return key;
}

std::string file_key(const std::string& key) {
  for (const auto& [file, model] : key_pairs) {
    if (key == model) return std::string(file);
  }
  return key;
}

MetadataRead read_metadata(Reading& in, const x3d::Node& humanoid) {
  MetadataRead out;
  if (const x3d::Field* field = humanoid.find("metadata")) {
    for (const x3d::Child& child : field->nodes) {
      if (child.node != nullptr) read_node_metadata(in, *child.node, out);
    }
  }
  for (const std::string& line : read_strings(humanoid, "info")) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) {
      if (!line.empty()) out.metadata["info"].push_back(line);
      continue;
    }
    out.metadata[model_key(line.substr(0, equals))].push_back(line.substr(equals + 1));
  }
  std::map<std::string, std::vector<std::string>> head;
  for (const auto& [name, content] : in.scene.meta) {
    for (const auto& [file, model] : head_pairs) {
      if (name == file) head[std::string(model)].push_back(content);
    }
  }
  for (auto& [key, values] : head) out.metadata.try_emplace(key, std::move(values));
  return out;
}

}  // namespace vesalius::hanim
