#pragma once
// How much memory of the heap is in use at most.
#include <cstddef>

namespace vesalius::bench::allocation {

/// Bytes in use beyond those at its making, at most, until now. One at a time; single thread.
class Peak {
 public:
  Peak() noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  std::size_t start_;
};

}  // namespace vesalius::bench::allocation
