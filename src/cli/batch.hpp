#pragma once
// The same work on many items: on all cores, results in the order of the items.
#include <cstddef>
#include <functional>

namespace vesalius::cli {

/// Calls `work(i)` for every i below `count` on up to `threads` threads (0: one per core), and `done(i)` on the calling thread in
/// ascending order as soon as that item and all before it are finished. `work` must not throw.
void for_each_in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                       const std::function<void(std::size_t)>& done);

}  // namespace vesalius::cli
