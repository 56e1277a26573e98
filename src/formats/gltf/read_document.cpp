#include "formats/gltf/read_document.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "formats/gltf/codes.hpp"
#include "formats/gltf/glb.hpp"
#include "formats/gltf/text_scan.hpp"
#include "formats/gltf/tiny.hpp"
#include "foundation/uri.hpp"

namespace vesalius::gltf {

using Json = nlohmann::json;

namespace {

/// Required extensions whose files read correctly: what they add is understood or does not touch the humanoid.
constexpr std::array<std::string_view, 9> understood_extensions{
    "KHR_mesh_quantization", "KHR_materials_unlit",     "KHR_lights_punctual", "KHR_materials_emissive_strength", "KHR_materials_specular",
    "KHR_materials_ior",     "KHR_materials_clearcoat", "KHR_materials_sheen", "KHR_materials_transmission"};

std::string remedy(std::string_view extension) {
  if (extension == "KHR_draco_mesh_compression" || extension == "EXT_meshopt_compression" || extension == "KHR_meshopt_compression")
    return "; decompress it first: npx @gltf-transform/cli copy IN.glb OUT.glb";
  return {};
}

/// A count or offset; nothing when absent, negative or not whole.
std::optional<std::uint64_t> whole(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return std::nullopt;
  if (it->is_number_unsigned()) return it->get<std::uint64_t>();
  if (it->is_number_float() && it->get<double>() >= 0 && it->get<double>() < 9e15 &&
      it->get<double>() == static_cast<double>(static_cast<std::uint64_t>(it->get<double>())))
    return static_cast<std::uint64_t>(it->get<double>());
  return std::nullopt;
}

const Json& list(const Json& root, const char* key) {
  static const Json empty = Json::array();
  const auto it = root.find(key);
  return it != root.end() && it->is_array() ? *it : empty;
}

/// Checks that come before the library sees the text.
class Preflight {
 public:
  Preflight(const Json& root, std::size_t binary_bytes, const ReadOptions& options, Diagnostics& sink)
      : root_(root), binary_bytes_(binary_bytes), options_(options), sink_(sink) {}

  bool pass() { return version() && extensions() && buffers() && views() && images(); }
  [[nodiscard]] const AllowedFiles& files() const { return files_; }

 private:
  bool fail(Code code, std::string message, std::string pointer) {
    sink_.error(code, std::move(message), {{}, 0, 0, std::move(pointer)});
    return false;
  }

  bool version() {
    const auto asset = root_.find("asset");
    if (asset == root_.end() || !asset->is_object() || !asset->contains("version") || !(*asset)["version"].is_string())
      return fail(codes::gltf_bad_document, "asset.version is missing; expected a glTF 2.0 document", "/asset/version");
    const auto text = (*asset)["version"].get<std::string>();
    if (text != "2" && !text.starts_with("2."))
      return fail(codes::gltf_bad_version, "glTF of version '" + text + "'; expected 2.0", "/asset/version");
    return true;
  }

  bool extensions() {
    bool all = true;
    const Json& required = list(root_, "extensionsRequired");
    for (std::size_t i = 0; i < required.size(); ++i) {
      const std::string name = required[i].is_string() ? required[i].get<std::string>() : std::string();
      if (std::ranges::find(understood_extensions, name) != understood_extensions.end()) continue;
      all = fail(codes::gltf_unsupported_extension, "the file needs the extension '" + name + "', which is not supported" + remedy(name),
                 "/extensionsRequired/" + std::to_string(i));
    }
    return all;
  }

  bool buffers() {
    const Json& buffers = list(root_, "buffers");
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const std::string pointer = "/buffers/" + std::to_string(i);
      const auto length = buffers[i].is_object() ? whole(buffers[i], "byteLength") : std::nullopt;
      if (!length || *length == 0) return fail(codes::gltf_bad_buffer, "byteLength is missing or not a positive whole number", pointer);
      const auto uri = buffers[i].find("uri");
      if (uri == buffers[i].end()) {
        if (binary_bytes_ < *length)
          return fail(
              codes::gltf_bad_buffer,
              "the buffer declares " + std::to_string(*length) + " bytes, but the binary chunk has " + std::to_string(binary_bytes_),
              pointer);
      } else if (!uri->is_string()) {
        return fail(codes::gltf_bad_buffer, "uri is not a string", pointer + "/uri");
      } else if (const auto& text = uri->get_ref<const std::string&>(); !is_data_uri(text)) {
        if (!allow(text, static_cast<std::size_t>(*length), pointer + "/uri", sink_)) return false;
      } else if (*length > text.size()) {
        return fail(codes::gltf_bad_buffer, "the buffer declares " + std::to_string(*length) + " bytes, more than its data URI is long",
                    pointer);
      }
      lengths_.push_back(*length);
    }
    return true;
  }

  bool views() {
    const Json& views = list(root_, "bufferViews");
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::string pointer = "/bufferViews/" + std::to_string(i);
      if (!views[i].is_object()) return fail(codes::gltf_bad_buffer, "a buffer view is not an object", pointer);
      const auto buffer = whole(views[i], "buffer"), length = whole(views[i], "byteLength");
      const std::uint64_t offset = whole(views[i], "byteOffset").value_or(0);
      if (!buffer || *buffer >= lengths_.size()) return fail(codes::gltf_bad_index, "buffer does not exist", pointer + "/buffer");
      const std::uint64_t available = lengths_[static_cast<std::size_t>(*buffer)];
      if (!length || *length == 0 || offset > available || *length > available - offset)
        return fail(codes::gltf_bad_buffer, "the view reaches outside its buffer of " + std::to_string(available) + " bytes", pointer);
    }
    return true;
  }

  bool images() {
    const Json& images = list(root_, "images");
    for (std::size_t i = 0; i < images.size(); ++i) {
      const std::string pointer = "/images/" + std::to_string(i);
      if (!images[i].is_object()) return fail(codes::gltf_bad_document, "an image is not an object", pointer);
      const auto view = images[i].find("bufferView");
      if (view != images[i].end() && whole(images[i], "bufferView").value_or(~std::uint64_t{0}) >= list(root_, "bufferViews").size())
        return fail(codes::gltf_bad_index, "bufferView does not exist", pointer + "/bufferView");
      const auto uri = images[i].find("uri");
      if (uri == images[i].end() || !uri->is_string() || is_data_uri(uri->get_ref<const std::string&>())) continue;
      // A texture that may not be read costs the texture, not the humanoid.
      Diagnostics refused;
      if (!allow(uri->get_ref<const std::string&>(), std::nullopt, pointer + "/uri", refused) && options_.may_read_files) {
        for (Diagnostic item : refused.items()) {
          item.severity = Severity::warning;
          item.message += "; the figure is read without this texture";
          sink_.add(std::move(item));
        }
      }
    }
    return true;
  }

  bool allow(const std::string& uri, std::optional<std::size_t> bytes, const std::string& pointer, Diagnostics& sink) {
    if (!options_.may_read_files) {
      sink.error(codes::gltf_bad_buffer, "'" + uri.substr(0, 200) + "' is another file; input from memory must hold all its data",
                 {{}, 0, 0, pointer});
      return false;
    }
    const auto path = resolve_uri(uri, options_.folder, options_.allow_outside, sink, {{}, 0, 0, pointer});
    if (!path) return false;
    files_.by_name[*percent_decoded(uri)] = {*path, bytes};
    return true;
  }

  const Json& root_;
  std::size_t binary_bytes_;
  const ReadOptions& options_;
  Diagnostics& sink_;
  std::vector<std::uint64_t> lengths_;
  AllowedFiles files_;
};

}  // namespace

std::optional<Document> read_document(std::string_view bytes, const ReadOptions& options, Diagnostics& sink) {
  const bool binary = is_glb(bytes);
  std::string_view json = without_bom(bytes);
  std::size_t binary_bytes = 0;
  if (binary) {
    const auto chunks = split_glb(bytes, sink);
    if (!chunks) return std::nullopt;
    json = chunks->json;
    binary_bytes = chunks->binary.size();
  }
  if (nests_deeper(json)) {
    sink.error(codes::gltf_too_deep, "JSON is nested deeper than " + std::to_string(most_json_depth) + " levels");
    return std::nullopt;
  }
  try {
    const Json root = Json::parse(json);
    if (!root.is_object()) {
      sink.error(codes::gltf_bad_document, "the JSON text is not an object");
      return std::nullopt;
    }
    Preflight preflight(root, binary_bytes, options, sink);
    if (!preflight.pass()) return std::nullopt;
    return parse_document(binary ? bytes : json, binary, preflight.files(), sink);
  } catch (const Json::parse_error& e) {
    const std::size_t skipped = static_cast<std::size_t>(json.data() - bytes.data());
    const auto [line, column] = line_and_column(binary ? json : bytes, (e.byte > 0 ? e.byte - 1 : 0) + (binary ? 0 : skipped));
    std::string what = e.what();
    if (const auto cut = what.find(": "); cut != std::string::npos) what = what.substr(cut + 2);
    sink.error(codes::gltf_bad_json, "not JSON: " + what, {{}, line, column, {}});
  } catch (const Json::exception& e) {
    sink.error(codes::gltf_bad_document, std::string("unexpected JSON: ") + e.what());
  }
  return std::nullopt;
}

Eigen::Affine3d Node::local() const {
  if (matrix) return *matrix;
  Eigen::Affine3d result;
  result.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  result.translation() = translation;
  result.makeAffine();
  return result;
}

std::optional<NodeTree> node_tree(const Document& document, Diagnostics& sink) {
  const std::size_t n = document.nodes.size();
  NodeTree tree;
  tree.parents.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::size_t child : document.nodes[i].children) {
      if (tree.parents[child]) {
        sink.error(codes::gltf_node_cycle, "node " + std::to_string(child) + " has two parents; expected a tree",
                   {{}, 0, 0, "/nodes/" + std::to_string(i) + "/children"});
        return std::nullopt;
      }
      tree.parents[child] = i;
    }
  }
  tree.scene_from_node.assign(n, Eigen::Affine3d::Identity());
  std::vector<std::size_t> open;
  for (std::size_t root = 0; root < n; ++root) {
    if (tree.parents[root]) continue;
    open.push_back(root);
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      tree.order.push_back(node);
      const auto& parent = tree.parents[node];
      tree.scene_from_node[node] = parent ? tree.scene_from_node[*parent] * document.nodes[node].local() : document.nodes[node].local();
      const auto& children = document.nodes[node].children;
      open.insert(open.end(), children.rbegin(), children.rend());
    }
  }
  if (tree.order.size() != n) {
    sink.error(codes::gltf_node_cycle, std::to_string(n - tree.order.size()) + " nodes are their own ancestors; expected a tree");
    return std::nullopt;
  }
  return tree;
}

}  // namespace vesalius::gltf
