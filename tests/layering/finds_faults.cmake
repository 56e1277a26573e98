# Runs check.cmake on a tree in which every kind of fault is made once, and expects all of them to be named.
execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${WRONG} -DMIN_INCLUDES=1 -P ${CHECK}
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(status EQUAL 0)
  message(FATAL_ERROR "the wrong tree passed:\n${out}")
endif()
foreach(expected
    "model/upwards.cpp: layer 'model' includes 'convert/downwards.hpp' of layer 'convert'"
    "model/upwards.cpp: layer 'model' includes 'vesalius/joint_map.hpp' of layer 'mapping'"
    "x3d/sideways.cpp: includes 'tiny_gltf.h'"
    "x3d/sideways.cpp: includes 'boost/program_options.hpp'"
    "x3d/sideways.cpp: layer 'x3d' includes 'vesalius/humanoid.hpp' of layer 'model'"
    "x3d/sideways.cpp: names tinygltf"
    "humanoid.hpp: a public header includes 'nlohmann/json.hpp'"
    "humanoid.hpp: a public header includes 'convert/downwards.hpp'"
    "homeless.hpp: this header has no layer"
    "9 wrong include(s)")
  string(FIND "${out}" "${expected}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected \"${expected}\" in:\n${out}")
  endif()
endforeach()
