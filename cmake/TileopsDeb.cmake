# Debian packages: `cpack -G DEB` in the build folder makes libtileops0.1, libtileops-dev and tileops-tools
# (the command). tests/install/deb.sh installs them into a fresh root. Dependencies on libraries are found
# by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libtileops)
set(CPACK_PACKAGE_VENDOR "libtileops")
# Debian wants an address. The project has none: .invalid is the domain that never exists (RFC 2606). Who publishes
# packages names their own.
set(TILEOPS_PACKAGE_CONTACT "libtileops developers <libtileops@packages.invalid>" CACHE STRING
    "Maintainer of the packages, as NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${TILEOPS_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
if(TILEOPS_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL tools)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")

# A package of 0.1 stands beside one of 0.2, as their sonames do.
set(_runtime libtileops${TILEOPS_SOVERSION})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${_runtime})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}\n The shared library.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtileops-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${_runtime} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS libtbb-dev)  # for links of the static library
set(CPACK_COMPONENT_DEV_DESCRIPTION "${PROJECT_DESCRIPTION}\n Headers, examples, files for CMake and pkg-config.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tileops-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${_runtime} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "${PROJECT_DESCRIPTION}\n The command tileops.")

# Debian's place for each package's licence, in the packages alone.
foreach(_component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${_component} _upper)
  install(FILES "${PROJECT_SOURCE_DIR}/docs/copyright" COMPONENT ${_component} EXCLUDE_FROM_ALL
          DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${_upper}_PACKAGE_NAME}")
endforeach()
include(CPack)
