#include <algorithm>
#include <cctype>
#include <set>

#include "mapping/codes.hpp"
#include "mapping/load.hpp"

namespace vesalius {

namespace {

std::string folded(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// A name as tools change it: without what stands before a colon, without a number that an importer hung on, without a duplicate's digit.
std::vector<std::string> spellings(std::string_view name) {
  std::vector<std::string> result{std::string(name)};
  if (const auto colon = name.rfind(':'); colon != std::string_view::npos) result.emplace_back(name.substr(colon + 1));
  const std::string last = result.back();
  const auto mark = last.find_last_of("_.-");
  const auto digits = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (mark != std::string::npos && mark > 0 && last.size() - mark - 1 >= 2 && digits(std::string_view(last).substr(mark + 1)))
    result.push_back(last.substr(0, mark));
  if (last.size() > 1 && last.back() == '1') result.push_back(last.substr(0, last.size() - 1));
  return result;
}

}  // namespace

const RigBone* Rig::match(std::string_view bone_name) const {
  for (const std::string& spelling : spellings(bone_name)) {
    if (const auto found = by_name.find(folded(spelling)); found != by_name.end()) return &bones[found->second];
  }
  return nullptr;
}

const Rig* MappingTables::rig(std::string_view name) const {
  const auto found = std::ranges::find(rigs_, name, &Rig::name);
  return found == rigs_.end() ? nullptr : &*found;
}

const Rig* MappingTables::recognise_rig(std::span<const std::string> names) const {
  const Rig* best = nullptr;
  std::size_t most = 0;
  for (const Rig& rig : rigs_) {
    std::set<std::string> joints;
    std::size_t known = 0;
    for (const std::string& name : names) {
      const RigBone* bone = rig.match(name);
      if (bone == nullptr) continue;
      ++known;
      if (!bone->joint.empty()) joints.insert(bone->joint);
    }
    // A rig is known by most of its limbs; half the file's joints may be props and extra bones.
    constexpr std::size_t least_joints = 8;
    if (joints.size() >= least_joints && 2 * known >= names.size() && joints.size() > most) {
      most = joints.size();
      best = &rig;
    }
  }
  return best;
}

namespace mapping_detail {

std::optional<std::vector<Rig>> load_rigs(const Element& root, const MappingTables& tables, Diagnostics& sink) {
  std::vector<Rig> rigs;
  for (const Element& element : root.children) {
    Rig rig{element.text("name"), element.text("title"), {}, element.text("source"), {}};
    std::set<std::string> names;
    for (const Element& bone : element.children) {
      if (!names.insert(bone.text("name")).second)
        sink.error(codes::mapping_duplicate, "bone '" + bone.text("name") + "' occurs twice in rig '" + rig.name + "'", bone.where);
      const std::string joint = bone.text("joint");
      const bool known =
          std::ranges::any_of(tables.profiles(), [&](const Profile& p) { return !p.has_bone_axes && p.find(joint) != nullptr; });
      if (!joint.empty() && !known) sink.error(codes::mapping_unknown_joint, "joint '" + joint + "' is in no profile", bone.where);
      rig.by_name.emplace(folded(bone.text("name")), rig.bones.size());
      rig.bones.push_back({bone.text("name"), joint, bone.text("helps")});
    }
    for (const Element& bone : element.children) {
      if (bone.has("helps") && !names.contains(bone.text("helps")))
        sink.error(codes::mapping_unknown_bone, "bone '" + bone.text("helps") + "' is not in rig '" + rig.name + "'", bone.where);
    }
    rigs.push_back(std::move(rig));
  }
  if (sink.has_errors()) return std::nullopt;
  return rigs;
}

}  // namespace mapping_detail
}  // namespace vesalius
