#include <tiny_gltf.h>

#include <boost/program_options.hpp>

#include "vesalius/humanoid.hpp"

using Model = tinygltf::Model;
