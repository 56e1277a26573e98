#pragma once
#include <vector>

#include "vesalius/humanoid.hpp"
