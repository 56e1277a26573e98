#pragma once
// Names beside a drawing: stacked in one column, joined to their places by lines that do not cross.
#include <cstddef>
#include <string>
#include <vector>

namespace vesalius::report_detail {

struct Label {
  std::string text;
  double anchor_x = 0;  ///< the place that the label names, px
  double anchor_y = 0;
  double y = 0;  ///< the label's own height, px; set by stack_labels
};

/// Sets `y` of every label of one column at `column_x`: within [top, bottom] as far as they fit, at least `spacing` apart, near their
/// places, and in an order in which no two lines from (column_x, y) to the places cross. Sorts the labels from the top.
void stack_labels(std::vector<Label>& labels, double column_x, double top, double bottom, double spacing);

}  // namespace vesalius::report_detail
