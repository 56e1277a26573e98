#include "vesalius/diagnostics.hpp"

#include <functional>

namespace vesalius {

std::string_view to_text(Severity severity) noexcept {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = diagnostic.where.file;
  if (diagnostic.where.line > 0) {
    text += ":" + std::to_string(diagnostic.where.line);
    if (diagnostic.where.column > 0) text += ":" + std::to_string(diagnostic.where.column);
  }
  if (!text.empty()) text += ": ";
  text += to_text(diagnostic.severity);
  text += " [";
  text += diagnostic.code.id;
  text += "]";
  if (!diagnostic.where.path.empty()) text += " " + diagnostic.where.path;
  text += ": " + diagnostic.message;
  if (diagnostic.count > 1) text += " (" + std::to_string(diagnostic.count) + " times)";
  return text;
}

namespace {

std::size_t key_of(const Diagnostic& d) {
  const std::hash<std::string_view> hash;
  std::size_t key = hash(d.message);
  key = key * 31 + hash(d.code.id);
  key = key * 31 + hash(d.where.file);
  return key * 3 + static_cast<std::size_t>(d.severity);
}

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.severity == b.severity && a.code == b.code && a.message == b.message && a.where.file == b.where.file;
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  const std::size_t key = key_of(diagnostic);
  const auto [from, to] = by_key_.equal_range(key);
  for (auto it = from; it != to; ++it) {
    if (same(items_[it->second], diagnostic)) {
      items_[it->second].count += diagnostic.count;
      return;
    }
  }
  by_key_.emplace(key, items_.size());
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::note(Code code, std::string message, Location where) {
  add({Severity::note, code, std::move(message), std::move(where), 1});
}
void Diagnostics::warning(Code code, std::string message, Location where) {
  add({Severity::warning, code, std::move(message), std::move(where), 1});
}
void Diagnostics::error(Code code, std::string message, Location where) {
  add({Severity::error, code, std::move(message), std::move(where), 1});
}

void Diagnostics::append(const Diagnostics& other) {
  for (const Diagnostic& diagnostic : other.items_) add(diagnostic);
}

bool Diagnostics::has_errors() const noexcept {
  return count(Severity::error) > 0;
}

std::size_t Diagnostics::count(Severity severity) const noexcept {
  std::size_t sum = 0;
  for (const Diagnostic& diagnostic : items_) {
    if (diagnostic.severity == severity) sum += diagnostic.count;
  }
  return sum;
}

void Diagnostics::set_file(const std::string& file) {
  Diagnostics renamed;
  for (Diagnostic& diagnostic : items_) {
    if (diagnostic.where.file.empty()) diagnostic.where.file = file;
    renamed.add(std::move(diagnostic));
  }
  *this = std::move(renamed);
}

}  // namespace vesalius
