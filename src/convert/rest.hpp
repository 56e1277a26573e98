#pragma once
// From one rest pose to another: only limbs that the profiles name turn (arms), everything below a limb inherits its last turn.
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vesalius/convert.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius::convert_detail {

/// The few-bone skeleton at the source's rest pose, in the few-bone profile's order; a place may be missing when bones are left out.
struct BoneTree {
  const Profile* profile = nullptr;
  std::vector<int> parent;                 ///< -1 for the root
  std::vector<std::optional<Vec3>> place;  ///< canonical, metre
  [[nodiscard]] int find(std::string_view bone) const;
};

/// Which way the rest pose changes.
enum class RestDirection : std::uint8_t { towards_bones, towards_joints };

/// Global change of every bone from the source's rest pose to the target's.
struct RestChange {
  std::vector<Quat> turn;          ///< A, accumulated, canonical axes
  std::vector<Affine> change;      ///< N: moves what hangs on the bone
  std::vector<bool> from_profile;  ///< per bone: the turn is the profile's own (true where nothing turns)
  std::vector<LimbTurn> limbs;
};

/// Options: keep gives identities; `kept` turns (of the conversion that is undone) win over measuring; clearance turns arms out.
[[nodiscard]] RestChange rest_change(const BoneTree& bones, const Mapping& mapping, const Profile& joints, RestDirection direction,
                                     const ConvertOptions& options, std::span<const KeptTurn> kept, Diagnostics& sink);

/// forward: v' = (sum w N + (1 - sum w)) v. inverse: v' = (sum w N^-1 + (1 - sum w))^-1 v, which undoes forward exactly.
enum class Blend : std::uint8_t { forward, inverse };

/// Moves positions, normals and morph displacements of a part. `change` has an entry per joint that the influences name.
void repose(Part& part, std::span<const Affine> change, Blend blend, Diagnostics& sink);

/// The same change in new coordinates x' = x + shift.
[[nodiscard]] Affine shifted(const Affine& change, const Vec3& shift);

}  // namespace vesalius::convert_detail
