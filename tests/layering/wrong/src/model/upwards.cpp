#include "convert/downwards.hpp"
#include "vesalius/joint_map.hpp"
