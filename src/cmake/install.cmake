# What `cmake --install` puts where: library and headers, the command, the tables with their schemas, and the CMake package.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vesalius)
get_target_property(library_type vesalius TYPE)
if(library_type STREQUAL "SHARED_LIBRARY")
  set(VESALIUS_IS_STATIC FALSE)
else()
  set(VESALIUS_IS_STATIC TRUE)
endif()

install(TARGETS vesalius EXPORT vesaliusTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT vesaliusTargets NAMESPACE vesalius:: DESTINATION ${package_dir})

if(TARGET vesalius_cli)
  # The command finds a shared library beside it, wherever the prefix is moved to.
  file(RELATIVE_PATH library_from_command ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(vesalius_cli PROPERTIES INSTALL_RPATH "\$ORIGIN/${library_from_command}")
  install(TARGETS vesalius_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/mappings ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/vesalius
  FILES_MATCHING PATTERN "*.xml" PATTERN "*.xsd" PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/vesaliusConfig.cmake.in ${PROJECT_BINARY_DIR}/vesaliusConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vesaliusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vesaliusConfig.cmake ${PROJECT_BINARY_DIR}/vesaliusConfigVersion.cmake DESTINATION ${package_dir})
