// vesalius_samples FOLDER: writes legacy_avatar.wrl and standard_human.x3d there. The same bytes on every run.
#include <cstdio>
#include <exception>
#include <fstream>

#include "writers.hpp"

namespace {

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    return false;
  }
  std::printf("%s: %zu bytes\n", path.c_str(), text.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: vesalius_samples FOLDER\n");
    return 2;
  }
  try {
    const samples::Skeleton skeleton;
    const samples::Anatomy body(skeleton);
    const std::string folder = std::string(argv[1]) + "/";
    const bool standard = write(folder + "standard_human.x3d", samples::standard_x3d(skeleton, body, samples::standard_person(body)));
    const bool legacy = write(folder + "legacy_avatar.wrl", samples::legacy_vrml(skeleton, body, samples::legacy_person(body, skeleton)));
    return standard && legacy ? 0 : 3;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "failed: %s\n", problem.what());
    return 1;
  }
}
