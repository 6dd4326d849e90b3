# Install rules: libraries, headers, CMake package, pkg-config file, licences, examples, man page. The
# tileops command installs itself (src/cli). Components: runtime, dev, tools (cmake/TileopsDeb.cmake).
include(CMakePackageConfigHelpers)

# The header that this build found becomes a part of the package where users could not be expected
# to have it, in a folder of its own: it shadows nothing and collides with no other package.
set(_includes "${CMAKE_INSTALL_INCLUDEDIR}")
set(TILEOPS_PC_CFLAGS "-I\${includedir}")
if(TILEOPS_INSTALL_DLPACK)
  set(_third_party "${CMAKE_INSTALL_INCLUDEDIR}/tileops/third_party")
  install(FILES "${TILEOPS_DLPACK_INCLUDE_DIR}/dlpack/dlpack.h" DESTINATION "${_third_party}/dlpack"
          COMPONENT dev)
  # The licence is the same as the library's, with a notice of whose the header is.
  file(READ "${PROJECT_SOURCE_DIR}/LICENSE" _license)
  file(WRITE "${PROJECT_BINARY_DIR}/dlpack-LICENSE"
       "dlpack.h: Copyright 2017 by Contributors, https://github.com/dmlc/dlpack\n\n${_license}")
  install(FILES "${PROJECT_BINARY_DIR}/dlpack-LICENSE" DESTINATION "${_third_party}/dlpack"
          COMPONENT dev RENAME LICENSE)
  list(APPEND _includes "${_third_party}")
  string(APPEND TILEOPS_PC_CFLAGS " -I\${includedir}/tileops/third_party")
endif()

install(TARGETS tileops EXPORT tileops-targets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT dev
        INCLUDES DESTINATION ${_includes})
if(TILEOPS_STATIC)
  install(TARGETS tileops_static EXPORT tileops-static-targets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev
          INCLUDES DESTINATION ${_includes})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tileops" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def")

set(_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tileops")
install(EXPORT tileops-targets NAMESPACE tileops:: DESTINATION "${_cmake_dir}" COMPONENT dev)
if(TILEOPS_STATIC)
  install(EXPORT tileops-static-targets NAMESPACE tileops:: DESTINATION "${_cmake_dir}"
          COMPONENT dev)
endif()
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
set(TILEOPS_PC_THREADS "")
if(TILEOPS_THREADS STREQUAL "tbb")
  set(TILEOPS_PC_THREADS "-ltbb ")
endif()
list(TRANSFORM TILEOPS_CXX_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE TILEOPS_PC_CXX_LIBS)
list(JOIN TILEOPS_PC_CXX_LIBS " " TILEOPS_PC_CXX_LIBS)
configure_file("${PROJECT_SOURCE_DIR}/tileops.pc.in" "${PROJECT_BINARY_DIR}/tileops.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tileops.pc" DESTINATION "${_pc_dir}" COMPONENT dev)

# copyright: what is compiled in beside the library's own code, in Debian's form.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/docs/copyright"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/demo/CMakeLists.txt" "${PROJECT_SOURCE_DIR}/demo/example.c"
              "${PROJECT_SOURCE_DIR}/demo/expression.c" "${PROJECT_SOURCE_DIR}/demo/expression.cc" "${PROJECT_SOURCE_DIR}/demo/rows.cc"
              "${PROJECT_SOURCE_DIR}/demo/optimiser.c" "${PROJECT_SOURCE_DIR}/demo/pool.c" "${PROJECT_SOURCE_DIR}/demo/serve.c"
              "${PROJECT_SOURCE_DIR}/demo/demo.c"
              "${PROJECT_SOURCE_DIR}/demo/npy_io.h" "${PROJECT_SOURCE_DIR}/demo/make_arrays.py"
              "${PROJECT_SOURCE_DIR}/demo/check.py"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/demo/model" DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.c" PATTERN "*.py")

if(TILEOPS_BUILD_CLI)
  find_program(TILEOPS_GZIP gzip)
  set(_page "${PROJECT_SOURCE_DIR}/docs/tileops.1")
  if(TILEOPS_GZIP)
    # -n: the same bytes from every build.
    execute_process(COMMAND "${TILEOPS_GZIP}" -9nc "${_page}" COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE "${PROJECT_BINARY_DIR}/tileops.1.gz")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_page}")
    set(_page "${PROJECT_BINARY_DIR}/tileops.1.gz")
  endif()
  install(FILES "${_page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools)
endif()
