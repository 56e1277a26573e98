#include <array>
#include <cmath>
#include <map>

#include "text.hpp"
#include "writers.hpp"

namespace samples {
namespace {

constexpr std::string_view person = "Robin";
constexpr int place_decimals = 5;
constexpr int normal_decimals = 3;

/// Joint weights in thousandths that sum to a thousand exactly.
std::vector<std::pair<int, int>> thousandths(const Influences& influences) {
  std::vector<std::pair<int, int>> rounded;
  int sum = 0;
  for (const auto& [joint, weight] : influences) {
    const int value = static_cast<int>(std::lround(weight * 1000));
    if (value == 0) continue;
    rounded.emplace_back(joint, value);
    sum += value;
  }
  rounded.front().second += 1000 - sum;  // the largest comes first
  return rounded;
}

class Writer {
 public:
  Writer(const Skeleton& skeleton, const Anatomy& body, const std::vector<Part>& parts)
      : skeleton_(skeleton), parts_(parts), sites_(site_places(body)), weights_(skeleton.joints().size()) {
    const SkinWeights skin(skeleton, body);
    int index = 0;
    for (const Part& part : parts) {
      for (const Vec3& p : part.mesh.points) {
        Influences influences = skin.at(p);
        if (part.rigid_joint == "eyes") influences = {{skeleton.index(p.x() < 0 ? "r_eyeball_joint" : "l_eyeball_joint"), 1.0}};
        for (const auto& [joint, weight] : thousandths(influences)) weights_[joint].emplace_back(index, weight);
        ++index;
      }
    }
  }

  [[nodiscard]] std::string text() {
    head();
    humanoid();
    clip(wave());
    line("</Scene>");
    line("</X3D>");
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    out_.append(static_cast<std::size_t>(depth_) * 2, ' ');
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

  void head() {
    line("<?xml version='1.0' encoding='UTF-8'?>");
    line("<X3D profile='Immersive' version='4.0'>");
    line("<head>");
    ++depth_;
    line("<component name='HAnim' level='2'/>");
    line("<meta name='title' content='standard_human.x3d'/>");
    line(
        "<meta name='description' content='Humanoid of level of articulation 3 with seamless skin, displacers, sites, limits and "
        "masses'/>");
    line("<meta name='creator' content='Vesalius sample generator'/>");
    line("<meta name='license' content='Apache-2.0'/>");
    --depth_;
    line("</head>");
    line("<Scene>");
    line("<Background skyColor='0.86 0.89 0.93'/>");
    line("<Viewpoint description='Front' position='0 0.95 3.2' centerOfRotation='0 0.95 0'/>");
    line("<Viewpoint description='Left side' position='3.2 0.95 0' orientation='0 1 0 1.5708' centerOfRotation='0 0.95 0'/>");
  }

  void humanoid() {
    double mass = 0;
    for (const Joint& joint : skeleton_.joints()) mass += joint.segment_mass_kg;
    open("<HAnimHumanoid DEF='hanim_" + std::string(person) + "' name='" + std::string(person) +
         "' version='2.0' loa='3' info='\"authorName=Vesalius sample generator\" \"copyright=Vesalius contributors\" "
         "\"gender=unspecified\" \"height=1.75\" \"weight=" +
         number(mass, 2) + "\"'>");
    open(
        "<MetadataSet containerField='metadata' name='HAnimHumanoid.info' "
        "reference='https://www.web3d.org/documents/specifications/19774/V2.0'>");
    const auto entry = [&](std::string_view name, std::string_view value) {
      line("<MetadataString name='" + std::string(name) + "' value='\"" + std::string(value) + "\"' containerField='value'/>");
    };
    entry("authorName", "Vesalius sample generator");
    entry("copyright", "Vesalius contributors");
    entry("age", "30");
    close("</MetadataSet>");
    skin();
    skeleton();
    close("</HAnimHumanoid>");
  }

  void skin() {
    WordList points;
    WordList normals;
    for (const Part& part : parts_) {
      for (const Vec3& p : part.mesh.points) points.add(numbers(p, place_decimals));
      for (const Vec3& n : part.mesh.normals) normals.add(numbers(n, normal_decimals));
    }
    line("<Coordinate DEF='hanim_skin_coords' containerField='skinCoord' point='\n" + points.text() + "'/>");
    line("<Normal DEF='hanim_skin_normals' containerField='skinNormal' vector='\n" + normals.text() + "'/>");
    int offset = 0;
    for (const Part& part : parts_) {
      open("<Shape DEF='" + part.name + "' containerField='skin'>");
      const Colour& c = part.colour;
      const double shine = 0.4 * c.shininess;
      line("<Appearance DEF='" + part.name + "_look'><Material DEF='" + part.name + "_colour' diffuseColor='" +
           numbers({c.red, c.green, c.blue}, 3) + "' specularColor='" + numbers({shine, shine, shine}, 3) + "' shininess='" +
           number(c.shininess, 3) + "'/></Appearance>");
      WordList faces;
      for (const auto& t : part.mesh.triangles) {
        for (const int v : t) faces.add(std::to_string(v + offset));
        faces.add("-1");
      }
      line("<IndexedFaceSet DEF='" + part.name + "_faces' creaseAngle='3.14' coordIndex='\n" + faces.text() + "'>");
      line("  <Coordinate USE='hanim_skin_coords'/><Normal USE='hanim_skin_normals'/>");
      line("</IndexedFaceSet>");
      close("</Shape>");
      offset += static_cast<int>(part.mesh.points.size());
    }
  }

  void skeleton() {
    joint(0, "skeleton");
    for (const SitePlace& site : sites_)
      if (site.segment.empty()) write_site(site, "viewpoints");
    for (const Joint& j : skeleton_.joints()) line("<HAnimJoint USE='hanim_" + j.name + "' containerField='joints'/>");
    for (const Joint& j : skeleton_.joints()) line("<HAnimSegment USE='hanim_" + j.segment + "' containerField='segments'/>");
    for (const SitePlace& site : sites_)
      if (!site.segment.empty()) line("<HAnimSite USE='hanim_" + site.name + "' containerField='sites'/>");
  }

  void joint(int index, std::string_view container) {
    const Joint& j = skeleton_.joints()[index];
    std::string start = "<HAnimJoint DEF='hanim_" + j.name + "' name='" + j.name + "' containerField='" + std::string(container) +
                        "' center='" + numbers(j.centre, place_decimals) + "'";
    if (j.limited) {
      start += " llimit='" + numbers(j.limits.lower, 3) + "' ulimit='" + numbers(j.limits.upper, 3) + "'";
    }
    if (!weights_[index].empty()) {
      WordList indices;
      WordList weights;
      for (const auto& [point, weight] : weights_[index]) {
        indices.add(std::to_string(point));
        weights.add(number(weight / 1000.0, 3));
      }
      start += "\nskinCoordIndex='" + indices.text() + "'\nskinCoordWeight='" + weights.text() + "'";
    }
    open(start + ">");
    if (j.name == "skullbase") {
      displacer("smile_action", smile);
      displacer("eyebrows_up_action", raised_brows);
    }
    segment(j, index);
    for (std::size_t i = 0; i < skeleton_.joints().size(); ++i)
      if (skeleton_.joints()[i].parent == index) joint(static_cast<int>(i), "children");
    close("</HAnimJoint>");
  }

  void segment(const Joint& j, int index) {
    const std::string start = "<HAnimSegment DEF='hanim_" + j.segment + "' name='" + j.segment + "' mass='" + number(j.segment_mass_kg, 3) +
                              "' centerOfMass='" + numbers(mass_centre(skeleton_, index), place_decimals) + "'";
    bool empty = true;
    for (const SitePlace& site : sites_) {
      if (site.segment != j.segment) continue;
      if (empty) open(start + ">");
      empty = false;
      write_site(site, "children");
    }
    if (empty)
      line(start + "/>");
    else
      close("</HAnimSegment>");
  }

  void write_site(const SitePlace& site, std::string_view container) {
    std::string start = "<HAnimSite DEF='hanim_" + site.name + "' name='" + site.name + "' containerField='" + std::string(container) +
                        "' translation='" + numbers(site.place, place_decimals) + "'";
    if (!site.is_view) {
      line(start + "/>");
      return;
    }
    if (site.segment.empty() && site.place.x() > 1) start += " rotation='0 1 0 1.5708'";
    if (site.segment.empty() && site.place.x() < -1) start += " rotation='0 1 0 -1.5708'";
    if (!site.segment.empty()) start += " rotation='0 1 0 3.1416'";
    line(start + "><Viewpoint description='" + site.name + "' position='0 0 0'/></HAnimSite>");
  }

  void displacer(const std::string& name, Vec3 (*move)(const Vec3&)) {
    WordList indices;
    WordList moves;
    int index = 0;
    for (const Part& part : parts_) {
      const bool soft = part.name == "Body_Head" || part.name == "Body_Lips" || part.name == "Hair_Eyebrows";
      for (const Vec3& p : part.mesh.points) {
        const Vec3 step = soft ? move(p) : Vec3(Vec3::Zero());
        if (step.norm() > 5e-5) {
          indices.add(std::to_string(index));
          moves.add(numbers(step, 5));
        }
        ++index;
      }
    }
    line("<HAnimDisplacer DEF='hanim_" + name + "' name='" + name + "' containerField='displacers' weight='0'\ncoordIndex='" +
         indices.text() + "'\ndisplacements='" + moves.text() + "'/>");
  }

  void clip(const Clip& clip) {
    const std::string clock = clip.name + "_clock";
    line("<TimeSensor DEF='" + clock + "' cycleInterval='" + number(clip.seconds, 3) + "' loop='true'/>");
    const auto routes = [&](const std::string& interpolator, const std::string& target) {
      line("<ROUTE fromNode='" + clock + "' fromField='fraction_changed' toNode='" + interpolator + "' toField='set_fraction'/>");
      line("<ROUTE fromNode='" + interpolator + "' fromField='value_changed' " + target + "/>");
    };
    const auto keys = [](const std::vector<double>& times) {
      WordList list;
      for (const double t : times) list.add(number(t, 4));
      return list.text();
    };
    for (const Track& track : clip.tracks) {
      const std::string name = clip.name + "_" + track.joint;
      WordList values;
      for (const Turn& turn : track.turns) values.add(numbers(turn.axis, 3) + " " + number(turn.angle_rad, 4));
      line("<OrientationInterpolator DEF='" + name + "' key='" + keys(track.times) + "' keyValue='" + values.text() + "'/>");
      routes(name, "toNode='hanim_" + track.joint + "' toField='set_rotation'");
    }
    if (clip.smile_times.empty()) return;
    WordList values;
    for (const double weight : clip.smile_weights) values.add(number(weight, 3));
    line("<ScalarInterpolator DEF='" + clip.name + "_smile' key='" + keys(clip.smile_times) + "' keyValue='" + values.text() + "'/>");
    routes(clip.name + "_smile", "toNode='hanim_smile_action' toField='weight'");
  }

  const Skeleton& skeleton_;
  const std::vector<Part>& parts_;
  std::vector<SitePlace> sites_;
  std::vector<std::vector<std::pair<int, int>>> weights_;  ///< per joint: point and thousandths
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string standard_x3d(const Skeleton& skeleton, const Anatomy& body, const std::vector<Part>& parts) {
  return Writer(skeleton, body, parts).text();
}

}  // namespace samples
