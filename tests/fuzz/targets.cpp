#include "fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "foundation/files.hpp"
#include "vesalius/convert.hpp"
#include "vesalius/hanim_io.hpp"

namespace vesalius::fuzz {
namespace {

[[noreturn]] void broken(const char* promise, const Diagnostics& findings) {
  std::fprintf(stderr, "broken promise: %s\n", promise);
  for (const Diagnostic& finding : findings.items()) std::fprintf(stderr, "  %s\n", to_text(finding).c_str());
  std::abort();
}

void read_and_write(std::span<const std::byte> input) {
  const MappingTables& tables = MappingTables::built_in();
  const auto read = read_hanim(input, tables);
  if (!read) {
    if (!read.diagnostics.has_errors()) broken("what is not read has an error", read.diagnostics);
    return;
  }
  if (const Diagnostics faults = broken_invariants(*read); !faults.items().empty()) broken("what is read is sound", faults);
  HanimWriteOptions options;
  // Which form is written depends on the input, so that all are reached.
  constexpr Encoding encodings[] = {Encoding::x3d_xml, Encoding::classic_vrml, Encoding::x3d_json, Encoding::vrml97};
  options.encoding = encodings[input.size() % 4];
  if (input.size() % 3 == 0) options.prototypes = HanimPrototypes::v1_1;
  if (input.size() % 5 == 0) options.target = HanimTarget::castle;
  const auto text = hanim_to_x3d(*read, tables, options);
  if (!text) broken("what is read can be written", text.diagnostics);
  const auto again = read_hanim(bytes_of(*text), tables);
  if (!again) broken("what is written can be read", again.diagnostics);
  if (again->skeleton.size() != read->skeleton.size()) broken("what is written has every joint", again.diagnostics);
}

}  // namespace

void x3d_xml(std::span<const std::byte> input) {
  read_and_write(input);
}

void vrml(std::span<const std::byte> input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  // The header stays whole: without it nothing behind it would be reached.
  const std::string whole = (input.size() % 2 == 0 ? "#VRML V2.0 utf8\n" : "#X3D V4.0 utf8\n") + std::string(text);
  read_and_write(bytes_of(whole));
}

void x3d_json(std::span<const std::byte> input) {
  read_and_write(input);
}

void gzip(std::span<const std::byte> input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  Diagnostics findings;
  constexpr std::size_t most = std::size_t{1} << 24;
  static_cast<void>(gunzip(text, "input", findings, most));
  const std::string packed = vesalius::gzip(text);
  const auto back = gunzip(packed, "packed", findings);
  if (!back || *back != text) broken("what is compressed comes back", findings);
  static_cast<void>(read_hanim(input, MappingTables::built_in()));
}

void mapping(std::span<const std::byte> input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto with = MappingTables::built_in().with_text(text, "input.xml");
  if (!with && !with.diagnostics.has_errors()) broken("a table that is not taken has an error", with.diagnostics);
}

}  // namespace vesalius::fuzz
