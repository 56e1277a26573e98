# Installs the library (or builds it inside a consumer), then configures, builds and runs the consumer.
#   cmake -DMODE=installed|shared|subdirectory -DSOURCE_DIR= -DBINARY_DIR= -DWORK_DIR= -DGENERATOR= -DCXX= -DLAUNCHER= -DBUILD_TYPE=
#         -DWERROR= -P run.cmake
cmake_policy(VERSION 3.23)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "failed with ${status}: ${command}\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

set(settings -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  -DVESALIUS_WARNINGS_AS_ERRORS=${WERROR})
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

if(MODE STREQUAL "subdirectory")
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/package/consumer -B ${WORK_DIR}/build ${settings} -DVESALIUS_SOURCE=${SOURCE_DIR})
else()
  set(built ${BINARY_DIR})
  if(MODE STREQUAL "shared")
    set(built ${WORK_DIR}/library)
    run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${built} ${settings} -DBUILD_SHARED_LIBS=ON -DVESALIUS_BUILD_TESTS=OFF)
    run(${CMAKE_COMMAND} --build ${built})
  endif()
  run(${CMAKE_COMMAND} --install ${built} --prefix ${WORK_DIR}/first)
  # A package must not remember where it was installed first.
  file(RENAME ${WORK_DIR}/first ${WORK_DIR}/prefix)

  file(GLOB headers RELATIVE ${SOURCE_DIR}/include ${SOURCE_DIR}/include/vesalius/*.hpp)
  file(GLOB tables RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/mappings/*.xml ${SOURCE_DIR}/schemas/*.xsd)
  list(TRANSFORM headers PREPEND include/)
  list(TRANSFORM tables PREPEND share/vesalius/)
  foreach(expected IN LISTS headers tables)
    if(NOT EXISTS ${WORK_DIR}/prefix/${expected})
      message(FATAL_ERROR "${expected} was not installed")
    endif()
  endforeach()
  run(${WORK_DIR}/prefix/bin/vesalius --version)
  message("installed command: ${output}")
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/package/consumer -B ${WORK_DIR}/build ${settings}
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
endif()
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)
message("${output}")
file(REMOVE_RECURSE ${WORK_DIR})
