#pragma once
// Xerces-C is set up here, once, and its UTF-16 becomes UTF-8 here.
#include <string>
#include <string_view>
#include <xercesc/util/XercesDefs.hpp>

namespace vesalius {

/// Starts Xerces-C once per process; safe from any thread. It is never shut down: parsers may live in static storage.
void start_xerces();

/// Appends UTF-16 text as UTF-8; lone surrogates become U+FFFD.
void append_utf8(std::string& out, const XMLCh* text, std::size_t length);
[[nodiscard]] std::string utf8(const XMLCh* text);

}  // namespace vesalius
