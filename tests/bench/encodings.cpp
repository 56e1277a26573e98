// The same figure in every encoding, from bytes to the finished humanoid, against the bare scan of its XML; and the memory that takes.
#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common.hpp"

namespace vesalius::bench {
namespace {

std::string twin(Encoding encoding) {
  HanimWriteOptions options;
  options.encoding = encoding;
  options.extras = false;
  return need(hanim_to_x3d(need(read_hanim(bytes(figure()), tables())), tables(), options));
}

/// A line of /proc/self/status, such as VmHWM, in bytes; 0 where there is none.
std::size_t status_bytes(const std::string& key) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key + ":")) return std::strtoull(line.c_str() + key.size() + 1, nullptr, 10) * 1024;
  }
  return 0;
}

/// Bytes that an action adds to the resident memory at its peak.
template <class Action>
std::size_t peak_of(const Action& action) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
  const std::size_t before = status_bytes("VmRSS");
  action();
  return status_bytes("VmHWM") - std::min(before, status_bytes("VmHWM"));
}

/// `times_of_scan`: against the bare scan of the XML twin, shortest rounds of both. `peak_of_file`: memory that reading the file takes, in
/// file sizes.
void read_twin(benchmark::State& state, Encoding encoding) {
  const std::string text = twin(encoding);
  const std::string xml = twin(Encoding::x3d_xml);
  Fastest reading, scanning;
  std::size_t vertices = 0;
  const auto read = [&] { vertices = vertex_count(need(read_hanim(bytes(text), tables()))); };
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("vesalius-bench-" + std::to_string(::getpid()));
  std::ofstream(file, std::ios::binary) << text;
  const std::size_t peak = peak_of([&] { benchmark::DoNotOptimize(need(read_hanim(file, tables()))); });
  std::filesystem::remove(file);
  for (auto _ : state) {
    scanning.measure([&] { scan(xml); });
    reading.measure(read);
  }
  count_bytes(state, text.size());
  state.counters["vertices"] = static_cast<double>(vertices);
  state.counters["times_of_scan"] = reading.seconds() / scanning.seconds();
  state.counters["peak_of_file"] = static_cast<double>(peak) / static_cast<double>(text.size());
}
BENCHMARK_CAPTURE(read_twin, xml, Encoding::x3d_xml)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);
BENCHMARK_CAPTURE(read_twin, classic_vrml, Encoding::classic_vrml)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);
BENCHMARK_CAPTURE(read_twin, vrml97, Encoding::vrml97)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);
BENCHMARK_CAPTURE(read_twin, json, Encoding::x3d_json)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);

}  // namespace
}  // namespace vesalius::bench
