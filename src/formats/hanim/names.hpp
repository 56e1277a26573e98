#pragma once
// What the joints of a file are called, and which names of the standard they are.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/hanim/walk.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius::hanim {

struct JointNames {
  std::vector<std::string> names;         ///< unique; the profile's where it knows them, else the file's
  std::vector<std::string> source_names;  ///< name field (or DEF) as the file has it, trimmed
  std::vector<std::string> unknown;       ///< names that the profile does not know
  std::string version;                    ///< "1", "2", or "1 and 2" where both or neither can be told
};

/// Names all joints: name field, else DEF; blanks and common prefixes removed; exact match before one without regard to case.
/// Duplicates get a number, or are hanim.duplicate_joint in strict reading.
[[nodiscard]] JointNames name_joints(Reading& in, const Traversal& tree, const std::string& humanoid, const Profile& profile, bool strict);

/// Joint of a skeleton that a name in any version means; none when it is not there.
[[nodiscard]] JointIndex find_joint(const Skeleton& skeleton, const Profile& profile, std::string_view name);

/// Without blanks around and inside.
[[nodiscard]] std::string without_blanks(std::string_view text);

}  // namespace vesalius::hanim
