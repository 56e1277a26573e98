#include "formats/x3d/building.hpp"

#include <algorithm>

namespace vesalius::x3d {

void Builder::fail(Code code, const std::string& message, Offset offset, const Node* node) {
  document_.sink.error(code, message, document_.scene.locate(document_.source, offset, node));
  throw Stop{};
}

void Builder::check_depth(std::size_t depth, Offset offset) {
  if (depth < most_depth) return;
  fail(codes::x3d_too_deep, "nodes are nested more than " + std::to_string(most_depth) + " deep", offset);
}

Node& Builder::node(std::string_view type, std::string_view def, Offset offset, Node* parent) {
  Scene& scene = document_.scene;
  if (scene.node_count() >= most_nodes)
    fail(codes::x3d_too_many_nodes, "there are more than " + std::to_string(most_nodes) + " nodes", offset);
  Node& made = scene.add_node();
  made.type = type;
  made.offset = offset;
  made.source = document_.source;
  made.parent = parent;
  made.proto = scope_->find_proto(type);
  made.is_proto_instance = made.proto != nullptr;
  if (!def.empty()) define(made, def, offset);
  return made;
}

void Builder::define(Node& node, std::string_view def, Offset offset) {
  node.def = def;
  const auto [entry, fresh] = scope_->defs.insert_or_assign(def, &node);
  if (fresh) return;
  duplicate_def_.add(document_.sink, "DEF '" + std::string(def) + "' occurs twice; later USEs mean the last one",
                     [&] { return document_.scene.locate(document_.source, offset); });
}

void Builder::instance_of(Node& node) {
  node.is_proto_instance = true;
  node.proto = scope_->find_proto(node.type);
  if (node.proto == nullptr) scope_->undeclared.push_back(&node);
}

Field& Builder::field(Node& owner, std::string_view name, Offset offset, TextStyle style) {
  if (owner.fields.size() >= most_fields) {
    fail(codes::x3d_too_many_fields, "node " + std::string(owner.type) + " has more than " + std::to_string(most_fields) + " fields",
         offset, &owner);
  }
  if (++Building::store(document_.scene).fields > most_fields_in_all)
    fail(codes::x3d_too_many_fields, "there are more than " + std::to_string(most_fields_in_all) + " fields", offset);
  Field& made = owner.fields.emplace_back();
  made.name = name;
  made.offset = offset;
  made.source = document_.source;
  made.style = style;
  return made;
}

std::size_t Builder::node_field(Node& owner, std::string_view name, Offset offset, TextStyle style) {
  const auto found = std::ranges::find_if(owner.fields, [&](const Field& f) { return f.is_node && f.name == name; });
  if (found != owner.fields.end()) return static_cast<std::size_t>(found - owner.fields.begin());
  field(owner, name, offset, style).is_node = true;
  return owner.fields.size() - 1;
}

void Builder::use(Node& owner, std::size_t field, std::string_view name, Offset offset) {
  Node* target = scope_->find(name);
  std::vector<Child>& children = owner.fields[field].nodes;
  if (target == nullptr) scope_->pending.push_back({name, &owner, field, children.size()});
  children.push_back({target, offset, document_.source, true});
}

Proto& Builder::declare(std::string_view name, bool external, Offset offset) {
  Scene& scene = document_.scene;
  Proto& proto = scene.add_proto();
  proto.name = name;
  proto.is_external = external;
  proto.offset = offset;
  proto.source = document_.source;
  proto.defaults = &scene.add_holder();
  proto.body = &scene.add_holder();
  for (Node* holder : {proto.defaults, proto.body}) {
    holder->type = name;
    holder->offset = offset;
    holder->source = document_.source;
    holders_.insert(holder);
  }
  proto.scope = std::make_shared<Scope>();
  proto.scope->outer = scope_;
  scope_->protos[name] = &proto;
  return proto;
}

void Builder::rename(Proto& proto, std::string_view name) {
  scope_->protos.erase(proto.name);
  proto.name = name;
  proto.defaults->type = name;
  proto.body->type = name;
  scope_->protos[name] = &proto;
}

void Builder::enter(Proto& proto) {
  scope_ = proto.scope.get();
}
void Builder::leave() {
  scope_ = scope_->outer;
}

}  // namespace vesalius::x3d
