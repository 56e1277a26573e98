#include "formats/hanim/form.hpp"

namespace vesalius::hanim {

std::string_view Form::node(std::string_view type) const noexcept {
  if (skin || !type.starts_with("HAnim")) return type;
  return type.substr(5);  // H-Anim 1.1: Humanoid, Joint, Segment, Site, Displacer
}

Form form_of(const HanimWriteOptions& options) {
  Form form;
  form.encoding = options.encoding == Encoding::detect ? Encoding::x3d_xml : options.encoding;
  if (form.vrml97()) {
    form.prototypes = true;
    form.skin = options.prototypes != HanimPrototypes::v1_1;
    form.version_2_fields = false;
    form.physical_materials = false;
    form.metadata_nodes = false;
    form.colours_with_alpha = false;
    form.displacer_weights = form.skin;
    form.hanim_version = form.skin ? "200x" : "1.1";
    return form;
  }
  form.x3d_version =
      options.x3d_version == X3dVersion::v3_3 || options.target == HanimTarget::castle || options.target == HanimTarget::x3dom ? "3.3"
                                                                                                                               : "4.0";
  if (form.x3d_version == "3.3") {
    form.version_2_fields = false;
    form.physical_materials = false;
    form.hanim_version = "1.0";
  }
  return form;
}

// Fields and defaults of H-Anim 1.1 and of the 2001 drafts; the bodies are the usual ones: a joint is a Transform about its centre.
std::string_view prototypes_1_1() {
  return R"(PROTO Displacer [
  exposedField MFInt32 coordIndex [ ]
  exposedField MFVec3f displacements [ ]
  exposedField SFString name ""
] {
  WorldInfo { }
}
PROTO Site [
  eventIn MFNode addChildren
  eventIn MFNode removeChildren
  exposedField SFVec3f center 0 0 0
  exposedField MFNode children [ ]
  exposedField SFString name ""
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField SFVec3f translation 0 0 0
] {
  Transform {
    addChildren IS addChildren
    removeChildren IS removeChildren
    center IS center
    children IS children
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
  }
}
PROTO Segment [
  eventIn MFNode addChildren
  eventIn MFNode removeChildren
  field SFVec3f bboxCenter 0 0 0
  field SFVec3f bboxSize -1 -1 -1
  exposedField SFVec3f centerOfMass 0 0 0
  exposedField MFNode children [ ]
  exposedField SFNode coord NULL
  exposedField MFNode displacers [ ]
  exposedField SFFloat mass 0
  exposedField MFFloat momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ]
  exposedField SFString name ""
] {
  Group {
    addChildren IS addChildren
    removeChildren IS removeChildren
    bboxCenter IS bboxCenter
    bboxSize IS bboxSize
    children IS children
  }
}
PROTO Joint [
  exposedField SFVec3f center 0 0 0
  exposedField MFNode children [ ]
  exposedField SFRotation limitOrientation 0 0 1 0
  exposedField MFFloat llimit [ ]
  exposedField SFString name ""
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField MFFloat stiffness [ 0 0 0 ]
  exposedField SFVec3f translation 0 0 0
  exposedField MFFloat ulimit [ ]
] {
  Transform {
    center IS center
    children IS children
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
  }
}
PROTO Humanoid [
  field SFVec3f bboxCenter 0 0 0
  field SFVec3f bboxSize -1 -1 -1
  exposedField SFVec3f center 0 0 0
  exposedField MFNode humanoidBody [ ]
  exposedField MFString info [ ]
  exposedField MFNode joints [ ]
  exposedField SFString name ""
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField MFNode segments [ ]
  exposedField MFNode sites [ ]
  exposedField SFVec3f translation 0 0 0
  exposedField SFString version "1.1"
  exposedField MFNode viewpoints [ ]
] {
  Transform {
    bboxCenter IS bboxCenter
    bboxSize IS bboxSize
    center IS center
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
    children [
      Group { children IS viewpoints }
      Group { children IS humanoidBody }
    ]
  }
}

)";
}

std::string_view prototypes_200x() {
  return R"(PROTO HAnimDisplacer [
  exposedField MFInt32 coordIndex [ ]
  exposedField MFVec3f displacements [ ]
  exposedField SFString name ""
  exposedField SFFloat weight 0
] {
  WorldInfo { }
}
PROTO HAnimSite [
  eventIn MFNode addChildren
  eventIn MFNode removeChildren
  exposedField SFVec3f center 0 0 0
  exposedField MFNode children [ ]
  exposedField SFString name ""
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField SFVec3f translation 0 0 0
] {
  Transform {
    addChildren IS addChildren
    removeChildren IS removeChildren
    center IS center
    children IS children
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
  }
}
PROTO HAnimSegment [
  eventIn MFNode addChildren
  eventIn MFNode removeChildren
  field SFVec3f bboxCenter 0 0 0
  field SFVec3f bboxSize -1 -1 -1
  exposedField SFVec3f centerOfMass 0 0 0
  exposedField MFNode children [ ]
  exposedField SFNode coord NULL
  exposedField MFNode displacers [ ]
  exposedField SFFloat mass 0
  exposedField MFFloat momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ]
  exposedField SFString name ""
] {
  Group {
    addChildren IS addChildren
    removeChildren IS removeChildren
    bboxCenter IS bboxCenter
    bboxSize IS bboxSize
    children IS children
  }
}
PROTO HAnimJoint [
  exposedField SFVec3f center 0 0 0
  exposedField MFNode children [ ]
  exposedField MFNode displacers [ ]
  exposedField SFRotation limitOrientation 0 0 1 0
  exposedField MFFloat llimit [ ]
  exposedField SFString name ""
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField MFInt32 skinCoordIndex [ ]
  exposedField MFFloat skinCoordWeight [ ]
  exposedField MFFloat stiffness [ 0 0 0 ]
  exposedField SFVec3f translation 0 0 0
  exposedField MFFloat ulimit [ ]
] {
  Transform {
    center IS center
    children IS children
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
  }
}
PROTO HAnimHumanoid [
  field SFVec3f bboxCenter 0 0 0
  field SFVec3f bboxSize -1 -1 -1
  exposedField SFVec3f center 0 0 0
  exposedField MFString info [ ]
  exposedField MFNode joints [ ]
  exposedField SFString name ""
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f scale 1 1 1
  exposedField SFRotation scaleOrientation 0 0 1 0
  exposedField MFNode segments [ ]
  exposedField MFNode sites [ ]
  exposedField MFNode skeleton [ ]
  exposedField MFNode skin [ ]
  exposedField SFNode skinCoord NULL
  exposedField SFNode skinNormal NULL
  exposedField SFVec3f translation 0 0 0
  exposedField SFString version "200x"
  exposedField MFNode viewpoints [ ]
] {
  Transform {
    bboxCenter IS bboxCenter
    bboxSize IS bboxSize
    center IS center
    rotation IS rotation
    scale IS scale
    scaleOrientation IS scaleOrientation
    translation IS translation
    children [
      Group { children IS viewpoints }
      Group { children IS skeleton }
      Group { children IS skin }
    ]
  }
}

)";
}

}  // namespace vesalius::hanim
