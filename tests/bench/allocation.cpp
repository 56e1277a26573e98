#include "allocation.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace vesalius::bench::allocation {
namespace {

std::size_t in_use = 0, most = 0;

void* take(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  in_use += malloc_usable_size(memory);
  most = std::max(most, in_use);
  return memory;
}
void give_back(void* memory) noexcept {
  if (memory != nullptr) in_use -= std::min(in_use, malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

Peak::Peak() noexcept : start_(in_use) {
  most = in_use;
}
std::size_t Peak::bytes() const noexcept {
  return most - std::min(most, start_);
}

}  // namespace vesalius::bench::allocation

// Eigen's and the library's arrays come through these; over-aligned ones do not occur.
void* operator new(std::size_t size) {
  return vesalius::bench::allocation::take(size);
}
void operator delete(void* memory) noexcept {
  vesalius::bench::allocation::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  vesalius::bench::allocation::give_back(memory);
}
