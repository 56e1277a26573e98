#pragma once
// What the benchmarks share: the figure, the scan they are compared with, and how time is taken.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "vesalius/hanim_io.hpp"

namespace vesalius::bench {

inline const MappingTables& tables() {
  return MappingTables::built_in();
}
/// VESALIUS_BENCH_VERTICES, or 200000.
[[nodiscard]] std::size_t vertices_wanted();
/// X3D XML text of the figure, as large as VESALIUS_BENCH_VERTICES wants.
const std::string& figure();

/// The value, or the end of the program: a benchmark of a failure tells nothing.
template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  for (const Diagnostic& finding : result.diagnostics.items()) std::cerr << to_text(finding) << '\n';
  std::exit(1);
}

inline std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}
/// Takes the processor time of every round and keeps the shortest: other programs hardly matter then.
class Fastest {
 public:
  template <class Action>
  void measure(const Action& action) {
    const std::clock_t start = std::clock();
    action();
    shortest_s_ = std::min(shortest_s_, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  [[nodiscard]] double seconds() const { return shortest_s_; }

 private:
  double shortest_s_ = std::numeric_limits<double>::infinity();
};
/// Of the bare scan of the figure.
inline Fastest fastest_scan;

inline void count_bytes(benchmark::State& state, std::size_t size) {
  state.SetBytesProcessed(static_cast<std::int64_t>(size) * static_cast<std::int64_t>(state.iterations()));
}

/// SAX2 with the fastest settings that still check well-formedness, and a handler that does nothing.
void scan(const std::string& text);

// As many rounds for both: the first ones are slower, until the heap has grown.
inline constexpr int compared_rounds = 8;

inline std::size_t vertex_count(const Humanoid& human) {
  std::size_t count = 0;
  for (const Part& part : human.parts) count += part.positions.size();
  return count;
}

}  // namespace vesalius::bench
