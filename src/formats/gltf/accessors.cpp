#include "formats/gltf/accessors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "formats/gltf/codes.hpp"

namespace vesalius::gltf {
namespace {

/// Without a view there is nothing to compare a count with, and a caller's count may come from such an accessor too; real files stay far
/// below this.
constexpr std::uint64_t most_numbers_without_view = std::uint64_t{1} << 25;

Location place_of(std::size_t accessor) {
  return {{}, 0, 0, "/accessors/" + std::to_string(accessor)};
}

/// One number of any component type; glTF is little-endian, as are the machines this runs on.
template <class T>
double number_at(const std::byte* at, bool normalised) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else {
    const auto number = static_cast<double>(value);
    if (!normalised) return number;
    return std::max(number / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
  }
}

template <class T>
void copy_elements(const std::byte* from, std::uint64_t stride, std::uint64_t count, unsigned components, bool normalised, double* to) {
  for (std::uint64_t e = 0; e < count; ++e, from += stride) {
    for (unsigned c = 0; c < components; ++c) *to++ = number_at<T>(from + c * sizeof(T), normalised);
  }
}

void copy_any(Component type, const std::byte* from, std::uint64_t stride, std::uint64_t count, unsigned components, bool normalised,
              double* to) {
  switch (type) {
    case Component::i8:
      return copy_elements<std::int8_t>(from, stride, count, components, normalised, to);
    case Component::u8:
      return copy_elements<std::uint8_t>(from, stride, count, components, normalised, to);
    case Component::i16:
      return copy_elements<std::int16_t>(from, stride, count, components, normalised, to);
    case Component::u16:
      return copy_elements<std::uint16_t>(from, stride, count, components, normalised, to);
    case Component::u32:
      return copy_elements<std::uint32_t>(from, stride, count, components, normalised, to);
    case Component::f32:
      return copy_elements<float>(from, stride, count, components, normalised, to);
  }
}

/// Start of `count` elements in a view, or null when they do not fit.
const std::byte* range(const Document& document, std::size_t view_index, std::uint64_t offset, std::uint64_t element_bytes,
                       std::uint64_t stride, std::uint64_t count) {
  const BufferView& view = document.views[view_index];
  if (offset > view.length || count == 0) return nullptr;
  const std::uint64_t room = view.length - offset;
  // The last element needs its own bytes only, not a whole stride.
  if (element_bytes > room || (count - 1) > (room - element_bytes) / stride) return nullptr;
  return document.buffers[view.buffer].data() + view.offset + offset;
}

std::optional<std::vector<double>> decode(const Document& document, std::size_t index, unsigned components,
                                          std::optional<std::uint64_t> count, Diagnostics& sink) {
  const Accessor& accessor = document.accessors[index];
  const auto fail = [&](std::string message) {
    sink.error(codes::gltf_bad_accessor, std::move(message), place_of(index));
    return std::nullopt;
  };
  if (accessor.components != components)
    return fail("the accessor has " + std::to_string(accessor.components) + " components per element; expected " +
                std::to_string(components));
  if (count && accessor.count != *count)
    return fail("the accessor has " + std::to_string(accessor.count) + " elements; expected " + std::to_string(*count));
  if (accessor.count == 0) return fail("the accessor has no elements");
  const std::uint64_t element = byte_size(accessor.type) * components;
  const std::byte* from = nullptr;
  std::uint64_t stride = element;
  if (accessor.view) {
    if (const std::uint64_t declared = document.views[*accessor.view].stride; declared != 0) stride = declared;
    if (stride < element)
      return fail("the stride of " + std::to_string(stride) + " bytes is shorter than an element of " + std::to_string(element));
    from = range(document, *accessor.view, accessor.offset, element, stride, accessor.count);
    if (from == nullptr) return fail("its " + std::to_string(accessor.count) + " elements reach outside the buffer view");
  } else if (accessor.count > most_numbers_without_view / components) {
    return fail("its " + std::to_string(accessor.count) + " elements have no data");
  }
  const std::byte *sparse_indices = nullptr, *sparse_values = nullptr;
  if (accessor.sparse) {
    const Sparse& sparse = *accessor.sparse;
    if (sparse.count > accessor.count) return fail("more sparse elements than elements");
    sparse_indices =
        range(document, sparse.index_view, sparse.index_offset, byte_size(sparse.index_type), byte_size(sparse.index_type), sparse.count);
    sparse_values = range(document, sparse.value_view, sparse.value_offset, element, element, sparse.count);
    if (sparse_indices == nullptr || sparse_values == nullptr) return fail("the sparse elements reach outside their buffer views");
  }

  std::vector<double> values(static_cast<std::size_t>(accessor.count) * components);
  if (from != nullptr) copy_any(accessor.type, from, stride, accessor.count, components, accessor.normalised, values.data());
  if (accessor.sparse) {
    const Sparse& sparse = *accessor.sparse;
    std::vector<double> where(static_cast<std::size_t>(sparse.count));
    copy_any(sparse.index_type, sparse_indices, byte_size(sparse.index_type), sparse.count, 1, false, where.data());
    for (std::uint64_t i = 0; i < sparse.count; ++i) {
      const double at = where[i];
      if (!(at >= 0) || at >= static_cast<double>(accessor.count))
        return fail("sparse index " + std::to_string(i) + " is outside the accessor");
      copy_any(accessor.type, sparse_values + i * element, element, 1, components, accessor.normalised,
               values.data() + static_cast<std::size_t>(at) * components);
    }
  }
  return values;
}

}  // namespace

std::optional<std::vector<double>> read_values(const Document& document, std::size_t accessor, unsigned components, Diagnostics& sink,
                                               std::optional<std::uint64_t> count) {
  auto values = decode(document, accessor, components, count, sink);
  if (!values) return std::nullopt;
  const auto bad = std::ranges::find_if(*values, [](double v) { return !std::isfinite(v); });
  if (bad == values->end()) return values;
  sink.error(codes::gltf_not_finite,
             "element " + std::to_string(static_cast<std::size_t>(bad - values->begin()) / components) + " is not a finite number",
             place_of(accessor));
  return std::nullopt;
}

std::optional<std::vector<std::uint32_t>> read_unsigned(const Document& document, std::size_t accessor, unsigned components,
                                                        Diagnostics& sink, std::optional<std::uint64_t> count) {
  const Component type = document.accessors[accessor].type;
  if (type != Component::u8 && type != Component::u16 && type != Component::u32) {
    sink.error(codes::gltf_bad_accessor, "component type " + std::to_string(static_cast<int>(type)) + "; expected an unsigned integer",
               place_of(accessor));
    return std::nullopt;
  }
  const auto values = decode(document, accessor, components, count, sink);
  if (!values) return std::nullopt;
  std::vector<std::uint32_t> result(values->size());
  std::ranges::transform(*values, result.begin(), [](double v) { return static_cast<std::uint32_t>(v); });
  return result;
}

}  // namespace vesalius::gltf
