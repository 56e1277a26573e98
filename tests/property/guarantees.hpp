#pragma once
// The guarantee table: every line with its bound, and the largest error that was measured for it.
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "vesalius/humanoid.hpp"

namespace vesalius::test {

struct Guarantee {
  std::string line;   ///< what is promised, in words
  std::string value;  ///< which quantity of it, with its unit
  double bound = 0;
  double worst = 0;
  std::string where;        ///< figure of the largest error
  std::size_t figures = 0;  ///< measured
};

class GuaranteeTable {
 public:
  /// Lines in the order of their first measurement.
  void measure(const std::string& line, const std::string& value, double bound, double error, const std::string& where);
  [[nodiscard]] const std::vector<Guarantee>& lines() const { return lines_; }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Guarantee> lines_;
  std::map<std::string, std::size_t> by_key_;
};

/// Seeded random figures; `count` per group of lines.
void measure_round_trips(GuaranteeTable& table, std::size_t count);
void measure_motion_lines(GuaranteeTable& table, std::size_t count);
void measure_rest_and_mirror(GuaranteeTable& table, std::size_t count);
void measure_edits(GuaranteeTable& table, std::size_t count);
void measure_levels(GuaranteeTable& table, std::size_t count);
void measure_orientations(GuaranteeTable& table);
/// The first clip of a real figure at its keys.
void measure_keys_of(GuaranteeTable& table, const Humanoid& source, const std::string& who);
/// Real files; the number of those used.
std::size_t measure_corpus(GuaranteeTable& table);

}  // namespace vesalius::test
