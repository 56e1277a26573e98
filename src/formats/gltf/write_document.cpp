#include "formats/gltf/write_document.hpp"

#include <algorithm>
#include <limits>

#include "formats/gltf/codes.hpp"
#include "formats/gltf/tiny.hpp"

namespace vesalius::gltf {
namespace {

std::vector<std::byte> bytes_from(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void set_bounds(Accessor& accessor, std::span<const float> values) {
  accessor.min.assign(accessor.components, std::numeric_limits<double>::infinity());
  accessor.max.assign(accessor.components, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i % accessor.components;
    accessor.min[c] = std::min(accessor.min[c], static_cast<double>(values[i]));
    accessor.max[c] = std::max(accessor.max[c], static_cast<double>(values[i]));
  }
}

}  // namespace

BufferBuilder::BufferBuilder(Document& document) : document_(document) {
  if (document_.buffers.empty()) document_.buffers.emplace_back();
}

std::size_t BufferBuilder::add_accessor(Accessor accessor) {
  document_.accessors.push_back(std::move(accessor));
  return document_.accessors.size() - 1;
}

std::size_t BufferBuilder::add_view(std::span<const std::byte> bytes, Target target) {
  auto& buffer = document_.buffers.front();
  BufferView view;
  view.offset = buffer.size();
  view.length = bytes.size();
  view.target = static_cast<int>(target);
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  buffer.resize((buffer.size() + 3) / 4 * 4, std::byte{0});
  document_.views.push_back(view);
  return document_.views.size() - 1;
}

std::size_t BufferBuilder::add_floats(std::span<const float> values, unsigned components, Target target, bool bounds) {
  Accessor accessor;
  accessor.view = add_view(std::as_bytes(values), target);
  accessor.components = components;
  accessor.count = values.size() / components;
  if (bounds) set_bounds(accessor, values);
  return add_accessor(std::move(accessor));
}

std::size_t BufferBuilder::add_mostly_zero(std::span<const float> values, unsigned components) {
  const std::size_t count = values.size() / components;
  std::vector<std::uint32_t> where;
  std::vector<float> what;
  for (std::size_t e = 0; e < count; ++e) {
    const auto element = values.subspan(e * components, components);
    if (std::ranges::all_of(element, [](float v) { return v == 0; })) continue;
    where.push_back(static_cast<std::uint32_t>(e));
    what.insert(what.end(), element.begin(), element.end());
  }
  const bool narrow = count <= 65535;
  const std::size_t sparse_bytes = where.size() * (narrow ? 2 : 4) + what.size() * 4;
  if (sparse_bytes >= values.size_bytes()) return add_floats(values, components, Target::vertices, true);
  Accessor accessor;
  accessor.components = components;
  accessor.count = count;
  set_bounds(accessor, values);
  if (!where.empty()) {
    Sparse sparse;
    sparse.count = where.size();
    if (narrow) {
      const std::vector<std::uint16_t> shorts(where.begin(), where.end());
      sparse.index_type = Component::u16;
      sparse.index_view = add_view(std::as_bytes(std::span(shorts)));
    } else {
      sparse.index_view = add_view(std::as_bytes(std::span(where)));
    }
    sparse.value_view = add_view(std::as_bytes(std::span(what)));
    accessor.sparse = sparse;
  }
  return add_accessor(std::move(accessor));
}

std::size_t BufferBuilder::add_indices(std::span<const std::uint32_t> values, std::uint32_t vertex_count) {
  Accessor accessor;
  accessor.count = values.size();
  if (vertex_count <= 65535) {
    const std::vector<std::uint16_t> shorts(values.begin(), values.end());
    accessor.type = Component::u16;
    accessor.view = add_view(std::as_bytes(std::span(shorts)), Target::indices);
  } else {
    accessor.type = Component::u32;
    accessor.view = add_view(std::as_bytes(values), Target::indices);
  }
  return add_accessor(std::move(accessor));
}

std::size_t BufferBuilder::add_joints(std::span<const std::uint16_t> values) {
  Accessor accessor;
  accessor.components = 4;
  accessor.count = values.size() / 4;
  if (std::ranges::all_of(values, [](std::uint16_t v) { return v <= 255; })) {
    std::vector<std::uint8_t> bytes(values.size());
    std::ranges::transform(values, bytes.begin(), [](std::uint16_t v) { return static_cast<std::uint8_t>(v); });
    accessor.type = Component::u8;
    accessor.view = add_view(std::as_bytes(std::span(bytes)), Target::vertices);
  } else {
    accessor.type = Component::u16;
    accessor.view = add_view(std::as_bytes(values), Target::vertices);
  }
  return add_accessor(std::move(accessor));
}

std::optional<std::vector<std::byte>> to_glb(const Document& document, Diagnostics& sink) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();  // offsets of the glTF library are that wide
  if (!document.buffers.empty() && document.buffers.front().size() > most) {
    sink.error(codes::gltf_too_large,
               "the binary data has " + std::to_string(document.buffers.front().size()) + " bytes; a GLB written here holds 2 GiB");
    return std::nullopt;
  }
  return bytes_from(serialise_document(document, {}, true));
}

std::vector<std::byte> to_gltf(const Document& document, const std::string& buffer_uri) {
  return bytes_from(serialise_document(document, buffer_uri, false));
}

}  // namespace vesalius::gltf
