// The only file that names the glTF library.
#include "formats/gltf/tiny.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>  // the library needs it
#include <sstream>

#include "formats/gltf/codes.hpp"
#include "foundation/files.hpp"

// The library takes the JSON header that was included before it.
// clang-format off
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_INCLUDE_JSON
#define TINYGLTF_NO_FS
#include <nlohmann/json.hpp>
#include <tiny_gltf.h>
// clang-format on

namespace vesalius::gltf {
namespace {

namespace tg = tinygltf;

// Callbacks of the library -------------------------------------------------------------------------------------------------

bool file_exists(const std::string& name, void* files) {
  return static_cast<const AllowedFiles*>(files)->by_name.contains(name);
}
std::string same_path(const std::string& name, void*) {
  return name;
}
bool read_allowed(std::vector<unsigned char>* out, std::string* err, const std::string& name, void* files) {
  const auto& allowed = static_cast<const AllowedFiles*>(files)->by_name;
  const auto it = allowed.find(name);
  if (it == allowed.end()) return false;
  Diagnostics sink;
  const auto text = read_file(it->second.path, sink);
  if (!text) {
    for (const Diagnostic& item : sink.items()) *err += item.message;
    return false;
  }
  const std::size_t size = std::min(text->size(), it->second.bytes.value_or(text->size()));
  out->assign(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(size));
  return true;
}
bool write_nothing(std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
  return false;
}
/// Keeps the image file as it is. Images in buffer views are cut out of the buffer later, with their range checked.
bool keep_image(tg::Image* image, const int, std::string*, std::string*, int, int, const unsigned char* bytes, int size, void*) {
  if (image->bufferView < 0) image->image.assign(bytes, bytes + size);
  return true;
}
/// The document says itself where an image is.
bool keep_image_uri(const std::string*, const std::string*, const tg::Image* image, bool, std::string* uri, void*) {
  *uri = image->uri;
  return true;
}

// Library to document ------------------------------------------------------------------------------------------------------

/// Checks every index on its way into the document.
class Importer {
 public:
  Importer(tg::Model& model, Diagnostics& sink) : model_(model), sink_(sink) {}

  std::optional<Document> document(bool binary) {
    Document d;
    d.binary = binary;
    d.generator = model_.asset.generator;
    d.copyright = model_.asset.copyright;
    d.version = model_.asset.version;
    d.extras = model_.asset.extras_json_string;
    d.extensions_used = model_.extensionsUsed;
    d.extensions_required = model_.extensionsRequired;
    buffers(d);
    for (std::size_t i = 0; i < model_.accessors.size(); ++i) d.accessors.push_back(accessor(model_.accessors[i], at("accessors", i)));
    for (std::size_t i = 0; i < model_.meshes.size(); ++i) d.meshes.push_back(mesh(model_.meshes[i], at("meshes", i)));
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) d.nodes.push_back(node(model_.nodes[i], at("nodes", i)));
    for (std::size_t i = 0; i < model_.skins.size(); ++i) d.skins.push_back(skin(model_.skins[i], at("skins", i)));
    for (std::size_t i = 0; i < model_.animations.size(); ++i) d.animations.push_back(animation(model_.animations[i], at("animations", i)));
    looks(d);
    for (std::size_t i = 0; i < model_.scenes.size(); ++i) {
      auto& roots = d.scenes.emplace_back();
      for (const int root : model_.scenes[i].nodes) roots.push_back(required(root, model_.nodes.size(), at("scenes", i) + "/nodes"));
    }
    d.scene = checked(model_.defaultScene, model_.scenes.size(), "/scene");
    if (failed_) return std::nullopt;
    return d;
  }

 private:
  static std::string at(const char* list, std::size_t i) { return "/" + std::string(list) + "/" + std::to_string(i); }

  void fail(Code code, std::string message, std::string pointer) {
    sink_.error(code, std::move(message), {{}, 0, 0, std::move(pointer)});
    failed_ = true;
  }
  /// -1 is none.
  std::optional<std::size_t> checked(int value, std::size_t size, const std::string& pointer) {
    if (value == -1) return std::nullopt;
    if (value >= 0 && static_cast<std::size_t>(value) < size) return static_cast<std::size_t>(value);
    fail(codes::gltf_bad_index, "element " + std::to_string(value) + " does not exist; there are " + std::to_string(size), pointer);
    return std::nullopt;
  }
  std::size_t required(int value, std::size_t size, const std::string& pointer) {
    if (value == -1) fail(codes::gltf_bad_index, "the index is missing", pointer);
    return checked(value, size, pointer).value_or(0);
  }

  void buffers(Document& d) {
    for (tg::Buffer& buffer : model_.buffers) {
      const auto bytes = std::as_bytes(std::span(buffer.data));
      d.buffers.emplace_back(bytes.begin(), bytes.end());
      buffer.data = {};
    }
    for (std::size_t i = 0; i < model_.bufferViews.size(); ++i) {
      const tg::BufferView& view = model_.bufferViews[i];
      BufferView out;
      out.buffer = required(view.buffer, d.buffers.size(), at("bufferViews", i) + "/buffer");
      out.offset = view.byteOffset;
      out.length = view.byteLength;
      out.stride = view.byteStride;
      out.target = view.target;
      // The declared lengths were compared before; this is about what was really loaded.
      const std::size_t size = out.buffer < d.buffers.size() ? d.buffers[out.buffer].size() : 0;
      if (out.offset > size || out.length > size - out.offset)
        fail(codes::gltf_bad_buffer, "the view reaches outside its buffer of " + std::to_string(size) + " bytes", at("bufferViews", i));
      d.views.push_back(out);
    }
  }

  std::optional<Component> component(int type, const std::string& pointer) {
    if ((type >= 5120 && type <= 5123) || type == 5125 || type == 5126) return static_cast<Component>(type);
    fail(codes::gltf_bad_accessor, "component type " + std::to_string(type) + " does not exist", pointer);
    return std::nullopt;
  }

  Accessor accessor(const tg::Accessor& in, const std::string& pointer) {
    Accessor out;
    out.view = checked(in.bufferView, model_.bufferViews.size(), pointer + "/bufferView");
    out.offset = in.byteOffset;
    out.type = component(in.componentType, pointer + "/componentType").value_or(Component::f32);
    out.components = in.type == TINYGLTF_TYPE_SCALAR ? 1
                     : in.type >= 2 && in.type <= 4  ? static_cast<unsigned>(in.type)
                     : in.type == TINYGLTF_TYPE_MAT4 ? 16
                                                     : 0;
    out.normalised = in.normalized;
    out.count = in.count;
    out.min = in.minValues;
    out.max = in.maxValues;
    if (in.sparse.isSparse) {
      Sparse sparse;
      if (in.sparse.count <= 0 || in.sparse.indices.byteOffset < 0 || in.sparse.values.byteOffset < 0)
        fail(codes::gltf_bad_accessor, "sparse count or offset is not positive", pointer + "/sparse");
      sparse.count = static_cast<std::uint64_t>(std::max(in.sparse.count, 0));
      sparse.index_view = required(in.sparse.indices.bufferView, model_.bufferViews.size(), pointer + "/sparse/indices/bufferView");
      sparse.index_offset = static_cast<std::uint64_t>(std::max(in.sparse.indices.byteOffset, 0));
      sparse.index_type = component(in.sparse.indices.componentType, pointer + "/sparse/indices").value_or(Component::u32);
      sparse.value_view = required(in.sparse.values.bufferView, model_.bufferViews.size(), pointer + "/sparse/values/bufferView");
      sparse.value_offset = static_cast<std::uint64_t>(std::max(in.sparse.values.byteOffset, 0));
      out.sparse = sparse;
    }
    return out;
  }

  Attributes attributes(const std::map<std::string, int>& in, const std::string& pointer) {
    Attributes out;
    for (const auto& [name, index] : in) out[name] = required(index, model_.accessors.size(), pointer + "/" + name);
    return out;
  }

  Mesh mesh(const tg::Mesh& in, const std::string& pointer) {
    Mesh out{in.name, {}, in.weights, in.extras_json_string};
    for (std::size_t p = 0; p < in.primitives.size(); ++p) {
      const tg::Primitive& primitive = in.primitives[p];
      const std::string place = pointer + "/primitives/" + std::to_string(p);
      Primitive made;
      made.attributes = attributes(primitive.attributes, place + "/attributes");
      made.indices = checked(primitive.indices, model_.accessors.size(), place + "/indices");
      made.material = checked(primitive.material, model_.materials.size(), place + "/material");
      made.mode = primitive.mode == -1 ? 4 : primitive.mode;
      for (std::size_t t = 0; t < primitive.targets.size(); ++t)
        made.targets.push_back(attributes(primitive.targets[t], place + "/targets/" + std::to_string(t)));
      made.extras = primitive.extras_json_string;
      out.primitives.push_back(std::move(made));
    }
    return out;
  }

  Node node(const tg::Node& in, const std::string& pointer) {
    Node out;
    out.name = in.name;
    for (const int child : in.children) out.children.push_back(required(child, model_.nodes.size(), pointer + "/children"));
    out.mesh = checked(in.mesh, model_.meshes.size(), pointer + "/mesh");
    out.skin = checked(in.skin, model_.skins.size(), pointer + "/skin");
    out.weights = in.weights;
    out.extras = in.extras_json_string;
    const auto finite = [&](const std::vector<double>& values, std::size_t size, const char* what) {
      if (values.empty()) return false;
      if (values.size() == size && std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return true;
      fail(codes::gltf_bad_document, std::string(what) + " is not " + std::to_string(size) + " finite numbers", pointer + "/" + what);
      return false;
    };
    if (finite(in.matrix, 16, "matrix")) {
      Eigen::Matrix4d matrix;
      std::copy(in.matrix.begin(), in.matrix.end(), matrix.data());
      out.matrix = Eigen::Affine3d(matrix);
      out.matrix->makeAffine();
    }
    if (finite(in.translation, 3, "translation")) out.translation = Eigen::Vector3d(in.translation.data());
    if (finite(in.scale, 3, "scale")) out.scale = Eigen::Vector3d(in.scale.data());
    if (finite(in.rotation, 4, "rotation")) {
      const Eigen::Vector4d q(in.rotation.data());
      if (q.norm() < 1e-6) {
        fail(codes::gltf_bad_document, "rotation has no length", pointer + "/rotation");
      } else {
        out.rotation.coeffs() = q.normalized();
      }
    }
    return out;
  }

  Skin skin(const tg::Skin& in, const std::string& pointer) {
    Skin out;
    out.name = in.name;
    for (const int joint : in.joints) out.joints.push_back(required(joint, model_.nodes.size(), pointer + "/joints"));
    out.inverse_bind = checked(in.inverseBindMatrices, model_.accessors.size(), pointer + "/inverseBindMatrices");
    out.skeleton = checked(in.skeleton, model_.nodes.size(), pointer + "/skeleton");
    return out;
  }

  Animation animation(const tg::Animation& in, const std::string& pointer) {
    Animation out{in.name, {}, {}, in.extras_json_string};
    for (std::size_t c = 0; c < in.channels.size(); ++c) {
      const tg::AnimationChannel& channel = in.channels[c];
      const std::string place = pointer + "/channels/" + std::to_string(c);
      Channel made;
      made.node = checked(channel.target_node, model_.nodes.size(), place + "/target/node");
      made.sampler = required(channel.sampler, in.samplers.size(), place + "/sampler");
      if (channel.target_path == "translation") {
        made.path = Path::translation;
      } else if (channel.target_path == "rotation") {
        made.path = Path::rotation;
      } else if (channel.target_path == "scale") {
        made.path = Path::scale;
      } else if (channel.target_path == "weights") {
        made.path = Path::weights;
      } else {
        sink_.warning(codes::gltf_ignored_extension, "animation of '" + channel.target_path + "' is not read", {{}, 0, 0, place});
        continue;
      }
      out.channels.push_back(made);
    }
    for (std::size_t s = 0; s < in.samplers.size(); ++s) {
      const std::string place = pointer + "/samplers/" + std::to_string(s);
      out.samplers.push_back({required(in.samplers[s].input, model_.accessors.size(), place + "/input"),
                              required(in.samplers[s].output, model_.accessors.size(), place + "/output"), in.samplers[s].interpolation});
    }
    return out;
  }

  void looks(Document& d) {
    for (std::size_t i = 0; i < model_.materials.size(); ++i) {
      const tg::Material& in = model_.materials[i];
      const tg::PbrMetallicRoughness& pbr = in.pbrMetallicRoughness;
      Material out;
      out.name = in.name;
      if (pbr.baseColorFactor.size() == 4) std::copy_n(pbr.baseColorFactor.begin(), 4, out.base_colour.begin());
      if (in.emissiveFactor.size() == 3) std::copy_n(in.emissiveFactor.begin(), 3, out.emissive.begin());
      out.metallic = pbr.metallicFactor;
      out.roughness = pbr.roughnessFactor;
      out.alpha_mode = in.alphaMode;
      out.alpha_cutoff = in.alphaCutoff;
      out.double_sided = in.doubleSided;
      out.unlit = in.extensions.contains("KHR_materials_unlit");
      out.base_texture =
          checked(pbr.baseColorTexture.index, model_.textures.size(), at("materials", i) + "/pbrMetallicRoughness/baseColorTexture");
      if (pbr.metallicRoughnessTexture.index >= 0) out.other_textures.emplace_back("metallicRoughnessTexture");
      if (in.normalTexture.index >= 0) out.other_textures.emplace_back("normalTexture");
      if (in.occlusionTexture.index >= 0) out.other_textures.emplace_back("occlusionTexture");
      if (in.emissiveTexture.index >= 0) out.other_textures.emplace_back("emissiveTexture");
      d.materials.push_back(std::move(out));
    }
    for (std::size_t i = 0; i < model_.textures.size(); ++i) {
      Texture out;
      out.image = checked(model_.textures[i].source, model_.images.size(), at("textures", i) + "/source");
      if (const auto sampler = checked(model_.textures[i].sampler, model_.samplers.size(), at("textures", i) + "/sampler")) {
        out.repeat_u = model_.samplers[*sampler].wrapS != TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
        out.repeat_v = model_.samplers[*sampler].wrapT != TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
      }
      d.textures.push_back(out);
    }
    for (std::size_t i = 0; i < model_.images.size(); ++i) {
      tg::Image& in = model_.images[i];
      Image out;
      out.name = in.name;
      out.mime_type = in.mimeType;
      out.uri = in.uri;
      if (const auto view = checked(in.bufferView, d.views.size(), at("images", i) + "/bufferView"); view && !failed_) {
        const BufferView& range = d.views[*view];
        const auto bytes =
            std::span(d.buffers[range.buffer]).subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.length));
        out.bytes.assign(bytes.begin(), bytes.end());
      } else {
        const auto bytes = std::as_bytes(std::span(in.image));
        out.bytes.assign(bytes.begin(), bytes.end());
        if (out.bytes.empty() && !out.uri.empty())
          sink_.warning(codes::gltf_texture_not_read, "texture file '" + out.uri.substr(0, 200) + "' could not be read",
                        {{}, 0, 0, at("images", i) + "/uri"});
      }
      d.images.push_back(std::move(out));
    }
  }

  tg::Model& model_;
  Diagnostics& sink_;
  bool failed_ = false;
};

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text.substr(0, 500);
}

}  // namespace

std::optional<Document> parse_document(std::string_view bytes, bool binary, const AllowedFiles& files, Diagnostics& sink) {
  tg::TinyGLTF library;
  library.SetStoreOriginalJSONForExtrasAndExtensions(true);
  library.SetImageLoader(keep_image, nullptr);
  library.SetFsCallbacks({file_exists, same_path, read_allowed, write_nothing, const_cast<AllowedFiles*>(&files)});
  tg::Model model;
  std::string error, remark;
  bool read = false;
  try {
    const auto size = static_cast<unsigned>(bytes.size());
    read = binary ? library.LoadBinaryFromMemory(&model, &error, &remark, reinterpret_cast<const unsigned char*>(bytes.data()), size, "")
                  : library.LoadASCIIFromString(&model, &error, &remark, bytes.data(), size, "");
    if (read) return Importer(model, sink).document(binary);
  } catch (const std::exception& e) {
    error += e.what();
  }
  sink.error(codes::gltf_bad_document, "the glTF document cannot be read: " + one_line(error));
  return std::nullopt;
}

// Document to library ------------------------------------------------------------------------------------------------------
namespace {

tg::Value value_of(const nlohmann::json& json) {
  switch (json.type()) {
    case nlohmann::json::value_t::object: {
      tg::Value::Object object;
      for (const auto& [key, item] : json.items()) object[key] = value_of(item);
      return tg::Value(std::move(object));
    }
    case nlohmann::json::value_t::array: {
      tg::Value::Array array;
      for (const auto& item : json) array.push_back(value_of(item));
      return tg::Value(std::move(array));
    }
    case nlohmann::json::value_t::string:
      return tg::Value(json.get<std::string>());
    case nlohmann::json::value_t::boolean:
      return tg::Value(json.get<bool>());
    case nlohmann::json::value_t::number_integer:
    case nlohmann::json::value_t::number_unsigned:
      if (json.get<std::int64_t>() == static_cast<int>(json.get<std::int64_t>())) return tg::Value(json.get<int>());
      return tg::Value(json.get<double>());
    case nlohmann::json::value_t::number_float:
      return tg::Value(json.get<double>());
    default:
      return {};
  }
}
/// The text is our own and shallow.
tg::Value extras_value(const std::string& text) {
  if (text.empty()) return {};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_discarded() ? tg::Value() : value_of(json);
}

int number(std::optional<std::size_t> index) {
  return index ? static_cast<int>(*index) : -1;
}

std::map<std::string, int> numbers(const Attributes& attributes) {
  std::map<std::string, int> out;
  for (const auto& [name, index] : attributes) out[name] = static_cast<int>(index);
  return out;
}

tg::Accessor library_accessor(const Accessor& in) {
  tg::Accessor out;
  out.bufferView = number(in.view);
  out.byteOffset = static_cast<std::size_t>(in.offset);
  out.componentType = static_cast<int>(in.type);
  out.normalized = in.normalised;
  out.count = static_cast<std::size_t>(in.count);
  out.type = in.components == 1 ? TINYGLTF_TYPE_SCALAR : in.components == 16 ? TINYGLTF_TYPE_MAT4 : static_cast<int>(in.components);
  out.minValues = in.min;
  out.maxValues = in.max;
  if (in.sparse) {
    out.sparse.isSparse = true;
    out.sparse.count = static_cast<int>(in.sparse->count);
    out.sparse.indices.bufferView = static_cast<int>(in.sparse->index_view);
    out.sparse.indices.byteOffset = static_cast<int>(in.sparse->index_offset);
    out.sparse.indices.componentType = static_cast<int>(in.sparse->index_type);
    out.sparse.values.bufferView = static_cast<int>(in.sparse->value_view);
    out.sparse.values.byteOffset = static_cast<int>(in.sparse->value_offset);
  }
  return out;
}

tg::Node library_node(const Node& in) {
  tg::Node out;
  out.name = in.name;
  out.mesh = number(in.mesh);
  out.skin = number(in.skin);
  for (const std::size_t child : in.children) out.children.push_back(static_cast<int>(child));
  if (!in.translation.isZero(0)) out.translation = {in.translation.x(), in.translation.y(), in.translation.z()};
  if (in.rotation.coeffs() != Eigen::Quaterniond::Identity().coeffs())
    out.rotation = {in.rotation.x(), in.rotation.y(), in.rotation.z(), in.rotation.w()};
  if (in.scale != Eigen::Vector3d::Ones()) out.scale = {in.scale.x(), in.scale.y(), in.scale.z()};
  out.extras = extras_value(in.extras);
  return out;
}

tg::Material library_material(const Material& in) {
  tg::Material out;
  out.name = in.name;
  out.pbrMetallicRoughness.baseColorFactor.assign(in.base_colour.begin(), in.base_colour.end());
  out.pbrMetallicRoughness.metallicFactor = in.metallic;
  out.pbrMetallicRoughness.roughnessFactor = in.roughness;
  out.pbrMetallicRoughness.baseColorTexture.index = number(in.base_texture);
  if (in.emissive != std::array<double, 3>{0, 0, 0}) out.emissiveFactor.assign(in.emissive.begin(), in.emissive.end());
  out.alphaMode = in.alpha_mode;
  out.alphaCutoff = in.alpha_cutoff;
  out.doubleSided = in.double_sided;
  if (in.unlit) out.extensions["KHR_materials_unlit"] = tg::Value(tg::Value::Object{});
  return out;
}

tg::Model library_model(const Document& d) {
  static constexpr std::array<const char*, 4> paths{"translation", "rotation", "scale", "weights"};
  tg::Model m;
  m.asset.version = d.version;
  m.asset.generator = d.generator;
  m.asset.copyright = d.copyright;
  m.extensionsUsed = d.extensions_used;
  m.extensionsRequired = d.extensions_required;
  for (const BufferView& view : d.views) {
    tg::BufferView out;
    out.buffer = static_cast<int>(view.buffer);
    out.byteOffset = static_cast<std::size_t>(view.offset);
    out.byteLength = static_cast<std::size_t>(view.length);
    out.byteStride = static_cast<std::size_t>(view.stride);
    out.target = view.target;
    m.bufferViews.push_back(std::move(out));
  }
  for (const Accessor& accessor : d.accessors) m.accessors.push_back(library_accessor(accessor));
  for (const Mesh& mesh : d.meshes) {
    tg::Mesh out;
    out.name = mesh.name;
    out.weights = mesh.weights;
    out.extras = extras_value(mesh.extras);
    for (const Primitive& primitive : mesh.primitives) {
      tg::Primitive made;
      made.attributes = numbers(primitive.attributes);
      made.indices = number(primitive.indices);
      made.material = number(primitive.material);
      made.mode = primitive.mode;
      for (const Attributes& target : primitive.targets) made.targets.push_back(numbers(target));
      out.primitives.push_back(std::move(made));
    }
    m.meshes.push_back(std::move(out));
  }
  for (const Node& node : d.nodes) m.nodes.push_back(library_node(node));
  for (const Skin& skin : d.skins) {
    tg::Skin out;
    out.name = skin.name;
    out.inverseBindMatrices = number(skin.inverse_bind);
    out.skeleton = number(skin.skeleton);
    for (const std::size_t joint : skin.joints) out.joints.push_back(static_cast<int>(joint));
    m.skins.push_back(std::move(out));
  }
  for (const Animation& animation : d.animations) {
    tg::Animation out;
    out.name = animation.name;
    out.extras = extras_value(animation.extras);
    for (const Channel& channel : animation.channels) {
      tg::AnimationChannel made;
      made.sampler = static_cast<int>(channel.sampler);
      made.target_node = number(channel.node);
      made.target_path = paths[static_cast<std::size_t>(channel.path)];
      out.channels.push_back(std::move(made));
    }
    for (const Sampler& sampler : animation.samplers) {
      tg::AnimationSampler made;
      made.input = static_cast<int>(sampler.input);
      made.output = static_cast<int>(sampler.output);
      made.interpolation = sampler.interpolation;
      out.samplers.push_back(std::move(made));
    }
    m.animations.push_back(std::move(out));
  }
  for (const Material& material : d.materials) m.materials.push_back(library_material(material));
  std::map<std::pair<bool, bool>, int> samplers;  // by repetition along u and v
  for (const Texture& texture : d.textures) {
    tg::Texture out;
    out.source = number(texture.image);
    if (!texture.repeat_u || !texture.repeat_v) {
      const auto [it, added] = samplers.emplace(std::pair(texture.repeat_u, texture.repeat_v), static_cast<int>(m.samplers.size()));
      if (added) {
        tg::Sampler sampler;
        sampler.wrapS = texture.repeat_u ? TINYGLTF_TEXTURE_WRAP_REPEAT : TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
        sampler.wrapT = texture.repeat_v ? TINYGLTF_TEXTURE_WRAP_REPEAT : TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
        m.samplers.push_back(std::move(sampler));
      }
      out.sampler = it->second;
    }
    m.textures.push_back(std::move(out));
  }
  for (const Image& image : d.images) {
    tg::Image out;
    out.name = image.name;
    out.uri = image.uri;
    out.bufferView = number(image.view);
    if (image.view) out.mimeType = image.mime_type;
    m.images.push_back(std::move(out));
  }
  for (const auto& roots : d.scenes) {
    tg::Scene out;
    for (const std::size_t root : roots) out.nodes.push_back(static_cast<int>(root));
    m.scenes.push_back(std::move(out));
  }
  m.defaultScene = number(d.scene);
  return m;
}

}  // namespace

std::string serialise_document(const Document& document, const std::string& buffer_uri, bool binary) {
  tg::Model model = library_model(document);
  tg::TinyGLTF library;
  library.SetImageWriter(keep_image_uri, nullptr);
  if (binary && !document.buffers.empty()) {
    tg::Buffer& buffer = model.buffers.emplace_back();
    const auto* bytes = reinterpret_cast<const unsigned char*>(document.buffers.front().data());
    buffer.data.assign(bytes, bytes + document.buffers.front().size());
  }
  std::ostringstream out;
  library.WriteGltfSceneToStream(&model, out, true, binary);
  if (binary) return std::move(out).str();
  // The library would put the buffer into the text; it lies in a file of its own.
  auto json = nlohmann::json::parse(out.str());
  if (!document.buffers.empty())
    json["buffers"] = nlohmann::json::array({{{"byteLength", document.buffers.front().size()}, {"uri", buffer_uri}}});
  return json.dump(2) + "\n";
}

}  // namespace vesalius::gltf
