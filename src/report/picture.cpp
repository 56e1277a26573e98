#include <algorithm>
#include <cmath>

#include "foundation/numbers.hpp"
#include "report/codes.hpp"
#include "report/contour.hpp"
#include "report/labels.hpp"
#include "report/palette.hpp"
#include "report/raster.hpp"
#include "report/svg.hpp"
#include "report/words.hpp"
#include "vesalius/report.hpp"

namespace vesalius {

namespace {

using namespace report_detail;

// Sizes in px.
constexpr double border = 26;
constexpr double head_room = 74;  // title above the figures
constexpr double foot_room = 66;  // ground, captions and key below them
constexpr double ruler_room = 46;
constexpr double figure_pad = 12;  // around a figure, inside its drawing
constexpr double most_figure_width = 700;
constexpr double label_spacing = 14.5;
constexpr double label_text_px = 11;
constexpr double letter_px = 6.3;  // mean advance of a letter at that size
constexpr double leader_px = 16;

constexpr int shade_levels = 12;
constexpr double darkest = 0.5;  // brightness left where the shade is 0
constexpr std::size_t most_labels = 46;

/// Colours of joints and bones by side.
std::string side_colour(Side side) {
  switch (side) {
    case Side::left:
      return "#0b66b0";
    case Side::right:
      return "#c2481c";
    case Side::middle:
      return "#5a3696";
  }
  return "#5a3696";
}

/// A joint as the picture shows it.
struct DrawnJoint {
  Vec3 place = Vec3::Zero();
  Side side = Side::middle;
  int level = 0;
  std::size_t parent = 0;
  bool has_parent = false;
  bool outside = false;  ///< far from the mesh: not drawn
  std::size_t descendants = 0;
  bool labelled = false;
};

std::vector<DrawnJoint> drawn_joints(const Humanoid& humanoid, const Profile* profile, double height_m) {
  const std::span<const Joint> joints = humanoid.skeleton.joints();
  std::vector<DrawnJoint> drawn(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    DrawnJoint& joint = drawn[i];
    joint.place = joints[i].rest.place;
    const ProfileJoint* known = profile != nullptr ? profile->find(joints[i].name) : nullptr;
    if (known != nullptr) {
      joint.side = known->side;
      joint.level = known->lowest_loa;
    } else if (std::abs(joint.place.x()) > 0.02 * height_m) {
      joint.side = joint.place.x() > 0 ? Side::left : Side::right;
    }
    if (joints[i].parent != JointIndex::none) {
      joint.has_parent = true;
      joint.parent = index(joints[i].parent);
    }
  }
  for (std::size_t i = drawn.size(); i-- > 0;) {
    if (drawn[i].has_parent) drawn[drawn[i].parent].descendants += drawn[i].descendants + 1;
  }
  return drawn;
}

/// Which joints get a name: where the vocabulary has levels, the coarse ones; else all; the ones with the most below them when many.
void choose_labels(std::vector<DrawnJoint>& joints) {
  const bool levels = std::ranges::any_of(joints, [](const DrawnJoint& joint) { return joint.level > 1; });
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int most = joints[i].side == Side::middle ? 2 : 1;
    if (!joints[i].outside && (!levels || joints[i].level <= most)) chosen.push_back(i);
  }
  if (chosen.size() > most_labels) {
    std::ranges::stable_sort(chosen, std::greater<>{}, [&](std::size_t i) { return joints[i].descendants; });
    chosen.resize(most_labels);
  }
  for (const std::size_t i : chosen) joints[i].labelled = true;
}

/// One look at the figure, placed on the sheet.
struct Panel {
  View view;
  std::string caption;
  double x = 0;  // of the drawing on the sheet
  double y = 0;
  double width = 0;
  double height = 0;
  std::vector<Label> left;
  std::vector<Label> right;
  double left_room = 0;
  double right_room = 0;
  std::string id;
};

class Picture {
 public:
  Picture(const Humanoid& humanoid, const MappingTables& tables, const PictureOptions& options)
      : humanoid_(humanoid), options_(options), summary_(summarise(humanoid, tables)) {
    box_ = summary_.box;
    joints_ = drawn_joints(humanoid, tables.profile(humanoid.profile), summary_.height_m);
    // A wrong centre metres away must not shrink the figure to a dot.
    Eigen::AlignedBox3d around = box_;
    if (!around.isEmpty()) {
      const Vec3 margin = Vec3::Constant(0.5 * box_.sizes().maxCoeff());
      around = Eigen::AlignedBox3d(box_.min() - margin, box_.max() + margin);
    }
    for (DrawnJoint& joint : joints_) {
      joint.outside = !around.contains(joint.place);
      if (joint.outside) {
        ++outside_;
      } else {
        box_.extend(joint.place);
      }
    }
    choose_labels(joints_);
  }

  [[nodiscard]] bool is_empty() const { return box_.isEmpty() || !box_.min().allFinite() || !box_.max().allFinite(); }

  std::string draw(Diagnostics& sink) {
    if (outside_ > 0) {
      sink.warning(codes::report_joint_outside,
                   counted(outside_, "joint") + " far outside the mesh, more than half its size away, not drawn");
    }
    lay_out();
    Svg svg;
    svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + px(sheet_width_) + "\" height=\"" + px(sheet_height_) +
            "\" viewBox=\"0 0 " + px(sheet_width_) + " " + px(sheet_height_) +
            "\" font-family=\"'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif\">\n");
    svg.raw("<title>" + escaped(title()) + "</title>\n");
    svg.raw("<rect width=\"100%\" height=\"100%\" fill=\"#fbfbfa\"/>\n");
    write_heading(svg);
    write_scale(svg);
    const Palette palette = palette_of(humanoid_);
    for (Panel& panel : panels_) {
      if (options_.mesh && !palette.colours.empty()) write_mesh(svg, panel, palette, sink);
      write_skeleton(svg, panel);
      write_labels(svg, panel);
      svg.text(panel.x + panel.width / 2, ground_px_ + 24, "font-size=\"13\" fill=\"#333\" text-anchor=\"middle\"", panel.caption);
    }
    write_key(svg);
    svg.raw("</svg>\n");
    return svg.take();
  }

 private:
  [[nodiscard]] std::string title() const {
    if (!options_.title.empty()) return options_.title;
    return humanoid_.name.empty() ? "Humanoid" : humanoid_.name;
  }

  void lay_out() {
    // The ground is where the figure's own zero is, unless it floats far away from it.
    const double tall = std::max(box_.sizes().y(), 1e-3);
    const bool floats = std::abs(box_.min().y()) > 0.25 * tall;
    ground_m_ = floats ? box_.min().y() : std::min(0.0, box_.min().y());
    const double height_m = std::max(box_.max().y() - ground_m_, 1e-3);
    const double wide = std::max({box_.sizes().x(), box_.sizes().z(), 1e-3});
    px_per_m_ = std::min(options_.height_px / height_m, most_figure_width / wide);

    panels_.resize(2);
    panels_[0].view = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), 0, 0, px_per_m_};
    panels_[0].caption = "front (the body's left is on the right)";
    panels_[0].id = "front";
    panels_[1].view = {Vec3::UnitZ(), Vec3::UnitY(), -Vec3::UnitX(), 0, 0, px_per_m_};
    panels_[1].caption = "side (from the body's right)";
    panels_[1].id = "side";

    choose_columns();
    double x = border + ruler_room;
    const double drawing_height = height_m * px_per_m_ + 2 * figure_pad;
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      Panel& panel = panels_[p];
      const int axis = p == 0 ? 0 : 2;
      const double width_m = box_.sizes()[axis];
      panel.width = width_m * px_per_m_ + 2 * figure_pad;
      panel.height = drawing_height;
      panel.view.left_m = box_.min()[axis] - figure_pad / px_per_m_;
      panel.view.top_m = box_.max().y() + figure_pad / px_per_m_;
      panel.x = std::round(x + panel.left_room);
      panel.y = head_room;
      x = panel.x + panel.width + panel.right_room;
    }
    ground_px_ = head_room + (panels_[0].view.top_m - ground_m_) * px_per_m_;
    // Room for the heading and the key also beside a very slim figure.
    constexpr double least_width = 560;
    sheet_width_ = std::ceil(std::max(x + border, least_width));
    sheet_height_ = std::ceil(ground_px_ + foot_room);
  }

  /// The front view names the sides, the side view the middle; an empty column takes no room.
  void choose_columns() {
    std::size_t middle = 0;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (!joints_[i].labelled) continue;
      Label label{humanoid_.skeleton[joint_index(i)].name, 0, 0, 0};
      constexpr std::size_t longest = 32;
      if (label.text.size() > longest) label.text = label.text.substr(0, longest - 2) + "..";
      label.anchor_x = static_cast<double>(i);  // resolved to px once the panels have their places
      if (joints_[i].side == Side::left) panels_[0].right.push_back(label);
      if (joints_[i].side == Side::right) panels_[0].left.push_back(label);
      if (joints_[i].side == Side::middle) (middle++ % 2 == 0 ? panels_[1].right : panels_[1].left).push_back(label);
    }
    for (Panel& panel : panels_) {
      panel.left_room = room_for(panel.left);
      panel.right_room = room_for(panel.right);
    }
  }
  [[nodiscard]] static double room_for(const std::vector<Label>& labels) {
    constexpr double gap = 14;  // also between panels
    std::size_t longest = 0;
    for (const Label& label : labels) longest = std::max(longest, label.text.size());
    return labels.empty() ? gap : static_cast<double>(longest) * letter_px + leader_px + gap;
  }

  void write_heading(Svg& svg) const {
    svg.text(border, 34, "font-size=\"20\" font-weight=\"bold\" fill=\"#1d2430\"", title());
    const Counts& counts = summary_.counts;
    std::string facts = summary_.source.format;
    const auto add = [&](const std::string& text) { facts += (facts.empty() ? "" : "  \xB7  ") + text; };
    if (!summary_.source.encoding.empty()) add(summary_.source.encoding);
    const std::optional<int>& level = summary_.articulation.complete ? summary_.articulation.complete : summary_.articulation.partial;
    if (level) add("level " + std::to_string(*level));
    add(std::to_string(counts.joints) + " joints");
    if (counts.triangles > 0) add(std::to_string(counts.triangles) + " triangles");
    add(fixed_text(summary_.height_m, 2) + " m");
    std::string safe;
    for (const char c : facts) safe += c == '\xB7' ? std::string("&#183;") : escaped(std::string_view(&c, 1));
    svg.raw("<text x=\"" + px(border) + "\" y=\"54\" font-size=\"12\" fill=\"#566070\">" + safe + "</text>\n");
  }

  void write_scale(Svg& svg) const {
    const double height_m = box_.max().y() - ground_m_;
    if (!(height_m > 1e-6)) return;  // a single point has no height to measure
    // Steps of 1, 2 or 5 times a power of ten, about eight to a figure.
    double step = std::pow(10, std::floor(std::log10(height_m / 4)));
    for (const double factor : {5.0, 2.0}) {
      if (step * factor <= height_m / 3) {
        step *= factor;
        break;
      }
    }
    const double left = border + ruler_room;
    const double right = sheet_width_ - border;
    const auto y_of = [&](double above_m) { return ground_px_ - above_m * px_per_m_; };
    const int digits = step >= 0.1 ? 1 : static_cast<int>(std::ceil(-std::log10(step)));
    for (int k = 1; k * step < height_m * 0.985 && k < 100; ++k) {
      svg.line(left, y_of(k * step), right, y_of(k * step), "stroke=\"#e4e5e8\" stroke-width=\"1\"");
      svg.text(left - 10, y_of(k * step) + 3.5, "font-size=\"10\" fill=\"#7b8494\" text-anchor=\"end\"", fixed_text(k * step, digits));
    }
    for (int k = 0; k * step / 5 <= height_m && k < 500; ++k) {
      svg.line(left - (k % 5 == 0 ? 7 : 4), y_of(k * step / 5), left, y_of(k * step / 5), "stroke=\"#9aa2ae\" stroke-width=\"1\"");
    }
    svg.line(left, y_of(height_m), left, ground_px_, "stroke=\"#9aa2ae\" stroke-width=\"1\"");
    svg.line(left - 7, y_of(height_m), right, y_of(height_m), "stroke=\"#b9bfc9\" stroke-width=\"1\" stroke-dasharray=\"5 4\"");
    svg.text(left - 10, y_of(height_m) + 3.5, "font-size=\"10\" font-weight=\"bold\" fill=\"#444c58\" text-anchor=\"end\"",
             fixed_text(height_m, 2));
    svg.text(left - 10, ground_px_ + 3.5, "font-size=\"10\" fill=\"#7b8494\" text-anchor=\"end\"", "0 m");
    svg.line(left - 7, ground_px_, right, ground_px_, "stroke=\"#6b7482\" stroke-width=\"1.6\"");
  }

  void write_mesh(Svg& svg, const Panel& panel, const Palette& palette, Diagnostics& sink) const {
    const auto width = static_cast<std::size_t>(std::ceil(panel.width));
    const auto height = static_cast<std::size_t>(std::ceil(panel.height));
    Drawing drawing = draw_mesh(humanoid_, panel.view, width, height, palette.colour_of, palette.colours.size());
    if (drawing.drawn_every > 1) {
      sink.note(codes::report_sampled_mesh, "the mesh is too large to draw all of it; the " + panel.id + " view shows one triangle in " +
                                                std::to_string(drawing.drawn_every));
    }
    const std::string outline = contour_path(drawing.cover, 0.5F);
    if (outline.empty()) return;
    svg.raw("<g transform=\"translate(" + px(panel.x) + " " + px(panel.y) + ") scale(" + fixed_text(1.0 / path_units_per_px, 2) +
            ")\" stroke-linejoin=\"round\" fill-rule=\"evenodd\">\n<clipPath id=\"" + panel.id +
            "-outline\"><path clip-rule=\"evenodd\" d=\"" + outline + "\"/></clipPath>\n<g clip-path=\"url(#" + panel.id +
            "-outline)\">\n");
    svg.raw("<rect width=\"" + std::to_string(width * path_units_per_px) + "\" height=\"" + std::to_string(height * path_units_per_px) +
            "\" fill=\"" + palette.colours[0] + "\"/>\n");
    for (std::size_t k = 1; k < palette.colours.size(); ++k) {
      const std::string region = contour_path(drawing.colours[k], 0.5F);
      if (!region.empty()) svg.raw("<path fill=\"" + palette.colours[k] + "\" d=\"" + region + "\"/>\n");
    }
    // Where it is darker than a level lies one more thin layer of shadow.
    const double opacity = 1 - std::pow(darkest, 1.0 / shade_levels);
    svg.raw("<g fill=\"#1a2340\" fill-opacity=\"" + fixed_text(opacity, 4) + "\">\n");
    for (float& value : drawing.shade.values) value = -value;
    for (int k = 1; k <= shade_levels; ++k) {
      const float level = static_cast<float>(k) / (shade_levels + 1);
      const std::string darker = contour_path(drawing.shade, -level, 0.25, 4);
      if (!darker.empty()) svg.raw("<path d=\"" + darker + "\"/>\n");
    }
    svg.raw("</g>\n");
    const std::string edges = contour_path(drawing.edge, 0.34F, 0.25, 1);
    if (!edges.empty()) svg.raw("<path fill=\"#1a2340\" fill-opacity=\"0.35\" d=\"" + edges + "\"/>\n");
    svg.raw("</g>\n<path fill=\"none\" stroke=\"#39435a\" stroke-opacity=\"0.75\" stroke-width=\"9\" d=\"" + outline + "\"/>\n</g>\n");
  }

  [[nodiscard]] double x_of(const Panel& panel, const Vec3& place) const { return panel.x + panel.view.x_px(place); }
  [[nodiscard]] double y_of(const Panel& panel, const Vec3& place) const { return panel.y + panel.view.y_px(place); }

  /// The farther side first, so that the nearer lies over it.
  [[nodiscard]] std::vector<std::size_t> far_to_near(const Panel& panel) const {
    std::vector<std::size_t> order(joints_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return joints_[i].place.dot(panel.view.toward_viewer); });
    return order;
  }

  /// Distance to the nearest joint it is joined to, px: small joints get small dots.
  [[nodiscard]] std::vector<double> reach_px(const Panel& panel) const {
    std::vector<double> reach(joints_.size(), options_.height_px);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (!joints_[i].has_parent) continue;
      const std::size_t parent = joints_[i].parent;
      const double length = std::hypot(x_of(panel, joints_[i].place) - x_of(panel, joints_[parent].place),
                                       y_of(panel, joints_[i].place) - y_of(panel, joints_[parent].place));
      if (length < 0.5) continue;  // the same place in this view
      reach[i] = std::min(reach[i], length);
      reach[parent] = std::min(reach[parent], length);
    }
    return reach;
  }

  void write_skeleton(Svg& svg, const Panel& panel) const {
    const std::vector<double> reach = reach_px(panel);
    const std::vector<std::size_t> order = far_to_near(panel);
    svg.raw("<g stroke-linejoin=\"round\">\n");
    for (const std::size_t i : order) {
      if (joints_[i].has_parent && !joints_[i].outside && !joints_[joints_[i].parent].outside) write_bone(svg, panel, i);
    }
    for (const std::size_t i : order) {
      const DrawnJoint& joint = joints_[i];
      if (joint.outside) continue;
      const double radius = std::clamp(0.3 * reach[i], 1.1, joint.labelled ? 3.6 : 2.6);
      svg.circle(
          x_of(panel, joint.place), y_of(panel, joint.place), radius,
          "fill=\"" + side_colour(joint.side) + "\" stroke=\"#fff\" stroke-width=\"" + fixed_text(std::min(1.0, radius / 3), 2) + "\"");
    }
    svg.raw("</g>\n");
  }

  void write_bone(Svg& svg, const Panel& panel, std::size_t i) const {
    const DrawnJoint& joint = joints_[i];
    const DrawnJoint& parent = joints_[joint.parent];
    const double x1 = x_of(panel, parent.place);
    const double y1 = y_of(panel, parent.place);
    const double x2 = x_of(panel, joint.place);
    const double y2 = y_of(panel, joint.place);
    const double length = std::hypot(x2 - x1, y2 - y1);
    if (length < 1) return;
    const std::string colour = side_colour(joint.side);
    constexpr double far_from_root = 0.3;  // of the height: a root on the ground is joined by a thin line, it is no bone
    if (!parent.has_parent && (joint.place - parent.place).norm() > far_from_root * summary_.height_m) {
      svg.line(x1, y1, x2, y2, "stroke=\"" + colour + "\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\" stroke-opacity=\"0.8\"");
      return;
    }
    const double thick = std::clamp(0.11 * length, 0.9, 4.2);
    const double thin = 0.3 * thick;
    const double nx = -(y2 - y1) / length;
    const double ny = (x2 - x1) / length;
    svg.raw("<path d=\"M" + px(x1 + nx * thick) + " " + px(y1 + ny * thick) + "L" + px(x2 + nx * thin) + " " + px(y2 + ny * thin) + "L" +
            px(x2 - nx * thin) + " " + px(y2 - ny * thin) + "L" + px(x1 - nx * thick) + " " + px(y1 - ny * thick) + "z\" fill=\"" + colour +
            "\" fill-opacity=\"0.78\" stroke=\"#fff\" stroke-width=\"0.7\" stroke-opacity=\"0.85\"/>\n");
  }

  void write_labels(Svg& svg, Panel& panel) const {
    write_column(svg, panel, panel.left, panel.x - leader_px + 8, true);
    write_column(svg, panel, panel.right, panel.x + panel.width + leader_px - 8, false);
  }

  void write_column(Svg& svg, const Panel& panel, std::vector<Label>& labels, double column_x, bool left) const {
    for (Label& label : labels) {
      const Vec3& place = joints_[static_cast<std::size_t>(label.anchor_x)].place;
      label.anchor_x = x_of(panel, place);
      label.anchor_y = y_of(panel, place);
    }
    stack_labels(labels, column_x, panel.y + 6, ground_px_ - 4, label_spacing);
    for (const Label& label : labels) {
      svg.line(column_x, label.y, label.anchor_x, label.anchor_y, "stroke=\"#3d4656\" stroke-width=\"0.6\" stroke-opacity=\"0.6\"");
      svg.text(left ? column_x - 3 : column_x + 3, label.y + 3.8,
               "font-size=\"" + px(label_text_px) + "\" fill=\"#222a36\"" + (left ? " text-anchor=\"end\"" : ""), label.text);
    }
  }

  void write_key(Svg& svg) const {
    double x = border + ruler_room;
    const double y = sheet_height_ - 18;
    for (const auto& [side, name] : {std::pair{Side::left, "the body's left"}, {Side::right, "right"}, {Side::middle, "middle"}}) {
      svg.circle(x, y - 4, 4, "fill=\"" + side_colour(side) + "\"");
      svg.text(x + 9, y, "font-size=\"11\" fill=\"#566070\"", name);
      x += 9 + static_cast<double>(std::string_view(name).size()) * letter_px + 22;
    }
  }

  const Humanoid& humanoid_;
  const PictureOptions& options_;
  Summary summary_;
  Eigen::AlignedBox3d box_;
  std::vector<DrawnJoint> joints_;
  std::size_t outside_ = 0;
  std::vector<Panel> panels_;
  double px_per_m_ = 1;
  double ground_m_ = 0;
  double ground_px_ = 0;
  double sheet_width_ = 0;
  double sheet_height_ = 0;
};

}  // namespace

Result<std::string> picture_svg(const Humanoid& humanoid, const MappingTables& tables, const PictureOptions& options) {
  Result<std::string> result;
  Picture picture(humanoid, tables, options);
  if (picture.is_empty()) {
    result.diagnostics.error(codes::report_nothing_to_draw, "the humanoid has neither joints nor vertices; expected at least one");
    return result;
  }
  result.value = picture.draw(result.diagnostics);
  return result;
}

}  // namespace vesalius
