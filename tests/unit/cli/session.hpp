#pragma once
// Runs the command in this process and keeps what it printed; a folder with small input files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "support/temp_dir.hpp"

namespace vesalius::cli {

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

inline Outcome vesalius(const std::vector<std::string>& args, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Outcome outcome;
  outcome.status = run(args, in, out, err);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

/// An H-Anim figure of 13 joints of level 1 with a box in every segment.
inline std::string small_figure(const std::string& name = "small") {
  struct Row {
    const char* joint;
    const char* segment;
    int depth;
    const char* centre;
  };
  // In order of the tree; depth tells the parent.
  const std::vector<Row> rows{{"humanoid_root", "sacrum", 0, "0 0.824 0.0277"},
                              {"sacroiliac", "pelvis", 1, "0 0.9149 0.0016"},
                              {"l_hip", "l_thigh", 2, "0.0955 0.9147 0"},
                              {"l_knee", "l_calf", 3, "0.0953 0.489 0"},
                              {"l_talocrural", "l_talus", 4, "0.0951 0.0684 -0.05"},
                              {"r_hip", "r_thigh", 2, "-0.0955 0.9147 0"},
                              {"r_knee", "r_calf", 3, "-0.0953 0.489 0"},
                              {"r_talocrural", "r_talus", 4, "-0.0951 0.0684 -0.05"},
                              {"vl5", "l5", 1, "0 1.0568 -0.02"},
                              {"skullbase", "skull", 2, "0 1.6209 0.01"},
                              {"l_shoulder", "l_upperarm", 2, "0.2 1.45 -0.03"},
                              {"l_elbow", "l_forearm", 3, "0.2 1.15 -0.03"},
                              {"l_radiocarpal", "l_carpal", 4, "0.2 0.9 -0.03"},
                              {"r_shoulder", "r_upperarm", 2, "-0.2 1.45 -0.03"},
                              {"r_elbow", "r_forearm", 3, "-0.2 1.15 -0.03"},
                              {"r_radiocarpal", "r_carpal", 4, "-0.2 0.9 -0.03"}};
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<X3D profile='Immersive' version='4.0'><Scene>\n<HAnimHumanoid DEF='figure' name='" +
      name + "' version='2.0' loa='1'>\n";
  int open = 0;
  std::string lists;
  for (const Row& row : rows) {
    for (; open > row.depth; --open) text += "</HAnimJoint>\n";
    text += std::string("<HAnimJoint DEF='hanim_") + row.joint + "' name='" + row.joint + "' containerField='" +
            (row.depth == 0 ? "skeleton" : "children") + "' center='" + row.centre + "'>\n<HAnimSegment DEF='hanim_" + row.segment +
            "' name='" + row.segment + "' mass='2'><Transform translation='" + row.centre +
            "'><Shape><Appearance><Material diffuseColor='0.7 0.5 0.4'/></Appearance><Box size='0.08 0.16 "
            "0.08'/></Shape></Transform></HAnimSegment>\n";
    lists += std::string("<HAnimJoint USE='hanim_") + row.joint + "' containerField='joints'/>";
    lists += std::string("<HAnimSegment USE='hanim_") + row.segment + "' containerField='segments'/>\n";
    ++open;
  }
  for (; open > 0; --open) text += "</HAnimJoint>\n";
  return text + lists + "</HAnimHumanoid>\n</Scene></X3D>\n";
}

}  // namespace vesalius::cli
