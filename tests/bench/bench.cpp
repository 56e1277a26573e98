// Read, convert and write a large figure, and what the bare XML scan of the same bytes takes.
// VESALIUS_BENCH_VERTICES sets the size; 200000 by default.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <xercesc/framework/MemBufInputSource.hpp>
#include <xercesc/sax2/DefaultHandler.hpp>
#include <xercesc/sax2/SAX2XMLReader.hpp>
#include <xercesc/sax2/XMLReaderFactory.hpp>
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/XMLUni.hpp>

#include "allocation.hpp"
#include "figure.hpp"
#include "vesalius/convert.hpp"
#include "vesalius/hanim_io.hpp"
#include "vesalius/openmaterial_io.hpp"

namespace vesalius::bench {
namespace {

std::size_t vertices_wanted() {
  const char* text = std::getenv("VESALIUS_BENCH_VERTICES");
  return text == nullptr ? 200'000 : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

const MappingTables& tables() {
  return MappingTables::built_in();
}

ConvertOptions to(const char* profile) {
  ConvertOptions options;
  options.to = profile;
  return options;
}

/// The value, or the end of the program: a benchmark of a failure tells nothing.
template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  for (const Diagnostic& finding : result.diagnostics.items()) std::cerr << to_text(finding) << '\n';
  std::exit(1);
}

const std::string& figure() {
  static const std::string text = figure_x3d(tables(), vertices_wanted());
  return text;
}
std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
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

std::size_t vertex_count(const Humanoid& human) {
  std::size_t count = 0;
  for (const Part& part : human.parts) count += part.positions.size();
  return count;
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
Fastest fastest_scan, fastest_x3d, fastest_glb;

void count_bytes(benchmark::State& state, std::size_t size) {
  state.SetBytesProcessed(static_cast<std::int64_t>(size) * static_cast<std::int64_t>(state.iterations()));
}

/// SAX2 with the fastest settings that still check well-formedness, and a handler that does nothing. As for any file that is read once,
/// the parser is made and its buffers grow within the time.
void scan(const std::string& text) {
  const std::unique_ptr<xercesc::SAX2XMLReader> reader(xercesc::XMLReaderFactory::createXMLReader());
  reader->setProperty(xercesc::XMLUni::fgXercesScannerName, const_cast<XMLCh*>(xercesc::XMLUni::fgWFXMLScanner));
  reader->setFeature(xercesc::XMLUni::fgSAX2CoreNameSpaces, false);
  reader->setFeature(xercesc::XMLUni::fgXercesSchema, false);
  xercesc::DefaultHandler nothing;
  reader->setContentHandler(&nothing);
  reader->setErrorHandler(&nothing);
  const xercesc::MemBufInputSource source(reinterpret_cast<const XMLByte*>(text.data()), text.size(), "figure", false);
  reader->parse(source);
}

void bare_xml_scan(benchmark::State& state) {
  const std::string& text = figure();
  for (auto _ : state) fastest_scan.measure([&] { scan(text); });
  count_bytes(state, text.size());
}
// As many rounds for both: the first ones are slower, until the heap has grown.
constexpr int compared_rounds = 8;
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
