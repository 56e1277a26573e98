#pragma once
// Keys of animation channels.
#include <string>
#include <utility>
#include <vector>

#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"

namespace vesalius::openmaterial {

/// How far two values are apart, as a share of what may be lost between keys.
inline double distance(const Quat& a, const Quat& b) {
  return angle_between_rad(a, b) / 1e-3;
}
inline double distance(const Vec3& a, const Vec3& b) {
  return (a - b).norm() / 1e-4;
}
inline Quat mix(const Quat& a, const Quat& b, double t) {
  return a.slerp(t, b);
}
inline Vec3 mix(const Vec3& a, const Vec3& b, double t) {
  return a + t * (b - a);
}

/// Keys of a channel with `width` numbers each, by `value_of`; splines are sampled to within 1e-3 rad and 1e-4 m and counted. False (and
/// reported) when the channel does not hold what it should.
template <class T, class ValueOf>
bool read_track(const Importing& in, const gltf::Sampler& sampler, unsigned width, const std::string& where, const ValueOf& value_of,
                Track<T>& track, std::size_t& splines) {
  const auto times = gltf::read_values(in.document, sampler.input, 1, in.sink);
  const auto values = gltf::read_values(in.document, sampler.output, width, in.sink);
  if (!times || !values) return false;
  const bool spline = sampler.interpolation == "CUBICSPLINE";
  const std::size_t per_key = spline ? 3 : 1;
  if (values->size() < times->size() * width * per_key || times->empty()) {
    in.sink.warning(codes::openmaterial_dropped_channel,
                    "a channel has " + std::to_string(times->size()) + " times and " + std::to_string(values->size() / width) +
                        " values; it was left out",
                    in.at(where));
    return false;
  }
  for (std::size_t k = 1; k < times->size(); ++k) {
    if ((*times)[k] <= (*times)[k - 1]) {
      in.sink.warning(codes::openmaterial_dropped_channel, "the times of a channel do not ascend; it was left out", in.at(where));
      return false;
    }
  }
  track.interpolation = sampler.interpolation == "STEP" ? Interpolation::step : Interpolation::linear;
  const auto raw = [&](std::size_t key, std::size_t part) { return values->data() + (key * per_key + part) * width; };
  const auto push = [&](double time, const std::vector<double>& numbers) {
    track.times_s.push_back(time);
    track.values.push_back(value_of(numbers.data()));
  };
  const auto at_key = [&](std::size_t key) { return std::vector<double>(raw(key, spline ? 1 : 0), raw(key, spline ? 1 : 0) + width); };
  push((*times)[0], at_key(0));
  if (spline) ++splines;
  for (std::size_t k = 1; k < times->size(); ++k) {
    if (spline) {
      const double t0 = (*times)[k - 1], length = (*times)[k] - t0;
      const auto curve = [&](double u) {
        const double u2 = u * u, u3 = u2 * u;
        std::vector<double> result(width);
        for (unsigned i = 0; i < width; ++i) {
          result[i] = (2 * u3 - 3 * u2 + 1) * raw(k - 1, 1)[i] + length * (u3 - 2 * u2 + u) * raw(k - 1, 2)[i] +
                      (3 * u2 - 2 * u3) * raw(k, 1)[i] + length * (u3 - u2) * raw(k, 0)[i];
        }
        return value_of(result.data());
      };
      // Halved until straight lines follow the curve at the quarter points.
      std::vector<std::pair<double, double>> todo{{0.0, 1.0}};
      while (!todo.empty()) {
        const auto [from, to] = todo.back();
        todo.pop_back();
        const T a = curve(from), b = curve(to);
        double worst = 0;
        for (const double q : {0.25, 0.5, 0.75}) worst = std::max(worst, distance(mix(a, b, q), curve(from + q * (to - from))));
        if (worst > 1 && to - from > 1.0 / 256) {
          todo.emplace_back((from + to) / 2, to);
          todo.emplace_back(from, (from + to) / 2);
        } else if (to < 1) {
          track.times_s.push_back(t0 + to * length);
          track.values.push_back(b);
        }
      }
    }
    push((*times)[k], at_key(k));
  }
  return true;
}

}  // namespace vesalius::openmaterial
