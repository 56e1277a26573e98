#include <map>

#include "text.hpp"
#include "writers.hpp"

namespace samples {
namespace {

constexpr std::string_view person = "Alex";
constexpr int level = 1;
constexpr int place_decimals = 5;
constexpr int normal_decimals = 3;

constexpr std::string_view prototypes = R"(PROTO Joint [
  exposedField SFVec3f    center           0 0 0
  exposedField MFNode     children         [ ]
  exposedField MFFloat    llimit           [ ]
  exposedField SFRotation limitOrientation 0 0 1 0
  exposedField SFString   name             ""
  exposedField SFRotation rotation         0 0 1 0
  exposedField SFVec3f    scale            1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField MFFloat    stiffness        [ 0 0 0 ]
  exposedField SFVec3f    translation      0 0 0
  exposedField MFFloat    ulimit           [ ]
]
{
  Transform {
    center           IS center
    children         IS children
    rotation         IS rotation
    scale            IS scale
    scaleOrientation IS scaleOrientation
    translation      IS translation
  }
}

PROTO Segment [
  field        SFVec3f  bboxCenter       0 0 0
  field        SFVec3f  bboxSize         -1 -1 -1
  exposedField SFVec3f  centerOfMass     0 0 0
  exposedField MFNode   children         [ ]
  exposedField SFNode   coord            NULL
  exposedField MFNode   displacers       [ ]
  exposedField SFFloat  mass             0
  exposedField MFFloat  momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ]
  exposedField SFString name             ""
  eventIn      MFNode   addChildren
  eventIn      MFNode   removeChildren
]
{
  Group {
    addChildren    IS addChildren
    bboxCenter     IS bboxCenter
    bboxSize       IS bboxSize
    children       IS children
    removeChildren IS removeChildren
  }
}

PROTO Site [
  exposedField SFVec3f    center           0 0 0
  exposedField MFNode     children         [ ]
  exposedField SFString   name             ""
  exposedField SFRotation rotation         0 0 1 0
  exposedField SFVec3f    scale            1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField SFVec3f    translation      0 0 0
  eventIn      MFNode     addChildren
  eventIn      MFNode     removeChildren
]
{
  Transform {
    addChildren      IS addChildren
    center           IS center
    children         IS children
    removeChildren   IS removeChildren
    rotation         IS rotation
    scale            IS scale
    scaleOrientation IS scaleOrientation
    translation      IS translation
  }
}

PROTO Displacer [
  exposedField MFInt32  coordIndex    [ ]
  exposedField MFVec3f  displacements [ ]
  exposedField SFString name          ""
]
{
  Group { }
}

PROTO Humanoid [
  field        SFVec3f    bboxCenter       0 0 0
  field        SFVec3f    bboxSize         -1 -1 -1
  exposedField SFVec3f    center           0 0 0
  exposedField MFNode     humanoidBody     [ ]
  exposedField MFString   info             [ ]
  exposedField MFNode     joints           [ ]
  exposedField SFString   name             ""
  exposedField SFRotation rotation         0 0 1 0
  exposedField SFVec3f    scale            1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField MFNode     segments         [ ]
  exposedField MFNode     sites            [ ]
  exposedField SFVec3f    translation      0 0 0
  exposedField SFString   version          "1.1"
  exposedField MFNode     viewpoints       [ ]
]
{
  Transform {
    bboxCenter       IS bboxCenter
    bboxSize         IS bboxSize
    center           IS center
    rotation         IS rotation
    scale            IS scale
    scaleOrientation IS scaleOrientation
    translation      IS translation
    children [
      Group { children IS viewpoints }
      Group { children IS humanoidBody }
    ]
  }
}

)";

class Writer {
 public:
  Writer(const Skeleton& skeleton, const Anatomy& body, const std::vector<Part>& parts) : skeleton_(skeleton), parts_(parts) {
    for (const SitePlace& site : site_places(body)) {
      // Level 1 has the sites at crown, hands and feet only.
      if (site.name == "skull_vertex_tip") sites_.push_back({"skull_tip", "skull", site.place});
      for (const char side : {'l', 'r'}) {
        const std::string own = std::string(1, side) + "_";
        if (site.name == own + "carpal_distal_phalanx_3_tip") sites_.push_back({own + "middle_distal_tip", own + "hand", site.place});
        if (site.name == own + "tarsal_distal_phalanx_2_tip") sites_.push_back({own + "forefoot_tip", own + "middistal", site.place});
      }
    }
  }

  [[nodiscard]] std::string text() {
    line("#VRML V2.0 utf8");
    line("# A humanoid of H-Anim 1.1, made by the sample generator of Vesalius: rigid segments, version 1 names, a walking clip.");
    line("");
    out_ += prototypes;
    line("WorldInfo { title \"legacy_avatar\" }");
    line("NavigationInfo { type [ \"EXAMINE\" \"ANY\" ] }");
    line("Background { skyColor 0.86 0.89 0.93 }");
    line("Viewpoint { description \"Front\" position 0 0.95 3.2 }");
    line("Viewpoint { description \"Left side\" position 3.2 0.95 0 orientation 0 1 0 1.5708 }");
    line("");
    open("DEF hanim_" + std::string(person) + " Humanoid {");
    line("name \"" + std::string(person) + "\"");
    line("version \"1.1\"");
    line("info [ \"humanoidVersion=1.0\" \"authorName=Vesalius sample generator\" \"copyright=Vesalius contributors\" \"height=1.75\" ]");
    open("humanoidBody [");
    joint(0);
    close("]");
    list("joints", joint_names_);
    list("segments", segment_names_);
    list("sites", site_names_);
    close("}");
    line("");
    clip(walk());
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    if (!text.empty()) out_.append(static_cast<std::size_t>(depth_) * 2, ' ');
    out_ += text;
    out_ += '\n';
  }
  void open(const std::string& start) {
    line(start);
    ++depth_;
  }
  void close(std::string_view end) {
    --depth_;
    line(end);
  }

  void list(const std::string& field, const std::vector<std::string>& names) {
    open(field + " [");
    WordList words;
    for (const std::string& name : names) words.add("USE hanim_" + name);
    line(words.text());
    close("]");
  }

  void joint(int index) {
    const Joint& j = skeleton_.joints()[index];
    joint_names_.push_back(j.legacy_name);
    open("DEF hanim_" + j.legacy_name + " Joint {");
    line("name \"" + j.legacy_name + "\"");
    line("center " + numbers(j.centre, place_decimals));
    if (j.limited) {
      line("llimit [ " + numbers(j.limits.lower, 3) + " ]");
      line("ulimit [ " + numbers(j.limits.upper, 3) + " ]");
    }
    open("children [");
    segment(index);
    for (std::size_t i = 0; i < skeleton_.joints().size(); ++i) {
      const int child = static_cast<int>(i);
      if (skeleton_.joints()[i].level <= level && skeleton_.parent_at_level(child, level) == index) joint(child);
    }
    close("]");
    close("}");
  }

  /// Joint of this level that moves what `joint` moves at level 3.
  [[nodiscard]] int at_level(int joint) const {
    return skeleton_.joints()[joint].level <= level ? joint : skeleton_.parent_at_level(joint, level);
  }

  void segment(int index) {
    const Joint& j = skeleton_.joints()[index];
    double mass = 0;
    Vec3 moment = Vec3::Zero();
    for (std::size_t i = 0; i < skeleton_.joints().size(); ++i) {
      const int other = static_cast<int>(i);
      if (at_level(other) != index) continue;
      mass += skeleton_.joints()[i].segment_mass_kg;
      moment += skeleton_.joints()[i].segment_mass_kg * mass_centre(skeleton_, other);
    }
    segment_names_.push_back(j.legacy_segment);
    open("DEF hanim_" + j.legacy_segment + " Segment {");
    line("name \"" + j.legacy_segment + "\"");
    line("mass " + number(mass, 3));
    line("centerOfMass " + numbers(moment / mass, place_decimals));
    open("children [");
    const Part* face = nullptr;
    for (const Part& part : parts_) {
      const std::string owner = part.rigid_joint == "eyes" ? "skullbase" : part.rigid_joint;
      if (owner != j.name) continue;
      const bool moved = part.name == "Body_Head";
      shape(part, moved ? "hanim_" + j.legacy_segment + "_coords" : "");
      if (moved) face = &part;
    }
    for (const SitePlace& site : sites_) {
      if (site.segment != j.legacy_segment) continue;
      site_names_.push_back(site.name);
      line("DEF hanim_" + site.name + " Site { name \"" + site.name + "\" translation " + numbers(site.place, place_decimals) + " }");
    }
    close("]");
    if (face != nullptr) {
      line("coord USE hanim_" + j.legacy_segment + "_coords");
      displacer(*face);
    }
    close("}");
  }

  void shape(const Part& part, const std::string& coordinate_name) {
    WordList points;
    WordList normals;
    WordList faces;
    for (const Vec3& p : part.mesh.points) points.add(numbers(p, place_decimals));
    for (const Vec3& n : part.mesh.normals) normals.add(numbers(n, normal_decimals));
    for (const auto& t : part.mesh.triangles) {
      for (const int v : t) faces.add(std::to_string(v));
      faces.add("-1");
    }
    const Colour& c = part.colour;
    const double shine = 0.4 * c.shininess;
    open("DEF " + part.name + " Shape {");
    const std::string key = numbers({c.red, c.green, c.blue}, 3);
    const auto [found, is_new] = colours_.try_emplace(key, "colour_" + std::to_string(colours_.size() + 1));
    if (is_new)
      line("appearance DEF " + found->second + " Appearance { material Material { diffuseColor " + key + " specularColor " +
           numbers({shine, shine, shine}, 3) + " shininess " + number(c.shininess, 3) + " } }");
    else
      line("appearance USE " + found->second);
    open("geometry IndexedFaceSet {");
    line("creaseAngle 3.14");
    line("coord " + (coordinate_name.empty() ? std::string() : "DEF " + coordinate_name + " ") + "Coordinate { point [\n" + points.text() +
         " ] }");
    line("normal Normal { vector [\n" + normals.text() + " ] }");
    line("coordIndex [\n" + faces.text() + " ]");
    close("}");
    close("}");
  }

  void displacer(const Part& face) {
    WordList indices;
    WordList moves;
    for (std::size_t i = 0; i < face.mesh.points.size(); ++i) {
      const Vec3 step = smile(face.mesh.points[i]);
      if (step.norm() <= 5e-5) continue;
      indices.add(std::to_string(i));
      moves.add(numbers(step, 5));
    }
    open("displacers [");
    open("DEF hanim_smile_action Displacer {");
    line("name \"smile_action\"");
    line("coordIndex [ " + indices.text() + " ]");
    line("displacements [ " + moves.text() + " ]");
    close("}");
    close("]");
  }

  void clip(const Clip& clip) {
    const std::string clock = clip.name + "_clock";
    line("DEF " + clock + " TimeSensor { cycleInterval " + number(clip.seconds, 3) + " loop TRUE }");
    std::vector<std::string> routes;
    const auto connect = [&](const std::string& interpolator, const std::string& target) {
      routes.push_back("ROUTE " + clock + ".fraction_changed TO " + interpolator + ".set_fraction");
      routes.push_back("ROUTE " + interpolator + ".value_changed TO " + target);
    };
    const auto keys = [](const std::vector<double>& times) {
      WordList words;
      for (const double t : times) words.add(number(t, 4));
      return words.text();
    };
    for (const Track& track : clip.tracks) {
      const std::string joint_name = skeleton_.joints()[skeleton_.index(track.joint)].legacy_name;
      const std::string name = clip.name + "_" + joint_name;
      WordList values;
      for (const Turn& turn : track.turns) values.add(numbers(turn.axis, 3) + " " + number(turn.angle_rad, 4) + ",");
      line("DEF " + name + " OrientationInterpolator { key [ " + keys(track.times) + " ] keyValue [ " + values.text() + " ] }");
      connect(name, "hanim_" + joint_name + ".set_rotation");
    }
    const std::string root = skeleton_.joints()[0].legacy_name;
    WordList values;
    for (const Vec3& move : clip.root_moves) values.add(numbers(move, 4) + ",");
    line("DEF " + clip.name + "_place PositionInterpolator { key [ " + keys(clip.root_times) + " ] keyValue [ " + values.text() + " ] }");
    connect(clip.name + "_place", "hanim_" + root + ".set_translation");
    for (const std::string& route : routes) line(route);
  }

  const Skeleton& skeleton_;
  const std::vector<Part>& parts_;
  std::vector<SitePlace> sites_;
  std::vector<std::string> joint_names_, segment_names_, site_names_;
  std::map<std::string, std::string> colours_;  ///< colour and the name of its Appearance
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string legacy_vrml(const Skeleton& skeleton, const Anatomy& body, const std::vector<Part>& parts) {
  return Writer(skeleton, body, parts).text();
}

}  // namespace samples
