#pragma once
// Diagnostics: what went wrong or was lost, where, what was found and what was expected.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vesalius {

enum class Severity : std::uint8_t { note, warning, error };

/// "note", "warning" or "error".
[[nodiscard]] std::string_view to_text(Severity severity) noexcept;

/// Stable identifier of a kind of finding, such as "hanim.duplicate_joint". Each layer lists its own in a `codes.hpp`;
/// an id never changes its meaning. The text has static storage duration.
struct Code {
  std::string_view id;
  friend constexpr bool operator==(Code a, Code b) noexcept { return a.id == b.id; }
};

struct Location {
  std::string file;          ///< as the caller gave it; "<memory>" for buffers
  std::uint32_t line = 0;    ///< 1-based; 0 when unknown (usual for glTF)
  std::uint32_t column = 0;  ///< 1-based, in bytes; 0 when unknown
  std::string path;          ///< XPath-like ("/X3D/Scene/HAnimHumanoid[1]") or JSON pointer ("/nodes/12/rotation")
  friend bool operator==(const Location&, const Location&) = default;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Code code{"internal.error"};
  std::string message;  ///< what was found and what was expected, without place or severity
  Location where;
  std::uint32_t count = 1;  ///< identical reports are folded
};

/// "ann.x3d:41:9: error [hanim.duplicate_joint] /X3D/Scene/HAnimHumanoid[1]: joint name ... (3 times)". No line break at the end.
[[nodiscard]] std::string to_text(const Diagnostic& diagnostic);

/// Findings in the order they were made. Two findings with the same severity, code, message and file fold into one whose
/// count grows; the first place is kept.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic);
  void note(Code code, std::string message, Location where = {});
  void warning(Code code, std::string message, Location where = {});
  void error(Code code, std::string message, Location where = {});
  /// Takes all findings of another list, in its order.
  void append(const Diagnostics& other);

  [[nodiscard]] std::span<const Diagnostic> items() const noexcept { return items_; }
  [[nodiscard]] bool has_errors() const noexcept;
  /// Sum of the counts at this severity.
  [[nodiscard]] std::size_t count(Severity severity) const noexcept;
  /// Gives every finding without a file this file name.
  void set_file(const std::string& file);

 private:
  std::vector<Diagnostic> items_;
  std::multimap<std::size_t, std::size_t> by_key_;  // hash of what folds -> item
};

template <class T>
struct [[nodiscard]] Result {
  std::optional<T> value;   ///< empty exactly when an error was reported
  Diagnostics diagnostics;  ///< warnings and notes also accompany success
  explicit operator bool() const noexcept { return value.has_value(); }
  T& operator*() noexcept { return *value; }
  const T& operator*() const noexcept { return *value; }
  T* operator->() noexcept { return &*value; }
  const T* operator->() const noexcept { return &*value; }
};

}  // namespace vesalius
