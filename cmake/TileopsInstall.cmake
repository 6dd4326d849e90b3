# Install rules: libraries, headers, CMake package, pkg-config file, man page. The tileops command
# installs itself (src/cli).
include(CMakePackageConfigHelpers)

set(_targets tileops)
if(TILEOPS_STATIC)
  list(APPEND _targets tileops_static)
endif()

# The header that this build found becomes a part of the package where users could not be expected
# to have it, in a folder of its own: it shadows nothing and collides with no other package.
set(_includes "${CMAKE_INSTALL_INCLUDEDIR}")
set(TILEOPS_PC_CFLAGS "-I\${includedir}")
if(TILEOPS_INSTALL_DLPACK)
  set(_third_party "${CMAKE_INSTALL_INCLUDEDIR}/tileops/third_party")
  install(FILES "${TILEOPS_DLPACK_INCLUDE_DIR}/dlpack/dlpack.h" DESTINATION "${_third_party}/dlpack"
          COMPONENT dev)
  list(APPEND _includes "${_third_party}")
  string(APPEND TILEOPS_PC_CFLAGS " -I\${includedir}/tileops/third_party")
endif()

install(TARGETS ${_targets} EXPORT tileops-targets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT dev
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev
        INCLUDES DESTINATION ${_includes})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tileops" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def")

set(_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tileops")
install(EXPORT tileops-targets NAMESPACE tileops:: DESTINATION "${_cmake_dir}" COMPONENT dev)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tileops-config.cmake.in"
                              "${PROJECT_BINARY_DIR}/tileops-config.cmake"
                              INSTALL_DESTINATION "${_cmake_dir}")
# As for the soname: a minor version of 0.x promises nothing about another one.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(_compatibility SameMinorVersion)
else()
  set(_compatibility SameMajorVersion)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tileops-config-version.cmake"
                                 COMPATIBILITY ${_compatibility})
install(FILES "${PROJECT_BINARY_DIR}/tileops-config.cmake"
              "${PROJECT_BINARY_DIR}/tileops-config-version.cmake"
        DESTINATION "${_cmake_dir}" COMPONENT dev)

# The .pc file finds the prefix from its own place, however deep the library folder is. Folders
# given as absolute paths are taken as they are, and such a package cannot be moved.
set(_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(TILEOPS_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH _up "/${_pc_dir}" "/")
  string(REGEX REPLACE "/$" "" _up "${_up}")
  set(TILEOPS_PC_PREFIX "\${pcfiledir}/${_up}")
endif()
foreach(_name LIBDIR INCLUDEDIR)
  set(TILEOPS_PC_${_name} "${CMAKE_INSTALL_${_name}}")
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${_name}}")
    string(PREPEND TILEOPS_PC_${_name} "\${prefix}/")
  endif()
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/tileops.pc.in" "${PROJECT_BINARY_DIR}/tileops.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tileops.pc" DESTINATION "${_pc_dir}" COMPONENT dev)

if(EXISTS "${PROJECT_SOURCE_DIR}/docs/tileops.1")
  install(FILES "${PROJECT_SOURCE_DIR}/docs/tileops.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
          COMPONENT tools)
endif()
