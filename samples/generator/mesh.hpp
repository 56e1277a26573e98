#pragma once
// Triangle meshes of implicit shapes.
#include <array>
#include <vector>

#include "implicit.hpp"

namespace samples {

struct Mesh {
  std::vector<Vec3> points;
  std::vector<Vec3> normals;                  ///< unit, one per point
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
};

struct Box {
  Vec3 low, high;
};

/// Closed surface of `field` inside `box` (the surface must not leave it), found on a grid of cells of `cell` metres and then
/// thinned to about `triangle_count` triangles; flat places keep few, bent places many.
[[nodiscard]] Mesh polygonise(const Field& field, const Box& box, double cell, std::size_t triangle_count);

/// Collapses edges until about `triangle_count` triangles are left. The surface stays closed; normals are not touched.
void decimate(Mesh& mesh, std::size_t triangle_count);

/// Puts the points onto the surface and takes the normals from it.
void settle(Mesh& mesh, const Field& field);

/// Leaves out the triangles that lie deeper than `depth` metres inside the field, and the points that nothing uses any more.
void remove_hidden(Mesh& mesh, const Field& cover, double depth);

/// The mesh at the other side of the body.
[[nodiscard]] Mesh mirrored(const Mesh& mesh);

void append(Mesh& mesh, const Mesh& other);

/// A ball with its poles on the z axis; only points with polar angle in [from, to] radians, counted from +z.
[[nodiscard]] Mesh ball_zone(const Vec3& centre, double radius, double from, double to, int rings, int sides);

}  // namespace samples
