// The entry of libFuzzer for one target; VESALIUS_FUZZ_TARGET names it.
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vesalius::fuzz::VESALIUS_FUZZ_TARGET(std::as_bytes(std::span(data, size)));
  return 0;
}
