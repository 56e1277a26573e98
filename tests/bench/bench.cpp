// Read, convert and write a large figure, and what the bare XML scan of the same bytes takes.
// VESALIUS_BENCH_VERTICES sets the size; 200000 by default.
#include <benchmark/benchmark.h>

#include <span>
#include <string>
#include <xercesc/util/PlatformUtils.hpp>

#include "allocation.hpp"
#include "common.hpp"
#include "figure.hpp"
#include "vesalius/convert.hpp"
#include "vesalius/hanim_io.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius::bench {
namespace {

ConvertOptions to(const char* profile) {
  ConvertOptions options;
  options.to = profile;
  return options;
}

const Humanoid& hanim_human() {
  static const Humanoid human = [] {
    auto read = read_hanim(bytes(figure()), tables());
    // A finding would mean that something else is timed than a whole, sound figure.
    if (!read.diagnostics.items().empty()) read.value.reset();
    return need(std::move(read));
  }();
  return human;
}
const Humanoid& openmaterial_human() {
  static const Humanoid human = need(convert(hanim_human(), tables(), to("openmaterial"))).humanoid;
  return human;
}
const std::vector<std::byte>& glb() {
  static const std::vector<std::byte> file = need(openmaterial_to_files(openmaterial_human(), "figure", tables())).files.front().second;
  return file;
}
const Humanoid& hanim_again() {
  static const Humanoid human = need(convert(openmaterial_human(), tables(), to("hanim-2"))).humanoid;
  return human;
}

Fastest fastest_x3d, fastest_glb;

void bare_xml_scan(benchmark::State& state) {
  const std::string& text = figure();
  for (auto _ : state) fastest_scan.measure([&] { scan(text); });
  count_bytes(state, text.size());
}
BENCHMARK(bare_xml_scan)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);

/// From bytes to the finished humanoid. `times_of_scan` compares the shortest rounds of both.
void read_x3d(benchmark::State& state) {
  const std::string& text = figure();
  std::size_t vertices = 0;
  for (auto _ : state) {
    fastest_x3d.measure([&] {
      const Humanoid human = need(read_hanim(bytes(text), tables()));
      vertices = vertex_count(human);
    });
  }
  count_bytes(state, text.size());
  state.counters["vertices"] = static_cast<double>(vertices);
  state.counters["times_of_scan"] = fastest_x3d.seconds() / fastest_scan.seconds();
}
BENCHMARK(read_x3d)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);

/// The arithmetic, and its share of what reading the same figure takes: `times_of_reading` is below 1.
void convert_to_openmaterial(benchmark::State& state) {
  const Humanoid& human = hanim_human();
  Fastest fastest;
  for (auto _ : state) fastest.measure([&] { benchmark::DoNotOptimize(need(convert(human, tables(), to("openmaterial")))); });
  state.counters["times_of_reading"] = fastest.seconds() / fastest_x3d.seconds();
}
BENCHMARK(convert_to_openmaterial)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);

/// A half and a quarter of the figure: bytes that are allocated at most, per vertex, stay the same when memory grows linearly.
void convert_memory(benchmark::State& state) {
  const auto vertices = vertices_wanted() / static_cast<std::size_t>(state.range(0));
  const std::string text = figure_x3d(tables(), vertices);
  const Humanoid human = need(read_hanim(bytes(text), tables()));
  std::size_t most = 0;
  for (auto _ : state) {
    const allocation::Peak peak;
    benchmark::DoNotOptimize(need(convert(human, tables(), to("openmaterial"))));
    most = std::max(most, peak.bytes());
  }
  state.counters["bytes_per_vertex"] = static_cast<double>(most) / static_cast<double>(vertex_count(human));
}
BENCHMARK(convert_memory)->Arg(4)->Arg(2)->Arg(1)->Unit(benchmark::kMillisecond)->Iterations(1);

void write_glb(benchmark::State& state) {
  const Humanoid& human = openmaterial_human();
  std::size_t size = 0;
  for (auto _ : state) size = need(openmaterial_to_files(human, "figure", tables())).files.front().second.size();
  count_bytes(state, size);
}
BENCHMARK(write_glb)->Unit(benchmark::kMillisecond);

void read_glb(benchmark::State& state) {
  const auto& file = glb();
  for (auto _ : state) fastest_glb.measure([&] { benchmark::DoNotOptimize(need(read_openmaterial(file, tables()))); });
  count_bytes(state, file.size());
}
BENCHMARK(read_glb)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);

/// `times_of_reading` against the GLB, `times_of_reading_x3d` against the text of the same figure.
void convert_to_hanim(benchmark::State& state) {
  const Humanoid& human = openmaterial_human();
  Fastest fastest;
  for (auto _ : state) fastest.measure([&] { benchmark::DoNotOptimize(need(convert(human, tables(), to("hanim-2")))); });
  state.counters["times_of_reading"] = fastest.seconds() / fastest_glb.seconds();
  state.counters["times_of_reading_x3d"] = fastest.seconds() / fastest_x3d.seconds();
}
BENCHMARK(convert_to_hanim)->Unit(benchmark::kMillisecond)->Iterations(compared_rounds);

void write_x3d(benchmark::State& state) {
  const Humanoid& human = hanim_again();
  std::size_t size = 0;
  for (auto _ : state) size = need(hanim_to_x3d(human, tables())).size();
  count_bytes(state, size);
}
BENCHMARK(write_x3d)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vesalius::bench

int main(int argc, char** argv) {
  xercesc::XMLPlatformUtils::Initialize();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
