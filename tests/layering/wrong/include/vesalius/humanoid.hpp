#pragma once
#include <nlohmann/json.hpp>

#include "convert/downwards.hpp"
