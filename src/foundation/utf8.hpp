#pragma once
// UTF-8 text.
#include <string>

namespace vesalius {

/// Appends a code point as UTF-8.
void append_code_point(std::string& out, char32_t c);

}  // namespace vesalius
