// From what the readers left to the scene's graph: inlined files, late USEs, prototypes, routes.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/defaults.hpp"
#include "formats/x3d/findings.hpp"
#include "formats/x3d/node_types.hpp"
#include "formats/x3d/readers.hpp"
#include "foundation/files.hpp"
#include "foundation/uri.hpp"

namespace vesalius::x3d {
namespace {

namespace fs = std::filesystem;

class Linker {
 public:
  Linker(Scene& scene, const SceneOptions& options, Diagnostics& sink) : scene_(scene), options_(options), sink_(sink) {}

  void run(Node& top) {
    Scope& scope = Building::store(scene_).file_scopes.front();
    if (options_.folder) open_.push_back(fs::weakly_canonical(*options_.folder / fs::path(options_.file).filename(), ignored_));
    settle_file(top, scope, options_.folder);
    if (sink_.has_errors()) return;
    if (const Field* children = top.find("children")) scene_.roots = children->nodes;
    settle_parents();
    routes_of_all();
    const Node* looping = nullptr;
    if (scene_.has_use_cycle(&looping))
      sink_.error(codes::x3d_use_cycle, "node '" + std::string(looping->def) + "' contains itself", scene_.locate(*looping));
  }

 private:
  /// Copies of a body's nodes, and where the events of the interface lead in them.
  struct Expansion {
    Node* first = nullptr;
    std::vector<std::pair<std::string_view, std::pair<Node*, std::string_view>>> events;
  };

  // ---- one file ----

  void settle_file(Node& top, Scope& scope, const std::optional<fs::path>& folder) {
    settle_names(top, scope, folder);
    expand_below(top, folder, 0);
  }

  /// What the nodes below `top` name: prototypes, other files, each other.
  void settle_names(Node& top, Scope& scope, const std::optional<fs::path>& folder) {
    for (Node* node : scope.undeclared) node->proto = scope.find_proto(node->type);
    std::vector<Node*> inlines;
    collect(top, [&](Node& node) {
      if (node.type == "Inline" && node.proto == nullptr) inlines.push_back(&node);
    });
    for (Node* node : inlines) load_inline(*node, folder);
    import(scope);
    resolve_uses(scope);
  }

  /// Calls with every node that stands below another, once, without recursion.
  template <class Each>
  void collect(Node& top, Each&& each) {
    std::vector<Node*> stack{&top};
    std::unordered_set<Node*> seen{&top};
    while (!stack.empty()) {
      Node* node = stack.back();
      stack.pop_back();
      each(*node);
      for (auto field = node->fields.rbegin(); field != node->fields.rend(); ++field) {
        for (auto child = field->nodes.rbegin(); child != field->nodes.rend(); ++child) {
          if (child->node != nullptr && seen.insert(child->node).second) stack.push_back(child->node);
        }
      }
    }
  }

  void resolve_uses(Scope& scope) {
    std::unordered_set<Node*> holed;
    for (const Scope::Pending& pending : scope.pending) {
      Child& child = pending.parent->fields[pending.field].nodes[pending.child];
      child.node = scope.find(pending.name);
      const auto where = [&] { return scene_.locate(child.source, child.offset); };
      if (child.node == nullptr) {
        holed.insert(pending.parent);
        unknown_use_.add(sink_, "USE '" + std::string(pending.name) + "' names no node of this file; it was left out", where);
      } else if (!imported_.contains(child.node)) {
        use_before_def_.add(sink_, "USE '" + std::string(pending.name) + "' stands before the node is defined", where);
      }
    }
    for (Node* parent : holed) {
      for (Field& field : parent->fields) std::erase_if(field.nodes, [](const Child& child) { return child.node == nullptr; });
    }
    scope.pending.clear();
  }

  // ---- other files ----

  /// Reads a file that the input names; its top node and scope, or nothing with the reason in `why`.
  struct Loaded {
    Node* top = nullptr;
    Scope* scope = nullptr;
    std::size_t times = 0;
  };
  static constexpr std::size_t most_copies = 20;
  std::optional<Loaded> load(const std::vector<std::string>& urls, const std::optional<fs::path>& folder, const Location& where, bool share,
                             std::string& why) {
    if (urls.empty()) {
      why = "it has no URL";
      return std::nullopt;
    }
    if (!folder) {
      why = "there is no folder to look for '" + urls.front().substr(0, 100) + "' in";
      return std::nullopt;
    }
    for (const std::string& url : urls) {
      Diagnostics quiet;
      const std::string_view path = std::string_view(url).substr(0, url.find('#'));
      if (path.empty()) {
        why = "the URL '" + url.substr(0, 100) + "' names no file";
        continue;
      }
      // Where the file itself stands is the limit, not the folder of the file that names this one.
      const auto file = resolve_uri(path, *folder, true, quiet, where);
      if (!file || (!options_.allow_outside && !inside(*file))) {
        why = quiet.items().empty() ? "'" + url.substr(0, 100) + "' leaves the input's folder" : quiet.items().front().message;
        continue;
      }
      if (std::ranges::find(open_, *file) != open_.end() || open_.size() > most_inline_depth) {
        why = "'" + url.substr(0, 100) + "' leads back to itself or too deep";
        return std::nullopt;
      }
      // Each Inline has its own nodes; where a file is drawn in again and again, they are shared.
      const auto known = loaded_.find(*file);
      if (known != loaded_.end() && (share || known->second.times >= most_copies)) {
        if (known->second.top != nullptr) return known->second;
        why = "'" + url.substr(0, 100) + "' cannot be read";
        continue;
      }
      // A pipe would be waited for.
      if (fs::exists(*file, ignored_) && !fs::is_regular_file(*file, ignored_)) {
        why = "'" + url.substr(0, 100) + "' is not a file";
        continue;
      }
      auto bytes = read_file(*file, quiet);
      if (!bytes) {
        why = "'" + url.substr(0, 100) + "' " + (quiet.items().empty() ? "cannot be read" : quiet.items().front().message);
        continue;
      }
      Loaded& made = loaded_[*file];
      Scope& scope = Building::store(scene_).file_scopes.emplace_back();
      Node& top = scene_.add_holder();
      open_.push_back(*file);
      Diagnostics own;
      const bool read = read_file_into(scene_, std::move(*bytes), name_of(*file), false, options_.strict, scope, top, own);
      if (read) settle_file(top, scope, file->parent_path());
      open_.pop_back();
      if (!read) {
        for (const Diagnostic& finding : own.items()) {
          if (finding.severity == Severity::error) why = to_text(finding);
        }
        continue;
      }
      sink_.append(own);
      made = {&top, &scope, made.times + 1};
      return made;
    }
    return std::nullopt;
  }

  /// A file below the input's folder keeps the path from there, as the user would name it.
  std::string name_of(const fs::path& file) const {
    const fs::path base = fs::weakly_canonical(options_.folder->empty() ? fs::path(".") : *options_.folder, ignored_);
    const fs::path relative = file.lexically_relative(base);
    return relative.empty() ? file.string() : (*options_.folder / relative).string();
  }
  bool inside(const fs::path& file) const {
    const fs::path base = fs::weakly_canonical(options_.folder->empty() ? fs::path(".") : *options_.folder, ignored_);
    const fs::path relative = file.lexically_relative(base);
    return !relative.empty() && *relative.begin() != "..";
  }

  void load_inline(Node& node, const std::optional<fs::path>& folder) {
    std::vector<std::string> urls;
    if (const Field* url = node.find("url")) urls = parse_strings(*url);
    std::string why;
    const auto loaded = load(urls, folder, scene_.locate(node), false, why);
    if (!loaded) {
      inline_.add(sink_, "an Inline was left out: " + why, [&] { return scene_.locate(node); });
      return;
    }
    inlined_[&node] = loaded->scope;
    // The file's nodes stand where the Inline stood.
    node.type = "Group";
    std::erase_if(node.fields, [](const Field& field) { return field.name == "children"; });
    if (const Field* children = loaded->top->find("children")) {
      node.fields.push_back(*children);
      for (Child& child : node.fields.back().nodes) child.is_use = child.node->parent != nullptr && child.node->parent != &node;
      for (Child& child : node.fields.back().nodes) {
        if (child.node->parent == nullptr) child.node->parent = &node;
      }
    }
  }

  void import(Scope& scope) {
    for (const Scope::Import& import : scope.imports) {
      const Node* inlined = scope.find(import.inline_def);
      const auto found = inlined_.find(inlined);
      Node* node = nullptr;
      if (found != inlined_.end()) {
        const auto exported = found->second->exports.find(import.exported);
        if (exported != found->second->exports.end()) node = found->second->find(exported->second);
      }
      if (node == nullptr) {
        route_.add(sink_,
                   "IMPORT of '" + std::string(import.exported) + "' finds no such EXPORT in '" + std::string(import.inline_def) + "'",
                   [&] { return scene_.locate(import.source, import.offset); });
        continue;
      }
      scope.defs.emplace(import.as, node);
      imported_.insert(node);
    }
  }

  // ---- prototypes ----

  /// The humanoid's own nodes as H-Anim 1.0 to 200x declare them: their instances' fields say all, their bodies nothing more.
  static bool speaks_for_itself(const Node& node) {
    const std::string_view type = humanoid_type(node.type);
    if (!type.starts_with("HAnim")) return false;
    if (node.proto == nullptr) return true;
    const auto has = [&](std::initializer_list<std::string_view> names) {
      return std::ranges::any_of(names, [&](std::string_view name) { return node.proto->find(name) != nullptr; });
    };
    if (type == "HAnimHumanoid") return has({"humanoidBody", "skeleton", "joints", "segments", "info"});
    if (type == "HAnimJoint") return has({"children", "center"});
    if (type == "HAnimSegment") return has({"children", "coord"});
    if (type == "HAnimSite") return has({"children", "translation"});
    return has({"coordIndex", "displacements"});
  }

  /// Puts the first node of its prototype's body in the place of every instance below `top`.
  void expand_below(Node& top, const std::optional<fs::path>& folder, std::size_t depth) {
    std::vector<Node*> stack{&top};
    while (!stack.empty() && !gave_up_) {
      Node* node = stack.back();
      stack.pop_back();
      if (!visited_.insert(node).second) continue;
      if (node->is_proto_instance && speaks_for_itself(*node)) add_defaults(*node, folder);
      report_unknown(*node, &top);
      for (std::size_t f = 0; f < node->fields.size(); ++f) {
        bool holes = false;
        for (std::size_t c = 0; c < node->fields[f].nodes.size(); ++c) {
          Child& child = node->fields[f].nodes[c];
          if (child.node == nullptr) continue;
          if (child.node->is_proto_instance && child.node->proto != nullptr && !speaks_for_itself(*child.node)) {
            Node* first = expanded(*child.node, folder, depth);
            // The vector may have moved: an instance can hold itself.
            Child& again = node->fields[f].nodes[c];
            if (first == nullptr) {
              if (!again.node->proto->is_external) {
                again.node = nullptr;
                holes = true;
                continue;
              }
              // Reported; what it was given may still be a figure.
            } else {
              again.node = first;
            }
          }
          stack.push_back(node->fields[f].nodes[c].node);
        }
        if (holes) std::erase_if(node->fields[f].nodes, [](const Child& child) { return child.node == nullptr; });
      }
    }
  }

  /// What the instance does not say, its prototype's default says.
  void add_defaults(Node& node, const std::optional<fs::path>& folder) {
    if (node.proto == nullptr) return;
    const Proto* proto = declaration_of(*node.proto, node, folder, false);
    if (proto == nullptr) return;
    for (const Field& field : proto->defaults->fields) {
      if (node.find(field.name) == nullptr && !field.is_link) node.fields.push_back(field);
    }
  }

  void report_unknown(const Node& node, const Node* top) {
    if (&node == top || node.is_proto_instance || node.type.empty() || is_standard_type(node.type) || humanoid_type(node.type) != node.type)
      return;
    if (!unknown_types_.insert(node.type).second || unknown_types_.size() > 100) return;
    const std::string message = "node type " + std::string(node.type) + " is not in the standard and no prototype declares it";
    if (options_.strict) {
      sink_.error(codes::x3d_unknown_node, message, scene_.locate(node));
    } else {
      sink_.warning(codes::x3d_unknown_node, message + "; such nodes are passed over", scene_.locate(node));
    }
  }

  /// The prototype itself, or what an EXTERNPROTO leads to in a local file.
  const Proto* declaration_of(const Proto& proto, const Node& instance, const std::optional<fs::path>& folder, bool report = true) {
    if (!proto.is_external) return &proto;
    const auto [entry, fresh] = external_.emplace(&proto, nullptr);
    if (!fresh) return entry->second;
    std::string why;
    const auto loaded = load(proto.urls, folder, scene_.locate(proto.source, proto.offset), true, why);
    if (loaded) {
      std::string_view wanted;
      for (const std::string& url : proto.urls) {
        if (const auto hash = url.find('#'); hash != std::string::npos) wanted = std::string_view(url).substr(hash + 1);
        if (!wanted.empty()) break;
      }
      const Proto* found = wanted.empty() ? first_of(*loaded->scope) : loaded->scope->find_proto(wanted);
      if (found == nullptr) found = loaded->scope->find_proto(proto.name);
      if (found != nullptr && !found->is_external) {
        external_[&proto] = found;
        return found;
      }
      why = "the file declares no such prototype";
    }
    // Where an instance says all by itself, an address that is gone is no loss.
    if (!report) return nullptr;
    inline_.add(sink_, "EXTERNPROTO '" + std::string(proto.name) + "' was left out: " + why, [&] { return scene_.locate(instance); });
    return nullptr;
  }
  static const Proto* first_of(const Scope& scope) {
    const Proto* first = nullptr;
    for (const auto& [name, proto] : scope.protos) {
      if (first == nullptr || proto->offset < first->offset) first = proto;
    }
    return first;
  }

  Node* expanded(Node& instance, const std::optional<fs::path>& folder, std::size_t depth) {
    const auto [entry, fresh] = expansions_.try_emplace(&instance);
    if (!fresh) return entry->second.first;
    Expansion& expansion = entry->second;
    const Proto* proto = declaration_of(*instance.proto, instance, folder);
    if (proto == nullptr) return nullptr;
    if (depth >= most_proto_depth || std::ranges::find(expanding_, proto) != expanding_.end()) {
      recursive_.add(sink_, "prototype '" + std::string(proto->name) + "' contains itself or nests too deep; it was left out",
                     [&] { return scene_.locate(instance); });
      return nullptr;
    }
    if (settled_.insert(proto).second) settle_names(*proto->body, *proto->scope, folder);
    const Field* body = proto->body->find("children");
    if (body == nullptr || body->nodes.empty()) return nullptr;
    // What the instance gives belongs to the scope around it: its own instances are no recursion of this prototype.
    expand_below(instance, folder, depth);
    std::unordered_map<const Node*, Node*> copies;
    Node* holder = copy_body(*proto, instance, copies, expansion);
    if (holder == nullptr) return nullptr;
    Building::store(scene_).bodies.emplace_back(&instance, holder);
    Node* first = holder->fields.front().nodes.front().node;
    if (!instance.def.empty()) first->def = instance.def;
    expansion.first = first;
    for (const Scope::NamedRoute& route : proto->scope->routes) {
      Node* from = proto->scope->find(route.from_node);
      Node* to = proto->scope->find(route.to_node);
      const auto copy_of = [&](Node* node) {
        const auto found = copies.find(node);
        return found == copies.end() ? node : found->second;
      };
      if (from != nullptr && to != nullptr)
        body_routes_.push_back({copy_of(from), copy_of(to), route.from_field, route.to_field, route.offset, route.source});
    }
    expanding_.push_back(proto);
    expand_below(*holder, folder, depth + 1);
    expanding_.pop_back();
    // The first node may have been an instance itself.
    expansion.first = holder->fields.front().nodes.empty() ? nullptr : holder->fields.front().nodes.front().node;
    return expansion.first;
  }

  /// The body with links replaced by the instance's values, or by the defaults. A node that holds the copies.
  Node* copy_body(const Proto& proto, const Node& instance, std::unordered_map<const Node*, Node*>& copies, Expansion& expansion) {
    std::vector<const Node*> todo{proto.body};
    const auto copy_of = [&](const Node* node) -> Node* {
      const auto [entry, fresh] = copies.try_emplace(node, nullptr);
      if (fresh) {
        entry->second = &scene_.add_node();
        todo.push_back(node);
      }
      return entry->second;
    };
    Node* holder = &scene_.add_holder();
    copies.emplace(proto.body, holder);
    while (!todo.empty()) {
      const Node* from = todo.back();
      todo.pop_back();
      Node* to = copies[from];
      to->type = from->type;
      to->def = from->def;
      to->proto = from->proto;
      to->offset = from->offset;
      to->source = from->source;
      to->is_proto_instance = from->is_proto_instance;
      if (from->parent != nullptr) {
        const auto parent = copies.find(from->parent);
        to->parent = parent == copies.end() ? instance.parent : parent->second;
      } else {
        to->parent = instance.parent;
      }
      std::size_t& fields = Building::store(scene_).fields;
      fields += from->fields.size();
      if (gave_up_) return nullptr;
      if (++expanded_nodes_ > most_expanded_nodes || fields > most_fields_in_all) {
        sink_.error(codes::x3d_too_many_nodes,
                    "expanding prototypes makes more than " + std::to_string(most_expanded_nodes) + " nodes or " +
                        std::to_string(most_fields_in_all) + " fields",
                    scene_.locate(instance));
        gave_up_ = true;
        return nullptr;
      }
      to->fields.reserve(from->fields.size());
      for (const Field& field : from->fields) {
        if (!field.is_link) {
          Field& made = to->fields.emplace_back(field);
          for (Child& child : made.nodes) {
            if (child.node != nullptr) child.node = copy_of(child.node);
          }
          continue;
        }
        expansion.events.emplace_back(field.text, std::pair(to, field.name));
        const Field* given = instance.find(field.text);
        const bool by_default = given == nullptr;
        if (by_default) given = proto.defaults->find(field.text);
        if (given == nullptr || given->is_link) continue;  // an event, or a value that nobody gives
        Field& made = to->fields.emplace_back(*given);
        made.name = field.name;
        // Every instance has default nodes of its own.
        for (Child& child : made.nodes) {
          if (by_default && child.node != nullptr) child.node = copy_of(child.node);
        }
      }
    }
    return holder;
  }

  /// Nodes that were given to an instance stand where its body put them.
  void settle_parents() {
    std::vector<std::pair<Node*, Node*>> stack;  // node, parent
    std::unordered_set<const Node*> seen;
    const auto push = [&](const std::vector<Child>& children, Node* parent) {
      for (auto it = children.rbegin(); it != children.rend(); ++it) {
        if (it->node != nullptr && !it->is_use) stack.emplace_back(it->node, parent);
      }
    };
    push(scene_.roots, nullptr);
    while (!stack.empty()) {
      const auto [node, parent] = stack.back();
      stack.pop_back();
      if (!seen.insert(node).second) continue;
      node->parent = parent;
      for (auto field = node->fields.rbegin(); field != node->fields.rend(); ++field) push(field->nodes, node);
    }
  }

  // ---- routes ----

  void routes_of_all() {
    std::size_t unknown = 0;
    for (const Scope& scope : Building::store(scene_).file_scopes) {
      for (const Scope::NamedRoute& route : scope.routes) {
        Node* from = scope.find(route.from_node);
        Node* to = scope.find(route.to_node);
        if (from == nullptr || to == nullptr) {
          if (++unknown <= 1000) {
            route_.add(sink_,
                       "ROUTE names '" + std::string(from == nullptr ? route.from_node : route.to_node) +
                           "', which nothing defines; it was left out",
                       [&] { return scene_.locate(route.source, route.offset); });
          }
          continue;
        }
        add_route({from, to, route.from_field, route.to_field, route.offset, route.source});
      }
    }
    for (const Route& route : body_routes_) add_route(route);
  }

  /// An end at an instance becomes the ends that its prototype's interface leads to.
  std::vector<std::pair<const Node*, std::string_view>> ends(const Node* node, std::string_view field) const {
    std::vector<std::pair<const Node*, std::string_view>> open{{node, field}}, result;
    for (std::size_t steps = 0; !open.empty() && steps < 100; ++steps) {
      const auto [at, name] = open.back();
      open.pop_back();
      const auto expansion = expansions_.find(at);
      if (expansion == expansions_.end()) {
        result.emplace_back(at, name);
        continue;
      }
      for (const auto& [event, inner] : expansion->second.events) {
        if (event == name || plain_field(event) == plain_field(name)) open.emplace_back(inner.first, inner.second);
      }
    }
    return result;
  }

  void add_route(const Route& route) {
    const auto from = ends(route.from, route.from_field), to = ends(route.to, route.to_field);
    for (const auto& [from_node, from_field] : from) {
      for (const auto& [to_node, to_field] : to) {
        if (scene_.routes.size() >= most_nodes) return;
        scene_.routes.push_back({from_node, to_node, from_field, to_field, route.offset, route.source});
      }
    }
  }

  static constexpr std::size_t most_proto_depth = 50;
  static constexpr std::size_t most_expanded_nodes = 300'000;
  std::size_t expanded_nodes_ = 0;
  bool gave_up_ = false;
  Scene& scene_;
  const SceneOptions& options_;
  Diagnostics& sink_;
  mutable std::error_code ignored_;
  std::vector<fs::path> open_;  ///< files that are being read, outermost first
  std::map<fs::path, Loaded> loaded_;
  std::unordered_map<const Node*, const Scope*> inlined_;
  std::unordered_set<const Node*> imported_;
  std::unordered_set<const Node*> visited_;
  std::unordered_map<const Node*, Expansion> expansions_;
  std::unordered_map<const Proto*, const Proto*> external_;
  std::vector<const Proto*> expanding_;
  std::unordered_set<const Proto*> settled_;
  std::vector<Route> body_routes_;
  std::set<std::string_view> unknown_types_;
  RepeatedWarning unknown_use_{codes::x3d_unknown_use, "more USEs name no node of this file; they were left out"};
  RepeatedWarning use_before_def_{codes::x3d_use_before_def, "more USEs stand before their node is defined"};
  RepeatedWarning inline_{codes::x3d_inline, "more Inlines and EXTERNPROTOs were left out"};
  RepeatedWarning recursive_{codes::x3d_proto, "more prototypes contain themselves; they were left out"};
  RepeatedWarning route_{codes::x3d_route, "more ROUTEs and IMPORTs name what nothing defines; they were left out"};
};

}  // namespace

void link(Scene& scene, Node& top, const SceneOptions& options, Diagnostics& sink) {
  Linker(scene, options, sink).run(top);
}

}  // namespace vesalius::x3d
