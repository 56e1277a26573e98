#include "formats/x3d/scene.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "formats/x3d/store.hpp"

namespace vesalius::x3d {

const Field* Node::find(std::string_view name) const noexcept {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

Scene::Scene() : store_(std::make_unique<Store>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

std::string_view plain_field(std::string_view event) noexcept {
  if (event.starts_with("set_")) event.remove_prefix(4);
  if (event.ends_with("_changed")) event.remove_suffix(8);
  return event;
}

const ProtoField* Proto::find(std::string_view field) const noexcept {
  const auto found = std::ranges::find(interface, field, &ProtoField::name);
  return found == interface.end() ? nullptr : &*found;
}

const Proto* Scope::find_proto(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->protos.find(name); found != scope->protos.end()) return found->second;
  }
  return nullptr;
}

Node* Scope::find(std::string_view name) const {
  const auto found = defs.find(name);
  return found == defs.end() ? nullptr : found->second;
}

Node& Scene::add_node() {
  return store_->nodes.emplace_back();
}
Node& Scene::add_holder() {
  return store_->holders.emplace_back();
}
Proto& Scene::add_proto() {
  return store_->protos.emplace_back();
}
std::size_t Scene::node_count() const noexcept {
  return store_->nodes.size();
}
const std::deque<Proto>& Scene::protos() const noexcept {
  return store_->protos;
}

std::string_view Scene::keep(std::string text) {
  return store_->texts.emplace_back(std::move(text));
}

std::string_view Scene::intern(std::string_view text) {
  const auto found = store_->names.find(text);
  if (found != store_->names.end()) return *found;
  return *store_->names.emplace(text).first;
}

const std::vector<std::pair<const Node*, Node*>>& Scene::bodies() const noexcept {
  return store_->bodies;
}

const Node* Scene::find_def(std::string_view name) const {
  return store_->file_scopes.empty() ? nullptr : store_->file_scopes.front().find(name);
}

std::optional<SourceId> Scene::add_source(std::string file, std::string text) {
  if (store_->sources.size() >= most_sources) return std::nullopt;
  Source& source = store_->sources.emplace_back();
  source.file = std::move(file);
  source.text = std::move(text);
  return static_cast<SourceId>(store_->sources.size() - 1);
}

const std::string& Scene::file(SourceId source) const {
  static const std::string none;
  return source < store_->sources.size() ? store_->sources[source].file : none;
}
const std::string& Scene::text(SourceId source) const {
  return store_->sources.at(source).text;
}
void Scene::set_markup(SourceId source, TextStyle style) {
  store_->sources.at(source).markup = style;
}

Offset Scene::add_tag_end(SourceId source, std::uint32_t line, std::uint32_t column) {
  auto& ends = store_->sources[source].tag_ends;
  ends.push_back({line, column});
  return static_cast<Offset>(ends.size() - 1);
}

namespace {

/// Path of a node from the top: types with 1-based numbers among siblings of the same type.
std::string path_of(const Scene& scene, const Node* node) {
  std::string path;
  std::size_t steps = 0;
  while (node != nullptr && ++steps < 4096) {
    std::size_t number = 1;
    const auto count = [&](const std::vector<Child>& children) {
      for (const Child& child : children) {
        if (child.node == node) return true;
        if (child.node != nullptr && child.node->type == node->type) ++number;
      }
      return false;
    };
    if (node->parent != nullptr) {
      for (const Field& field : node->parent->fields) {
        if (count(field.nodes)) break;
      }
    } else {
      count(scene.roots);
    }
    path = "/" + std::string(node->type.substr(0, 60)) + "[" + std::to_string(number) + "]" + path;
    node = node->parent;
  }
  return (scene.encoding == "X3D XML" || scene.encoding == "X3D JSON" ? "/X3D/Scene" : "") + path;
}

}  // namespace

std::size_t Scene::byte_of(SourceId id, Offset offset, std::string_view attribute) const {
  if (id >= store_->sources.size()) return 0;
  const Source& from = store_->sources[id];
  if (from.markup != TextStyle::xml) return offset;
  if (offset >= from.tag_ends.size()) return 0;
  const std::string& source = from.text;
  const auto [line, column] = from.tag_ends[offset];
  const std::size_t at = byte_at(id, line, column);
  // A start tag holds no '<' but its own.
  std::size_t start = at == 0 ? std::string::npos : source.rfind('<', at - 1);
  if (start == std::string::npos) return at;
  if (attribute.empty()) return start;
  // A field given to a prototype stands in an element of its own.
  const bool is_field_value = std::string_view(source).substr(start, 11) == "<fieldValue";
  if (is_field_value) attribute = "value";
  // The attribute's value: name, '=', quote. Quoted text is stepped over, so that a name inside a value is not taken.
  std::size_t i = start + 1;
  while (i < at && !std::isspace(static_cast<unsigned char>(source[i])) && source[i] != '/' && source[i] != '>') ++i;
  while (i < at) {
    while (i < at && std::isspace(static_cast<unsigned char>(source[i]))) ++i;
    const std::size_t name = i;
    while (i < at && source[i] != '=' && !std::isspace(static_cast<unsigned char>(source[i])) && source[i] != '>' && source[i] != '/') ++i;
    const std::size_t name_end = i;
    if (name_end == name) break;
    while (i < at && source[i] != '"' && source[i] != '\'') ++i;
    if (i >= at) break;
    const char quote = source[i];
    const std::size_t value = i + 1;
    i = source.find(quote, value);
    if (i == std::string::npos) break;
    if (std::string_view(source).substr(name, name_end - name) == attribute) return value;
    ++i;
  }
  return start;
}

void Scene::index_lines(SourceId id) const {
  const Source& from = store_->sources[id];
  const std::string& source = from.text;
  if (!from.line_starts.empty()) return;
  from.line_starts.push_back(0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\n' || (source[i] == '\r' && (i + 1 >= source.size() || source[i + 1] != '\n'))) {
      from.line_starts.push_back(i + 1);
    }
  }
}

std::size_t Scene::byte_at(SourceId id, std::uint32_t line, std::uint32_t column) const {
  index_lines(id);
  const Source& from = store_->sources[id];
  const std::string& source = from.text;
  if (line == 0) return 0;
  if (line > from.line_starts.size()) return source.size();
  std::size_t at = from.line_starts[line - 1];
  for (std::uint32_t units = 1; units < column && at < source.size();) {
    const auto c = static_cast<unsigned char>(source[at]);
    const std::size_t length = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    units += length == 4 ? 2 : 1;
    at += length;
  }
  return std::min(at, source.size());
}

std::size_t Scene::byte_in_value(const Field& field, std::size_t into) const {
  std::size_t at = byte_of(field.source, field.offset, field.name);
  if (field.source >= store_->sources.size()) return 0;
  if (field.style != TextStyle::xml) return at + into;
  const std::string& source = store_->sources[field.source].text;
  if (at >= source.size() || source[at] == '<') return at;  // the attribute was not found
  for (std::size_t done = 0; done < into && at < source.size();) {
    if (source[at] == '&') {
      const std::string_view reference = std::string_view(source).substr(at, source.find(';', at) - at);
      std::uint32_t point = 0;
      if (reference.starts_with("&#x")) {
        std::from_chars(reference.data() + 3, reference.data() + reference.size(), point, 16);
      } else if (reference.starts_with("&#")) {
        std::from_chars(reference.data() + 2, reference.data() + reference.size(), point);
      }
      done += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      at += reference.size() + 1;
    } else {
      at += source[at] == '\r' && at + 1 < source.size() && source[at + 1] == '\n' ? 2 : 1;
      ++done;
    }
  }
  return std::min(at, source.size());
}

Location Scene::at_byte(SourceId id, std::size_t byte, const Node* node) const {
  Location where;
  if (id >= store_->sources.size()) return where;
  const Source& from = store_->sources[id];
  where.file = from.file;
  index_lines(id);
  byte = std::min(byte, from.text.size());
  const auto after = std::upper_bound(from.line_starts.begin(), from.line_starts.end(), byte);
  where.line = static_cast<std::uint32_t>(after - from.line_starts.begin());
  where.column = static_cast<std::uint32_t>(byte - *std::prev(after) + 1);
  if (node != nullptr) where.path = path_of(*this, node);
  return where;
}

Location Scene::locate(SourceId source, Offset offset, const Node* node) const {
  return at_byte(source, byte_of(source, offset, {}), node);
}
Location Scene::locate(const Node& node, const Field& field) const {
  return at_byte(field.source, byte_of(field.source, field.offset, field.name), &node);
}

bool Scene::has_use_cycle(const Node** where) const {
  // Depth first without recursion: grey nodes are on the way down.
  std::unordered_map<const Node*, int> colour;
  struct Step {
    const Node* node;
    std::size_t field = 0, child = 0;
  };
  std::vector<Step> stack;
  const auto enter = [&](const Node* node) {
    if (node == nullptr) return false;
    int& c = colour[node];
    if (c == 1) {
      *where = node;
      return true;
    }
    if (c == 0) {
      c = 1;
      stack.push_back({node});
    }
    return false;
  };
  for (const Child& root : roots) {
    if (enter(root.node)) return true;
    while (!stack.empty()) {
      Step& step = stack.back();
      if (step.field == step.node->fields.size()) {
        colour[step.node] = 2;
        stack.pop_back();
        continue;
      }
      const auto& children = step.node->fields[step.field].nodes;
      if (step.child == children.size()) {
        ++step.field;
        step.child = 0;
        continue;
      }
      const Node* next = children[step.child++].node;
      if (enter(next)) return true;
    }
  }
  return false;
}

}  // namespace vesalius::x3d
